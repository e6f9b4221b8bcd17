"""The examination of a game: all analyses over its programs, beside those of the game that it changes."""

from __future__ import annotations

import re
import time
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from rulewright.comparison.counterparts import beneath, brought
from rulewright.compiler import OptionValue
from rulewright.data.opening import opened
from rulewright.data.ruleset import Ruleset
from rulewright.diagnostics import Diagnostic, RulesetError
from rulewright.findings.examination.remarks import remarks
from rulewright.findings.games import SIDE_BY_SIDE
from rulewright.findings.games.first_games import FirstGames, first_games
from rulewright.findings.games.offers import Offers
from rulewright.findings.games.playing_budget import GAMES, SECONDS, Pair, PlayingBudget
from rulewright.findings.places import Places
from rulewright.findings.program import ANALYSES, OF_ADDITIONS
from rulewright.findings.program.facts.examined_program import ExaminedProgram
from rulewright.findings.suspects import BY_PLAYING, LEVELS, Acceptance, Accepted, Finding, Level, Suspect
from rulewright.host.api_arguments import duration, whole
from rulewright.host.budgets import scope
from rulewright.play.game import Game
from rulewright.play.loading import load
from rulewright.play.playing import player_counts

_ORDER = list(Level)


@dataclass(frozen=True, slots=True)
class Examination:
    """The result: what was looked at, and what was found, the weightiest first."""

    title: str
    variants: tuple[str, ...]
    players: tuple[int, ...]
    """The numbers of players whose programs were looked at."""
    base: str
    """The title of the game that it changes; empty if it changes none."""
    beside_base: bool
    """True if what the base has as well was left out."""
    findings: tuple[Finding, ...]
    seconds: float
    games: int = 0
    """The games that were played of it and of its base."""
    first: tuple[FirstGames, ...] = ()
    """The first random games of each number of players."""
    offers: Mapping[str, Any] = field(default_factory=dict)
    """Questions, options and restrictions that were of no use in these games."""
    ended_early: tuple[str, ...] = ()
    """Analyses by games that time has ended before all games were played."""
    accepted: tuple[Accepted, ...] = ()
    """The findings that the rules accept with a reason; they are not among the others."""
    unneeded: tuple[Diagnostic, ...] = ()
    """Warnings about reasons for what was looked for and not found."""

    @property
    def passed(self) -> bool:
        """True if nothing was found, and all holds that must hold."""
        return not self.findings and not any(one.broken for one in self.first)

    def data(self) -> dict[str, object]:
        """The result as plain data, without the time."""
        return {
            "title": self.title,
            "variants": list(self.variants),
            "players": list(self.players),
            "base": self.base,
            "beside_base": self.beside_base,
            "games": self.games,
            "first_games": [one.data() for one in self.first],
            "offers": dict(self.offers),
            "ended_early": list(self.ended_early),
            "findings": [one.data() for one in self.findings],
            "accepted": [one.data() for one in self.accepted],
            "unneeded": [
                {"file": one.span.file, "line": one.span.line, "column": one.span.column, "message": one.message}
                for one in self.unneeded
            ],
        }


def examine(
    ruleset: str | Path | Ruleset,
    players: int | None = None,
    variants: Iterable[str] = (),
    options: Mapping[str, OptionValue] | None = None,
    progress: Callable[[str], None] | None = None,
    games: int = GAMES,
    seconds: float | None = SECONDS,
    checked: bool = True,
) -> Examination:
    """Examine a game, with variants laid over it, for every number of players or for one.

    Of a game that changes another one only what it brings is reported; both are played beside each other, so many
    `games` of each kind, or fewer if `seconds` are over before; with 0 `games` only the rules are read. What the
    checker remarks about what it brings is reported, too, if `checked`. RulesetError if it cannot be played by any
    number.
    """
    whole("the number of games", games, least=0)
    if seconds is not None:
        duration("the seconds", seconds)
    begun, given = time.process_time(), dict(options or {})
    found_in, titles = opened(ruleset, variants)
    counts = (players,) if players is not None else player_counts(found_in)
    made = _games(found_in, titles, counts or (None,), given)
    found: dict[str, Finding] = {}
    subjects = dict[str, str]()
    pairs, times, everywhere = list[Pair](), Counter[str](), set[str]()
    budget = PlayingBudget(games, seconds)
    for game in made:
        if progress is not None:
            progress(f"{game.title}, {game.players} players")
        base = beneath(game, given)
        if base is not None:
            pairs.append(Pair(game, base, frozenset(brought(game, base)), budget, given))
        elif _is_whole(game):
            rules = frozenset(one.name for one in game.program.rules)
            pairs.append(Pair(game, _without_rules(game), rules, budget, given))
        known = {one.key for one in _suspects(base, base)} if base is not None else set[str]()
        places = Places(game.ruleset, game.program)
        suspects = _suspects(game, base)
        own = {one.key: one for one in suspects if one.key not in known}
        times.update({_for_any_count(one) for one in own.values()})
        for key, one in own.items():
            subject = _for_any_count(one)
            everywhere |= {subject} if one.everywhere else set()
            if subject not in subjects:
                subjects[subject] = key
                found[key] = places.finding(one)
    left_out = {key for subject, key in subjects.items() if subject in everywhere and times[subject] < len(made)}
    found = {key: one for key, one in found.items() if key not in left_out}
    part = None if seconds is None else seconds * FIRST_PART / len(made)
    offers, new = (
        Offers(),
        None if any(pair.alone for pair in pairs) else set().union(*(pair.brought for pair in pairs)),
    )
    first_looks = tuple(first_games(game, games, part, offers) for game in made) if games else ()
    hidden = set[str]()
    for one in _side_by_side(pairs, budget, progress) if games else ():
        program = pairs[0].game.program
        symptom = _is_symptom(one, found.values(), ExaminedProgram(program))
        if symptom or not _add(found, Places(pairs[0].game.ruleset, program).finding(one)):
            hidden.add(one.code)
    first = made[0]
    under = first.ruleset if first.program.variants else first.ruleset.base
    reported = list(found.values())
    for remark in remarks(first.ruleset, titles) if checked else ():
        if not _is_reported(remark, reported):
            found[remark.key] = remark
    ordered = sorted(found.values(), key=_weight)
    acceptance = Acceptance(first.ruleset, first.program.variants)
    accepted = acceptance.accepted(ordered)
    everything = players is None and not given and len(made) == max(1, len(counts))
    played = len(pairs) == len(made) and games > 0 and not budget.early
    sought = frozenset(LEVELS) - (hidden if played else BY_PLAYING)
    return Examination(
        first.title,
        first.variants,
        tuple(game.players for game in made),
        under.title if under is not None else "",
        len(pairs) == len(made) and under is not None,
        tuple(one for one in ordered if one not in {kept.finding for kept in accepted}),
        time.process_time() - begun,
        budget.played,
        first_looks,
        offers.data(new),
        tuple(budget.early),
        accepted,
        acceptance.unneeded(sought) if everything else (),
    )


