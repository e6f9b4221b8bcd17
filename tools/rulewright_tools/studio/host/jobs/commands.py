"""The commands that a page may have run. A job is what anybody can repeat in a terminal, word for word."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import rulewright as rw
from rulewright_tools.studio.host.catalogue import Catalogue
from rulewright_tools.studio.host.game.seats import AGENTS, FIRST, RANDOM
from rulewright_tools.studio.host.messages import ErrorCode, Params, Refused

MOST_GAMES, MOST_SECONDS = 100_000, 3_600


@dataclass(frozen=True, slots=True)
class JobOptions:
    """All that a page may say about a job; each kind takes of it what it can use."""

    path: str
    against: str
    games: int
    seconds: int
    seats: list[str]
    players: list[str]
    setting: list[str]
    """The players, variants and options as words of a command."""
    chosen: str
    """The variants and options as an arm of an experiment has them."""


def words_of(catalogue: Catalogue, params: Params) -> list[str]:
    """The words of the command that params describe.

    Raises:
        Refused: There is no such job, or no such ruleset.
    """
    kind, ruleset = params.text("kind"), params.text("ruleset")
    against = params.text_or("against")
    options = JobOptions(
        path=str(catalogue.path(ruleset).absolute()),
        against=str(catalogue.path(against).absolute()) if against else _base(catalogue.path(ruleset)),
        games=params.whole_or("games", 1, MOST_GAMES) or 200,
        seconds=params.whole_or("seconds", 1, MOST_SECONDS) or 30,
        seats=_seats(params),
        players=(players := _players(params)),
        setting=[*players, *_changes(params)],
        chosen="".join(f":{word}" for word in _chosen(params)),
    )
    params.done()
    if kind not in KINDS:
        raise Refused(ErrorCode.PARAMS, f"there is no job `{kind[:40]}`: there are {', '.join(KINDS)}")
    return [kind, *KINDS[kind](options)]


def _simulate(options: JobOptions) -> list[str]:
    return [options.path, "--games", str(options.games), *options.seats, *options.setting, "--jobs", "1"]


def _experiment(options: JobOptions) -> list[str]:
    against = options.against or (options.path if options.chosen else "")
    if not against:
        raise Refused(ErrorCode.NOT_NOW, "this ruleset changes no other: say with which one it is to be compared")
    games = ["--games", str(options.games)]
    return [against, options.path + options.chosen, *games, *options.seats, *options.players, "--jobs", "1"]


def _fuzz(options: JobOptions) -> list[str]:
    return [options.path, "--time", str(options.seconds), *options.setting, "--jobs", "1"]


def _examine(options: JobOptions) -> list[str]:
    return [options.path, "--seconds", str(options.seconds), *options.setting]


def _test(options: JobOptions) -> list[str]:
    return [options.path]


def _solve(options: JobOptions) -> list[str]:
    return [options.path, "--budget", f"{options.seconds}s", *options.setting]


KINDS: dict[str, Callable[[JobOptions], list[str]]] = {
    "test": _test,
    "examine": _examine,
    "simulate": _simulate,
    "experiment": _experiment,
    "fuzz": _fuzz,
    "solve": _solve,
}


def _base(path: Path) -> str:
    """The ruleset that a file with variants changes; empty if it changes none."""
    changed = rw.rulesets.changed_ruleset(path) if path.is_file() else None
    return "" if changed is None else str(changed.absolute())


def _players(params: Params) -> list[str]:
    players = params.whole_or("players", 1, 64)
    return [] if players is None else ["--players", str(players)]


def _changes(params: Params) -> list[str]:
    variants = [word for title in params.texts("variants") for word in ("--variant", _plain(title))]
    options = params.words("options").items()
    return [*variants, *(word for name, value in options for word in ("--option", f"{_plain(name)}={value}"))]


def _chosen(params: Params) -> list[str]:
    """The parts of an arm, between which a colon stands."""
    options = [f"{_plain(name)}={value}" for name, value in params.words("options").items()]
    if strange := [word for word in options if ":" in word]:
        raise Refused(ErrorCode.PARAMS, f"`{strange[0][:40]}` has a colon, which stands between arms of an experiment")
    return [*map(_plain, params.texts("variants")), *options]


def _plain(word: str) -> str:
    """A word that stands for itself: commands read what ends in `.rules` as the name of a file."""
    if word.startswith("-") or word.endswith(".rules"):
        raise Refused(ErrorCode.PARAMS, f"`{word[:40]}` is the name of no variant and of no parameter")
    return word


def _seats(params: Params) -> list[str]:
    seats = params.texts("seats")
    for word in seats:
        parts = word.split(":")
        if "," in word or parts[0] not in (RANDOM, FIRST, *AGENTS) or "learnt" in parts:
            raise Refused(ErrorCode.PARAMS, f"nobody is called `{word[:40]}`")
    return ["--seats", ",".join(seats)] if seats else []
