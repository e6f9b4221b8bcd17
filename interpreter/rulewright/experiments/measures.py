"""Measures of single games: what is known of every ruleset, its own measures, and queries that are asked at the end.

Each game gives a number for each measure, or none where the measure says nothing of it, as of the winner of a game that
was stopped. What they mean, their units and ranges stand in ``docs/reference/measures.md``.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from fractions import Fraction
from statistics import fmean, pstdev

from rulewright.agents.words import wrong
from rulewright.diagnostics.suggestions import did_you_mean, listing
from rulewright.engine import Played
from rulewright.experiments.arms import Arm
from rulewright.foundation.lazy_dataclass import dataclass
from rulewright.ir.model import QueryDef

WINS, PAYOFF = "wins", "payoff"
SHARE = "share"
UNITS: Mapping[str, str] = {
    WINS: SHARE,
    PAYOFF: "payoff",
    "first_seat_advantage": SHARE,
    "ties": SHARE,
    "payoff_spread": "payoff",
    "decisions": "decisions",
    "moves": "moves",
    "options": "options",
    "forced": SHARE,
    "unfinished": SHARE,
    "failed": SHARE,
}
"""The measures of every ruleset, each with its unit; a share is a part of 1."""
OWN = "number"
"""The unit of what the rules measure themselves; a truth is a share."""


@dataclass(frozen=True, slots=True)
class Course:
    """The course of a game that was played, or begun."""

    played: Played | None
    """None if it has ended in an error."""
    sizes: Sequence[int]
    """The number of options at each decision."""
    fired: Sequence[int]
    """The number of uses of each rule."""


Value = float | None
_Reader = Callable[[Course], Value]


class MeasureReader:
    """The measures of an arm: their names, and their values of a game."""

    def __init__(self, arm: Arm, wanted: Sequence[str] = ()) -> None:
        """Those that are `wanted`, by name or by that of their family, as far as the arm has them; without any all but
        queries that are no measures."""
        self._arm = arm
        self._readers: dict[str, tuple[str, _Reader]] = {}
        self._queries = _asked_of(arm)
        self._collect()
        for name in [one for one in wanted if one in self._queries] or arm.game.measures:
            self._add_query(self._queries[name])
        if wanted:
            self._readers = {name: one for name, one in self._readers.items() if {name, family(name)} & {*wanted}}

    def require(self, name: str) -> None:
        """RulesetError if the arm has no such measure."""
        if name in self._queries or any(name in (one, family(one)) for one in self._readers):
            return
        known = [*self._readers, *{family(one): None for one in self._readers}, *self._queries]
        hint = did_you_mean(name, known) or f"there are {listing([*UNITS, *self._queries], 30)}"
        raise wrong(f"`{name}` is no measure of `{self._arm.name}`, and no query about the game or a player", hint)

    @property
    def units(self) -> dict[str, str]:
        """The names of the measures, each with its unit."""
        return {name: unit for name, (unit, _) in self._readers.items()}

    def values(self, course: Course) -> tuple[Value, ...]:
        """The values of a game."""
        return tuple(read(course) for _, read in self._readers.values())

    # ------------------------------------------------------------------------------------------ of every ruleset

    def _collect(self) -> None:
        arm, game = self._arm, self._arm.game
        seats = range(game.players)
        groups: dict[str, tuple[int, ...]] = {f"seat {seat + 1}": (seat,) for seat in seats}
        if len(set(arm.seats)) > 1:
            for word in dict.fromkeys(arm.seats):
                groups[word] = tuple(seat for seat in seats if arm.seats[seat] == word)
        for who, group in groups.items():
            self._add(f"{WINS}({who})", WINS, _finished(lambda one, group=group: _won(one, group)))  # type: ignore[misc]
        for who, group in groups.items():
            self._add(f"{PAYOFF}({who})", PAYOFF, _finished(lambda one, group=group: _paid(one, group)))  # type: ignore[misc]
        if game.players > 1:
            fair = Fraction(1, game.players)
            self._add("first_seat_advantage", "", _finished(lambda one: _won(one, (0,), fair)))
            self._add("payoff_spread", "", _finished(lambda one: pstdev(map(float, one.payoffs))))
        self._add("ties", "", _finished(lambda one: float(one.result is not None and one.result.drawn)))
        self._add("decisions", "", lambda course: None if course.played is None else float(course.played.decisions))
        if game.program.move in game.rule_names:
            move = game.rule_names.index(game.program.move)
            self._add("moves", "", _finished_course(lambda course: float(course.fired[move])))
        self._add("options", "", lambda course: fmean(course.sizes) if course.sizes else None)
        self._add("forced", "", lambda course: fmean(s == 1 for s in course.sizes) if course.sizes else None)
        self._add("unfinished", "", lambda course: float(course.played is not None and not course.played.finished))
        self._add("failed", "", lambda course: float(course.played is None))

    def _add(self, name: str, unit_of: str, read: _Reader) -> None:
        self._readers[name] = UNITS[unit_of or name], read

    # ------------------------------------------------------------------------------------------ of this ruleset

    def _add_query(self, query: QueryDef) -> None:
        name = query.name
        unit = SHARE if query.ty.kind == "bool" else OWN
        if not query.params:
            self._readers[name] = unit, _finished(lambda one: float(one.state.ask(name)))
            return
        for number, key in enumerate(self._arm.game.seats):
            read = _finished(lambda one, key=key: float(one.state.ask(name, key)))  # type: ignore[misc]
            self._readers[f"{name}(seat {number + 1})"] = unit, read


def family(name: str) -> str:
    """The name of a measure without whom it is about: ``wins`` of ``wins(seat 1)``."""
    return name.partition("(")[0]


def _asked_of(arm: Arm) -> dict[str, QueryDef]:
    """The queries that give a number or a truth, of the whole game or of a player."""
    found = {}
    for query in arm.game.program.queries:
        alone = [slot.ty.universe for slot in query.params] in ([], ["Player"])
        if query.name.isidentifier() and alone and query.ty.kind in ("int", "bool") and not query.ty.optional:
            found[query.name] = query
    return found


def _finished(read: Callable[[Played], float]) -> _Reader:
    return lambda course: read(course.played) if course.played is not None and course.played.finished else None


def _finished_course(read: Callable[[Course], float]) -> _Reader:
    return lambda course: read(course) if course.played is not None and course.played.finished else None


def _won(played: Played, seats: Iterable[int], fair: Fraction = Fraction(0)) -> float:
    """The mean part of a first place that some seats have, less what is `fair`: those who share it have equal parts."""
    first = [place == 1 for place in played.places]
    result = played.result
    shared = sum(first) + (len(result.parties) if result is not None else 0)
    parts = [Fraction(int(first[seat]), max(1, shared)) - fair for seat in seats]
    return float(sum(parts) / len(parts))


def _paid(played: Played, seats: Iterable[int]) -> float:
    payoffs = [played.payoffs[seat] for seat in seats]
    return float(sum(payoffs) / len(payoffs))
