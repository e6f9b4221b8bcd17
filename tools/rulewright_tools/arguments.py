"""Arguments that several tools share, and the loading of a game with them."""

from __future__ import annotations

from collections.abc import Iterable
from contextlib import suppress
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

import rulewright as rw
from rulewright_tools.console import CommandError, errors_in, print_note, read_save
from rulewright_tools.vocabulary import named


def with_notice(path: str) -> str:
    """A path, with a note on stderr which ruleset it changes if it is a file of variants of a ruleset that is not the
    expected one."""
    with suppress(rw.RulesetError):  # the command itself reports what is wrong
        folder = rw.rulesets.changed_ruleset(path)
        if folder is not None and not rw.rulesets.is_expected(Path(path), folder):
            print_note(f"{path} changes the ruleset in {rw.files.shown(folder)}")
    return path


def with_notices(paths: list[str]) -> list[str]:
    """Several paths, each with its note (see :func:`with_notice`)."""
    return [with_notice(path) for path in paths]


Ruleset = Annotated[
    str,
    typer.Argument(
        metavar="RULESET",
        help="A folder, a shipped ruleset, or a file of variants.",
        callback=with_notice,
    ),
]
Paths = Annotated[
    list[str],
    typer.Argument(
        metavar="PATH…",
        help="Rulesets, folders with some, or shipped ones.",
        callback=with_notices,
    ),
]
Players = Annotated[int | None, named("--players")]
Seed = Annotated[int, named("--seed")]
Variants = Annotated[list[str] | None, named("--variant")]
Options = Annotated[list[str] | None, named("--option")]
Scenario = Annotated[str | None, named("--scenario")]
Games = Annotated[int, named("--games", min=0)]
GamesWanted = Annotated[int | None, named("--games", min=1)]
"""The number of games of a command that has another end as well."""
Decisions = Annotated[int, named("--decisions", min=1)]
Seats = Annotated[str | None, named("--seats")]
Jobs = Annotated[str, named("--jobs")]
"""See :func:`rulewright_tools.crews.crew`."""
Until = Annotated[str | None, named("--until")]
Keep = Annotated[Path | None, named("--keep")]
Accept = Annotated[list[str] | None, named("--accept")]
Select = Annotated[list[str] | None, named("--select")]
Limit = Annotated[int | None, named("--limit", min=1)]
FailUnder = Annotated[float, named("--fail-under", min=0, max=100)]
Against = Annotated[str | None, named("--against")]
Seat = Annotated[str | None, named("--seat")]
Reveal = Annotated[bool, named("--reveal")]
Quote = Annotated[bool, named("--quote")]
All = Annotated[bool, named("--all")]
Diff = Annotated[bool, named("--diff")]
Watch = Annotated[bool, named("--watch")]
Output = Annotated[list[Path] | None, named("--output")]
"""See :func:`rulewright_tools.outputs.by_ending`."""
Saved = Annotated[Path | None, typer.Argument(metavar="[FILE]", help="A saved game, or a file of played ones.")]


class EngineChoice(StrEnum):
    """Engines that play whole games."""

    AUTO = "auto"
    NATIVE = "native"
    PYTHON = "python"


@dataclass(slots=True)
class Machine:
    """The machine that plays, whatever the command: the results are equal."""

    played_by: EngineChoice = EngineChoice.AUTO
    passes: str = "all"

    @property
    def backend(self) -> rw.playing.EngineName:
        """The engine, as a game names it."""
        return self.played_by.value


MACHINE = Machine()
"""Set anew by each call of ``rulewright``, from ``--engine`` and ``--passes``."""


@dataclass(frozen=True, slots=True)
class Target:
    """A ruleset that is to be looked at."""

    folder: str
    files: tuple[str, ...] = ()
    """Files of variants, of none of its folders, that were named: they say themselves which ruleset they change."""
    named: bool = True
    """False if only these files were named, and not the ruleset."""

    def open(self, variants: Iterable[str] = ()) -> tuple[rw.Ruleset, tuple[str, ...]]:
        """The ruleset with all files of variants taken in; and, if there are `variants` (titles or files), the titles
        of all that are laid over each other."""
        return self.extend(rw.open_ruleset(self.folder), variants)

    def extend(self, ruleset: rw.Ruleset, variants: Iterable[str] = ()) -> tuple[rw.Ruleset, tuple[str, ...]]:
        """Variants and options for a ruleset that is read already."""
        more = tuple(variants)
        ruleset, titles = rw.rulesets.with_variants(ruleset, (*self.files, *more))
        return ruleset, titles if more else ()


