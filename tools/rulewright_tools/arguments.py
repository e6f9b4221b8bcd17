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
        help="Folder of a ruleset, the name of one that is shipped, or a file of variants of one.",
        callback=with_notice,
    ),
]
Paths = Annotated[
    list[str],
    typer.Argument(
        metavar="PATH…",
        help="Rulesets, folders with rulesets in them, or names of shipped ones.",
        callback=with_notices,
    ),
]
Players = Annotated[int | None, typer.Option("--players", "-n", help="Number of players.")]
Seed = Annotated[int, typer.Option("--seed", "-s", help="Seed of all chance: equal seeds, equal games.")]
Variants = Annotated[
    list[str] | None,
    typer.Option(
        "--variant",
        "-v",
        help="Title of a variant of the ruleset, or a file of variants: all in it, or those whose titles are also "
        "given; several are possible.",
    ),
]
Options = Annotated[
    list[str] | None,
    typer.Option("--option", metavar="NAME=VALUE", help="Set a parameter; may be given several times."),
]

Report = Annotated[
    Path | None,
    typer.Option("--report", metavar="FILE.html", help="Also write a page with pictures, which needs nothing else."),
]


class EngineChoice(StrEnum):
    """Engines that play whole games."""

    AUTO = "auto"
    NATIVE = "native"
    PYTHON = "python"


Engine = Annotated[
    EngineChoice,
    typer.Option("--engine", help="Who plays: machine code where that is possible, or Python; the results are equal."),
]

Passes = Annotated[
    str,
    typer.Option(
        "--passes",
        metavar="LIST",
        help="Passes of the optimiser that are made: all, none, a list of names, or of names to leave out "
        "(-memo,-areas). The results are equal.",
    ),
]

Watch = Annotated[bool, typer.Option("--watch", "-w", help="Do it again whenever a file changes, until Ctrl-C.")]


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
    engine: EngineChoice = EngineChoice.AUTO,
    passes: str = "all",
) -> rw.Game:
    """The game that is meant by the arguments."""
    return rw.load(ruleset, players, tuple(variants or ()), options_of(settings), engine.value, passes)


def load_for(
    save: dict[str, object],
    ruleset: str,
    players: int | None,
    variants: list[str] | None,
    settings: list[str] | None,
    engine: EngineChoice = EngineChoice.AUTO,
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
        return load(ruleset, players, variants, settings, engine)
    except rw.RulesetError:
        own = load(ruleset, None, None, None, engine).start(seed=0).save()["game"]
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
