"""The table of a game as game theory classifies it.

The entries follow from the rules, or from all positions of a small game, or it was only seen in games at random, and is
then marked so.
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from typing import Any, Generic, Literal, TypeVar

from rulewright import engine
from rulewright.engine import EngineName, Passes, RandomAnswers
from rulewright.foundation import dataclass, facts
from rulewright.ir import Program
from rulewright.ir import model as m
from rulewright_lab.theory.exploration import Explored, explore
from rulewright_lab.theory.length_bounds import most_answers
from rulewright_lab.theory.payoff_bounds import bounds, pays, sums
from rulewright_lab.theory.positions import has_chance, positions_of
from rulewright_lab.theory.solution import number

Source = Literal["rules", "all positions", "an example", "games at random"]
"""The way in which something is known; only what games at random have shown may be otherwise."""
T = TypeVar("T")

POSITIONS, GAMES, ANSWERS = 20_000, 100, 5_000
"""Positions that are looked at, and if these are not all games that are played at random, each of so many answers."""
CHANCE_COSTS = 10
"""So many times longer it takes to look at a position where chance decides."""


@dataclass(frozen=True, slots=True)
class Known(Generic[T]):
    """Property of a game, and how it is known."""

    value: T
    by: Source


@dataclass(frozen=True, slots=True)
class GameTheory:
    """The kind of game that rules make."""

    players: int
    perfect_information: bool
    """True if everybody sees everything, also what others decide."""
    chance: bool
    simultaneous: bool
    """True if several may decide at the same time."""
    pays: bool
    """True if its rules say what is paid; else payoffs follow from the places."""
    sum: Known[tuple[Fraction, Fraction]]
    """The least and the highest sum of the payoffs."""
    payoffs: Known[tuple[Fraction, Fraction]]
    """The least and the highest payoff of a player."""
    longest: Known[int | None]
    """The most answers of players in a game, or by the rules a number that none exceeds; None: there is no longest, as
    positions can come again."""
    options: Known[int]
    """The most options of a player."""
    positions: int | None
    """The number of positions, if it is known."""
    measures: tuple[str, ...]

    @property
    def sum_kind(self) -> Literal["zero", "constant", "general"]:
        """``zero``: what one wins others lose; ``constant``: that and a fixed sum; ``general``."""
        least, most = self.sum.value
        return "general" if least != most else "constant" if least else "zero"

    def _repr_html_(self) -> str:
        return facts(self.data(), "The kind of game")

    def data(self) -> dict[str, Any]:
        """The table as plain data."""
        return {
            "players": self.players,
            "information": "perfect" if self.perfect_information else "imperfect",
            "chance": self.chance,
            "simultaneous": self.simultaneous,
            "payoffs": {"from": "payments" if self.pays else "places", **_range(self.payoffs)},
            "sum": {"kind": self.sum_kind, **_range(self.sum)},
            "longest_game": {
                "decisions": self.longest.value,
                "bounded": self.longest.value is not None if self.longest.by != "games at random" else None,
                "by": self.longest.by,
            },
            "options": {"most": self.options.value, "by": self.options.by},
            "positions": self.positions,
            "measures": list(self.measures),
        }


def _range(known: Known[tuple[Fraction, Fraction]]) -> dict[str, Any]:
    least, most = known.value
    return {"least": number(least), "most": number(most), "by": known.by}


def game_theory(
    program: Program, wanted: EngineName, passes: Passes, positions: int = POSITIONS, games: int = GAMES
) -> GameTheory:
    """Find out what kind of game a program is."""
    most = positions // CHANCE_COSTS if has_chance(program) else positions
    explored = explore(positions_of(program, wanted, passes), most)
    by: Source = "all positions"
    seen = explored.payoffs
    longest: Known[int | None] = Known(explored.longest, by)
    options, found = explored.most_options, explored.positions
    if not explored.whole:
        by = "games at random"
        played = _played(program, wanted, passes, games)
        seen = seen | played.payoffs
        options, longest = max(options, played.most_options), Known(played.longest, by)
    if explored.comes_again:
        longest = Known(None, "all positions" if explored.whole else "an example")
    if not explored.whole and (bound := most_answers(program)) is not None:
        longest = Known(bound, "rules")
    return GameTheory(
        program.players,
        not engine.has_hidden_information(engine.engine_of(program)),
        has_chance(program),
        decides_at_once(program),
        pays(program),
        _sum(program, seen, by),
        _bounds(program, seen, by),
        longest,
        Known(options, by),
        found if explored.whole else None,
        tuple(query.name for query in program.queries if query.is_measure),
    )


def _sum(program: Program, seen: set[tuple[Fraction, ...]], by: Source) -> Known[tuple[Fraction, Fraction]]:
    certain = sums(program)
    met = {sum(payoffs, Fraction(0)) for payoffs in seen}
    if certain is not None:
        return Known((Fraction(min(certain)), Fraction(max(certain))), "rules")
    if not met:
        return Known((Fraction(0), Fraction(0)), by)
    several: Source = "an example" if len(met) > 1 and by == "games at random" else by
    return Known((min(met), max(met)), several)


def _bounds(program: Program, seen: set[tuple[Fraction, ...]], by: Source) -> Known[tuple[Fraction, Fraction]]:
    met = {payoff for payoffs in seen for payoff in payoffs}
    certain = bounds(program)
    if certain is not None and (by != "all positions" or not met):
        return Known((Fraction(certain[0]), Fraction(certain[1])), "rules")
    return Known((min(met, default=Fraction(0)), max(met, default=Fraction(0))), by)


def decides_at_once(program: Program) -> bool:
    """True if several decide at the same time anywhere."""
    return any(_at_once(program))


def decides_only_at_once(program: Program) -> bool:
    """True if all decisions of players are simultaneous."""
    found = list(_at_once(program))
    return bool(found) and all(found)


def _at_once(program: Program) -> Iterator[bool]:
    """For each question to players whether it is simultaneous."""
    own = engine.engine_of(program)
    for function in program.functions:
        for at, instruction in enumerate(function.code):
            if isinstance(instruction, m.Choose):
                yield engine.is_decided_at_once(own, (function.name, at))


def _played(program: Program, wanted: EngineName, passes: Passes, games: int) -> Explored:
    """The figures of some games at random; those that do not end are left out of all but the options."""
    found, stepper = Explored(whole=False), engine.stepper_of(program, wanted, passes)
    for seed in range(games):
        pick, size, answers = RandomAnswers(seed), stepper.begin(seed), 0
        while size and answers < ANSWERS:
            found.most_options = max(found.most_options, size)
            size = stepper.apply(pick(size))
            answers += 1
        found.longest = max(found.longest, answers)
        if not size:
            found.payoffs.add(stepper.payoffs)
    return found