def targets(paths: list[str]) -> list[Target]:
    """The rulesets that are meant: a path itself, all that lie below it, or the one that a file of variants changes."""
    named: dict[str, list[str]] = {}
    implied: set[str] = set()
    for path in paths:
        changed = rw.rulesets.changed_ruleset(path)
        if changed is not None:
            if str(changed) not in named:
                implied.add(str(changed))
            named.setdefault(str(changed), []).append(path)
            continue
        for folder in rw.rulesets.find_rulesets(path):
            named.setdefault(str(folder), [])
            implied.discard(str(folder))
    return [Target(folder, tuple(files), folder not in implied) for folder, files in named.items()]


def options_of(settings: list[str] | None) -> dict[str, str]:
    """``["goal=3"]`` as a mapping."""
    found: dict[str, str] = {}
    for setting in settings or ():
        name, equals, value = setting.partition("=")
        if not equals or not name.strip() or not value.strip():
            raise CommandError(f"--option {setting}: write it as NAME=VALUE, for instance --option goal=3")
        found[name.strip()] = value.strip()
    return found


def load(
    ruleset: str,
    players: int | None,
    variants: list[str] | None,
    settings: list[str] | None,
) -> rw.Game:
    """The game that is meant by the arguments."""
    return rw.load(
        ruleset, players, tuple(variants or ()), options_of(settings), MACHINE.played_by.value, MACHINE.passes
    )


def load_for(
    save: dict[str, object],
    ruleset: str,
    players: int | None,
    variants: list[str] | None,
    settings: list[str] | None,
) -> rw.Game:
    """The game that a save was made of, as far as the arguments do not say otherwise.

    RulesetError if the save is of another game, whose players and options this one need not know.
    """
    given = save.get("players"), save.get("variants"), save.get("options")
    count, titles, values = given
    if players is None and isinstance(count, int):
        players = count
    if not variants and isinstance(titles, list):
        variants = [str(title) for title in titles]
    if not settings and isinstance(values, dict):
        settings = [f"{name}={value}" for name, value in values.items()]
    try:
        return load(ruleset, players, variants, settings)
    except rw.RulesetError:
        own = load(ruleset, None, None, None).start(seed=0).save()["game"]
        if save.get("game") != own:
            message = f"the save is of the game `{save.get('game')}`, and this is `{own}`"
            raise rw.RulesetError(rw.Diagnostic("SAV002", message)) from None
        raise


MOST = 100_000
"""Decisions after which a game that does not end is left."""


def position(
    after: Path | None,
    ruleset: str,
    players: int | None,
    variants: list[str] | None,
    settings: list[str] | None,
    seed: int,
    decisions: int | None,
) -> tuple[rw.Game, rw.State]:
    """The game and the position of a saved game, or of the random game of the seed after so many decisions (None: all).

    What the rules do wrong after these decisions is not met.
    """
    if after is not None:
        save = read_save(after)
        with errors_in(after):
            game = load_for(save, ruleset, players, variants, settings)
            return game, game.load(save)
    game = load(ruleset, players, variants, settings)
    state = game.start(seed=seed)
    for answer in game.playout(seed, keep=True, most=MOST if decisions is None else decisions).answers:
        state = state.choose(answer)
    return game, state


def seat_number(game: rw.Game, seat: str) -> int:
    """The number of a seat by its name."""
    if seat not in game.seats:
        raise CommandError(f"there is no seat {seat!r}; there are {', '.join(game.seats)}")
    return game.seats.index(seat)


def viewer_of(game: rw.Game, seat: str | None, reveal: bool) -> int | None:
    """The number of a seat; without one that of everybody, or None for all that there is."""
    if seat is not None and reveal:
        raise CommandError("--seat and --reveal cannot be combined: a seat does not know everything")
    return seat_number(game, seat) if seat is not None else None if reveal else rw.playing.PUBLIC