def _weight(one: Finding) -> tuple[int, bool, str, int, str]:
    """The order of findings; what the checker remarks comes behind what was looked for."""
    return _ORDER.index(one.level), one.is_remark, one.span.file, one.span.line, one.key


def _side_by_side(
    pairs: list[Pair], budget: PlayingBudget, progress: Callable[[str], None] | None
) -> Iterator[Suspect]:
    """Suspects among what differs when a game and its base are played, or what a whole game shows by itself."""
    for number, what in enumerate(SIDE_BY_SIDE if pairs else ()):
        if progress is not None:
            progress(f"playing: {what}")
        budget.begin(what, len(SIDE_BY_SIDE) - number)
        yield from list(SIDE_BY_SIDE[what](pairs))


FIRST_PART = 0.15
"""The part of the time for the first look at all numbers of players."""


def _for_any_count(one: Suspect) -> str:
    """The key of a suspect without its numbers, if it is one only for all numbers of players: a parameter may be
    another one for each of them."""
    return re.sub(r"\d+", "#", one.key) if one.everywhere else one.key


def _is_reported(remark: Finding, reported: Iterable[Finding]) -> bool:
    """True of a remark of the checker on a line with a finding of an analysis."""
    return any(_line(one) == _line(remark) for one in reported)


def _add(found: dict[str, Finding], one: Finding) -> bool:
    """Add a finding of games, unless a static analysis has one on the same line.

    True if the cause is in the report.
    """
    if not any(one.span.file and _line(one) == _line(other) for other in found.values()):
        found.setdefault(one.key, one)
    return one.key in found


def _line(one: Finding) -> tuple[str, int]:
    return one.span.file, one.span.line


def _is_symptom(one: Suspect, found: Iterable[Finding], examined: ExaminedProgram) -> bool:
    """True of games that stop in a function that uses another one in which something is wrong: one cause is reported
    once.

    What is wrong in the function itself may have nothing to do with games that stop, unless it stands in the same line.
    """
    if one.code != "EXM202":
        return False
    used = examined.used_by(one.function) - {one.function}
    return any(other.level is Level.WRONG and other.key.split("/")[1] in used for other in found)


def _games(
    ruleset: Ruleset, titles: tuple[str, ...], counts: Iterable[int | None], options: dict[str, OptionValue]
) -> list[Game]:
    """The games that can be played, of some numbers of players."""
    found: list[Game] = []
    failed: RulesetError | None = None
    for count in counts:
        scope().look()
        try:
            found.append(load(ruleset, count, titles, options))
        except RulesetError as error:
            failed = failed or error
    if not found and failed is not None:
        raise failed
    return found


def _suspects(game: Game, base: Game | None) -> list[Suspect]:
    """Suspects by static analysis: of the game, and of what it brings beside what it changes."""
    program = ExaminedProgram(game.program)
    found: list[Suspect] = []
    for analysis in ANALYSES:
        scope().look()
        found += analysis(program)
    under = base or (_without_rules(game) if _is_whole(game) else None)
    if under is not None:
        below = ExaminedProgram(under.program)
        found += [one for analysis in OF_ADDITIONS for one in analysis(program, below)]
    return found


def _without_rules(game: Game) -> Game:
    """A game that has the things of another one and no rules: all that stands in that one is new beside it."""
    program = replace(game.program, fields=(), zones=(), queries=(), functions=())
    return Game(program, game.ruleset, game.backend)


def _is_whole(game: Game) -> bool:
    """True of a game that changes no other one."""
    return not game.program.variants and game.ruleset.base is None
