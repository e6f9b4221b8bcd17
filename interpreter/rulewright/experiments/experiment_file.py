"""Experiments in files: ``experiment.toml`` or ``.json``, checked by ``schemas/experiment.schema.json``."""

from __future__ import annotations

import json
import re
import tomllib
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from rulewright.compiler import OptionValue
from rulewright.data.json_positions import JsonText, read_json
from rulewright.data.schema_checks import validate
from rulewright.diagnostics import Diagnostic, RulesetError, Span
from rulewright.diff.editions import Side
from rulewright.engine import EngineName
from rulewright.experiments.arms import Arm, arm_of
from rulewright.experiments.experiment import Experiment
from rulewright.experiments.game_player import MOST
from rulewright.experiments.sweeps import full, latin_hypercube, values_of
from rulewright.host.files import read_text, shown

SCHEMA = "experiment"
ENDINGS = (".json", ".toml")
_AT = re.compile(r"\(at line (\d+), column (\d+)\)")


def is_experiment(text: str) -> bool:
    """True if an arm is the name of a file with an experiment."""
    return text.endswith(ENDINGS)


def read_experiment(path: str | Path, engine: EngineName = "auto") -> Experiment:
    """The experiment in a file; RulesetError with all that is wrong with it, or the first arm that there is not."""
    file = Path(path)
    data = _read(file)
    seed: int = data.get("seed", 0)
    reader = _Reader(file.parent, engine, data.get("look", 8), data.get("noise", 10))
    arms = [reader.arm(row) for row in data["arms"]]
    for sweep in data.get("sweeps", ()):
        arms += reader.sweep(sweep, seed)
    return Experiment(
        tuple(arms), data.get("games", 1000), seed, tuple(data.get("measures", ())), data.get("most", MOST)
    )


def _read(file: Path) -> dict[str, Any]:
    if file.suffix == ".json":
        source = read_json(file)
        validate(source, SCHEMA)
    else:
        source = _toml(file)
    found: Any = source.value
    return dict(found)


def _toml(file: Path) -> JsonText:
    name = shown(file)
    try:
        value = tomllib.loads(read_text(file))
    except tomllib.TOMLDecodeError as error:
        at = _AT.search(str(error))
        line, column = (int(at[1]), int(at[2])) if at else (1, 1)
        message = _AT.sub("", str(error)).strip().lower()
        span = Span(name, line, column, line, column + 1)
        raise RulesetError(Diagnostic("DAT001", f"this is not valid TOML: {message}", span)) from None
    source = JsonText(json.dumps(value, default=str), name)
    try:
        validate(source, SCHEMA)
    except RulesetError as error:  # the library does not tell where values of TOML stand: their paths do
        raise RulesetError([replace(one, span=Span(name)) for one in error.diagnostics]) from None
    return source


class _Reader:
    """Makes arms of the rows of a file; paths are relative to its folder."""

    def __init__(self, folder: Path, engine: EngineName, look: int, noise: int) -> None:
        self._folder, self._engine, self._look, self._noise = folder, engine, look, noise
        self._first: Side | None = None

    def arm(self, row: Mapping[str, Any], more: Mapping[str, OptionValue] | None = None) -> Arm:
        """The arm of a row, with other values of some parameters."""
        side = Side.read(self._found(row["rules"]), self._first) if "rules" in row else self._base()
        variants = tuple(map(self._found, row.get("variants", ())))
        side = replace(
            side,
            variants=(*side.variants, *variants),
            options={**side.options, **row.get("options", {}), **(more or {})},
            players=row.get("players", side.players),
        )
        self._first = self._first or side
        name = row.get("name") or row.get("rules") or ", ".join(variants)
        if more is not None:
            values = ", ".join(f"{key} = {str(value).lower()}" for key, value in more.items())
            name = f"{row['name']}, {values}" if "name" in row else values
        return arm_of(side, name, tuple(row.get("seats", ())), self._look, self._noise, self._engine)

    def sweep(self, row: Mapping[str, Any], seed: int) -> list[Arm]:
        """The arms of a sweep."""
        swept = {name: values_of(name, written) for name, written in row["parameters"].items()}
        samples = row.get("samples")
        settings = full(swept) if samples is None else latin_hypercube(swept, samples, seed)
        return [self.arm(row, setting) for setting in settings]

    def _base(self) -> Side:
        if self._first is None:
            raise RulesetError(Diagnostic("DAT010", "the first arm needs `rules`", hint='write rules = "my-game"'))
        return self._first.plain

    def _found(self, text: str) -> str:
        """A path as seen from here, if it begins in the folder of the file."""
        head, colon, rest = text.partition(":")
        beside = self._folder / head
        return f"{beside}{colon}{rest}" if head and beside.exists() else text
