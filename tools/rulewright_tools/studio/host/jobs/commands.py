"""The commands that a page may have run. A job is what anybody can repeat in a terminal, word for word."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import rulewright as rw
import rulewright_lab as lab
from rulewright_tools.studio.host.catalogue import Catalogue
from rulewright_tools.studio.host.messages import ErrorCode, Params, Refused
from rulewright_tools.studio.host.play.seats import FIRST, RANDOM, agent_word

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
    changes: Changes
    """The variants and values that are chosen for the rules."""

    @property
    def setting(self) -> list[str]:
        """The players, variants and options as words of a command."""
        return [*self.players, *self.changes.words("--option")]


@dataclass(frozen=True, slots=True)
class Changes:
    """Variants and values of parameters, of which the rules have each."""

    variants: tuple[str, ...]
    options: dict[str, str]

    def words(self, option: str) -> Iterable[str]:
        """The arguments as words of a command, each a word of its own: no part of one is ever taken for something
        else."""
        yield from (word for title in self.variants for word in ("--variant", title))
        yield from (word for name, value in self.options.items() for word in (option, f"{name}={value}"))


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
        players=_players(params),
        changes=_changes(catalogue, ruleset, params),
    )
    params.done()
    if kind not in KINDS:
        raise Refused(ErrorCode.PARAMS, f"there is no job `{kind[:40]}`: there are {', '.join(KINDS)}")
    return [kind, *KINDS[kind].words(options)]


def _simulate(options: JobOptions) -> list[str]:
    return [options.path, "--games", str(options.games), *options.seats, *options.setting, "--jobs", "1"]


def _experiment(options: JobOptions) -> list[str]:
    chosen = list(options.changes.words("--set"))
    if not options.against and not chosen:
        raise Refused(ErrorCode.NOT_NOW, "this ruleset changes no other: say with which one it is to be compared")
    arms = [options.against] if options.against else []
    games = ["--games", str(options.games)]
    return [*arms, options.path, *chosen, *games, *options.seats, *options.players, "--jobs", "1"]


def _fuzz(options: JobOptions) -> list[str]:
    return [*_timed(options), "--jobs", "1"]


def _timed(options: JobOptions) -> list[str]:
    return [options.path, "--time", str(options.seconds), *options.setting]


def _report(options: JobOptions) -> list[str]:
    """Curves of the rules with other values beside those as they are."""
    changes = options.changes
    if any(":" in value for value in changes.options.values()):
        raise Refused(ErrorCode.PARAMS, "a value for a slider has no colon")
    moved = "".join(f":{name}={value}" for name, value in changes.options.items())
    against = ["--against", moved] if moved else []
    variants = Changes(changes.variants, {}).words("--option")
    games = ["--games", str(options.games), *options.seats, *options.players]
    return [options.path, *against, *variants, *games, "--format", "json"]


def _test(options: JobOptions) -> list[str]:
    return [options.path]


@dataclass(frozen=True, slots=True)
class Kind:
    """A kind of job."""

    words: Callable[[JobOptions], list[str]]
    title: str
    about: str
    takes: str = ""
    """Params that a page asks for, beside the players, variants and values of the game that it shows."""
    verdict: str = "nothing is wrong"
    """The verdict if nothing was found."""

    def data(self, kind: str) -> dict[str, Any]:
        """The kind as a page is to offer it."""
        return {"kind": kind, "title": self.title, "about": self.about, "takes": self.takes.split()}


KINDS: dict[str, Kind] = {
    "test": Kind(_test, "Scenarios", "Run all scenarios of the rules."),
    "examine": Kind(
        _timed,
        "Examine",
        "Look for rules that can be played, but say something else than was meant.",
        "seconds players variants options",
    ),
    "confirm": Kind(
        _timed,
        "Confirm",
        "Say of the moments in which nearly the same rules would do something else whether they are right.",
        "seconds variants options",  # of any number of players: it shows most with three
        "all moments were looked for",
    ),
    "simulate": Kind(
        _simulate,
        "Simulate",
        "Play many games: who wins, how long they are, which rules are used.",
        "games seats players variants options",
    ),
    "experiment": Kind(
        _experiment,
        "Is it better?",
        "Games with both rules and equal seeds: what differs, by how much, and whether that is chance.",
        "games seats against players variants options",
        "all games were played",
    ),
    "report": Kind(
        _report,
        "",  # the view of the sliders offers it
        "",
        "games seats players variants options",
    ),
    "fuzz": Kind(
        _fuzz,
        "Fuzz",
        "Look for rules that fail, for games that never end, for rules that are never used.",
        "seconds players variants options",
    ),
    "solve": Kind(
        _timed,
        "Solve",
        "Who wins if all play as well as they can? For small games.",
        "seconds players variants options",
    ),
}


def _base(path: Path) -> str:
    """The ruleset that a file with variants changes; empty if it changes none."""
    changed = rw.rulesets.changed_ruleset(path) if path.is_file() else None
    return "" if changed is None else str(changed.absolute())


def _players(params: Params) -> list[str]:
    players = params.whole_or("players", 1, 64)
    return [] if players is None else ["--players", str(players)]


def _changes(catalogue: Catalogue, ruleset: str, params: Params) -> Changes:
    """The choices for the rules; Refused if they do not have one, or if a command would read a file instead."""
    variants, options = params.texts("variants"), params.words("options")
    if variants or options:
        setup = rw.playing.setup_choices(catalogue.opened(ruleset)[0])
        known = {*setup.variants, *(one.name for one in setup.parameters)}
        strange = (word for word in (*variants, *options) if word not in known or word.endswith(".rules"))
        for word in (*strange, *(word for word in (*variants, *options.values()) if not word.isprintable())):
            raise Refused(ErrorCode.PARAMS, f"`{word[:40]}` is the name of no variant and of no parameter")
    return Changes(variants, options)


def _seats(params: Params) -> list[str]:
    seats = [word if word in (RANDOM, FIRST) else agent_word(word) for word in params.texts("seats")]
    return ["--seats", lab.agents.join_words(seats)] if seats else []
