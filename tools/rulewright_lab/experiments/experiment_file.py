"""Experiments in files: ``experiment.toml`` or ``.json``, checked by ``schemas/experiment.schema.json``.

Questions about one arm that a file of an experiment asks instead of a comparison: an aim, or what moves measures.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

from rulewright.comparison import Side
from rulewright.data import JsonPath, JsonText, TomlText, read_json, read_toml, validate
from rulewright.diagnostics import Diagnostic, RulesetError
from rulewright.engine import EngineName
from rulewright.foundation import dataclass
from rulewright_lab.experiments.arms import Arm, arm_of
from rulewright_lab.experiments.balance.sweeps import (
    Setting,
    Swept,
    describe,
    full,
    latin_hypercube,
    swept_of,
    values_of,
)
from rulewright_lab.experiments.balance.targets import Target
from rulewright_lab.experiments.experiment import GAMES, MOST_GAMES, Experiment
from rulewright_lab.experiments.playing.game_player import MOST
from rulewright_lab.experiments.statistics.stopping import Aim

SCHEMA = "experiment"
ENDINGS = (".json", ".toml")
Source = JsonText | TomlText


def is_experiment(text: str) -> bool:
    """True if an arm is the name of a file with an experiment."""
    return text.endswith(ENDINGS)


def read_experiment(path: str | Path, engine: EngineName = "auto") -> Experiment:
    """The experiment in a file; RulesetError with all that is wrong with it, or the first arm that there is not."""
    file = Path(path)
    source = read_source(file)
    data: Mapping[str, Any] = source.value  # type: ignore[assignment]
    seed: int = data.get("seed", 0)
    reader = _Reader(source, file.parent, engine, data.get("look", 8), data.get("noise", 10))
    arms = [reader.arm(row, ("arms", number)) for number, row in enumerate(data["arms"])]
    for number, sweep in enumerate(data.get("sweeps", ())):
        arms += reader.sweep(sweep, ("sweeps", number), seed)
    until: str = data.get("until", "")
    games = data.get("games", MOST_GAMES if until else GAMES)
    wanted, most = tuple(data.get("measures", ())), data.get("decisions", MOST)
    meant = Experiment(tuple(arms), games, seed, wanted, most, until, about=data.get("about", ""))
    if until:
        with placed(source, ("until",)):
            Aim.read(until)
    for number, name in enumerate(meant.measures):
        with placed(source, ("measures", number)):
            replace(meant, measures=(name,)).begin()
    return meant


def read_source(file: Path) -> Source:
    """The checked text of a file with an experiment."""
    if file.suffix != ".json":
        return read_toml(file, SCHEMA)
    source = read_json(file)
    validate(source, SCHEMA)
    return source


@contextmanager
def placed(source: Source, path: JsonPath, keep: bool = False) -> Iterator[None]:
    """Errors inside are about a value of the file; with `keep`, those that have a place elsewhere keep it."""
    try:
        yield
    except RulesetError as error:
        raise RulesetError([_moved(source, path, one, keep) for one in error.diagnostics]) from None


def _moved(source: Source, path: JsonPath, one: Diagnostic, keep: bool) -> Diagnostic:
    if one.span.file and keep:
        return one
    at = f"{one.span.file}:{one.span.line}" if one.span.line and not one.span.file.startswith("<") else ""
    message = f"{one.message} (at {at})" if at else one.message
    return replace(one, message=message, span=source.span(path), fix=None)


def _in_setting(error: RulesetError, more: Setting | None) -> RulesetError:
    """The error of one of the arms of a sweep, which names it."""
    if not more:
        return error
    return RulesetError([replace(one, message=f"with {describe(more)}: {one.message}") for one in error.diagnostics])


class _Reader:
    """Makes arms of the rows of a file; paths are relative to its folder."""

    def __init__(self, source: Source, folder: Path, engine: EngineName, look: int, noise: int) -> None:
        self._source, self._folder, self._engine, self._look, self._noise = source, folder, engine, look, noise
        self._first: Side | None = None
        self._names: set[str] = set()

    def arm(self, row: Mapping[str, Any], path: JsonPath, more: Setting | None = None) -> Arm:
        """The arm of a row, with other values of some parameters."""
        with placed(self._source, (*path, "rules"), keep=True):
            base = Side.read(self._found(row["rules"]), self._first) if "rules" in row else self._base(path)
        side = base
        for _, changed in self._changes(base, row, path, more):
            side = changed
        self._first = self._first or side
        name = (
            row.get("name")
            or row.get("rules")
            or ", ".join(row.get("variants", ()))
            or describe(row.get("options", {}))
        )
        name = name or ", ".join(row.get("seats", ())) or f"{side.players} players"
        if more is not None:
            name = f"{row['name']}, {describe(more)}" if "name" in row else describe(more)
        elif "name" in row and name in self._names:
            hint = "the report calls each by its name: give it another one"
            span = self._source.span((*path, "name"))
            raise RulesetError(Diagnostic("DAT013", f"another arm is called `{name}`, too", span, hint=hint))
        self._names.add(name)
        try:
            arm_of(side, name, (), self._look, self._noise, self._engine)
        except RulesetError as error:
            blamed = self._blamed(base, row, path, more)
            with placed(self._source, blamed, keep="variants" in blamed or "rules" in blamed):
                raise _in_setting(error, more) from None
        with placed(self._source, (*path, "seats")):
            return arm_of(side, name, tuple(row.get("seats", ())), self._look, self._noise, self._engine)

    def sweep(self, row: Mapping[str, Any], path: JsonPath, seed: int) -> list[Arm]:
        """The arms of a sweep."""
        swept = {}
        for name, written in row["parameters"].items():
            with placed(self._source, (*path, "parameters", name)):
                swept[name] = values_of(name, written)
        samples = row.get("samples")
        with placed(self._source, (*path, "parameters" if samples is None else "samples")):
            settings = full(swept) if samples is None else latin_hypercube(swept, samples, seed)
        return [self.arm(row, path, setting) for setting in settings]

    def _changes(
        self, side: Side, row: Mapping[str, Any], path: JsonPath, more: Setting | None
    ) -> Iterator[tuple[tuple[str | int, ...], Side]]:
        """The changes of a row to its rules: one by one, each with its place and all that holds so far."""
        if "players" in row:
            side = replace(side, players=row["players"])
            yield (*path, "players"), side
        for number, variant in enumerate(row.get("variants", ())):
            side = replace(side, variants=(*side.variants, self._variant(variant)))
            yield (*path, "variants", number), side
        for key, options in (("options", row.get("options", {})), ("parameters", more or {})):
            for name, value in options.items():
                side = replace(side, options={**side.options, name: value})
                yield (*path, key, name), side

    def _blamed(
        self, base: Side, row: Mapping[str, Any], path: JsonPath, more: Setting | None
    ) -> tuple[str | int, ...]:
        """The place of the first change with which rules do not load."""
        rules = (*path, "rules")
        sides = [(rules, base), *self._changes(base, row, path, more)]
        return next((at for at, side in sides if not self._loads(side)), rules)

    def _loads(self, side: Side) -> bool:
        try:
            arm_of(side, "", (), self._look, self._noise, self._engine)
        except RulesetError:
            return False
        return True

    def _base(self, path: JsonPath) -> Side:
        if self._first is None:
            span = self._source.span(path)
            raise RulesetError(
                Diagnostic("DAT010", "the first arm needs `rules`", span, hint='write rules = "my-game"')
            )
        return self._first.plain

    def _variant(self, text: str) -> str:
        """The title of a variant, or a file of variants as seen from here."""
        beside = self._folder / text
        return str(beside) if text.endswith(".rules") and beside.exists() else text

    def _found(self, text: str) -> str:
        """A path as seen from here, if it begins in the folder of the file."""
        head, colon, rest = text.partition(":")
        beside = self._folder / head
        return f"{beside}{colon}{rest}" if head and beside.exists() else text


AIM, SENSITIVITY = "aim", "sensitivity"


@dataclass(frozen=True, slots=True)
class Question:
    """An aim, or none: then the question is what moves the measures."""

    aim: Target | None
    swept: Swept
    samples: int | None = None
    games: int | None = None
    """Games of a point, if given."""


def read_question(path: str | Path, experiment: Experiment) -> Question | None:
    """The question in a file with an experiment, about its only arm; None if arms are to be compared.

    RulesetError with the place of what is wrong.
    """
    source = read_source(Path(path))
    data: Mapping[str, Any] = source.value  # type: ignore[assignment]
    kinds = [key for key in (AIM, SENSITIVITY) if key in data]
    if not kinds:
        return None
    if len(kinds) > 1 or len(experiment.arms) > 1:
        span = source.span((kinds[-1],), key=True)
        hint = "leave one arm and one question; compare others in another file"
        raise RulesetError(Diagnostic("DAT013", f"`{kinds[-1]}` asks about one arm, and nothing else", span, hint=hint))
    (arm,), key = experiment.arms, kinds[0]
    row = data[key]
    swept = _swept(source, arm, key, row["over"])
    if key == SENSITIVITY:
        return Question(None, swept, row.get("samples"), row.get("games"))
    with placed(source, (AIM, "measure")):
        Target.of(row["measure"], 0.0, arm)
    with placed(source, (AIM, "value")):
        return Question(Target.of(row["measure"], row["value"], arm), swept)


def _swept(source: Source, arm: Arm, key: str, over: Mapping[str, Any]) -> Swept:
    found = {}
    for name, written in over.items():
        with placed(source, (key, "over", name)):
            found[name] = swept_of(arm, name, written)
    return found
