"""Measures of single games: what is known of every ruleset, its own measures, and queries that are evaluated at the
end.

Each game gives a number for each measure, or NaN where the measure is undefined, as of the winner of a game that was
stopped. What they mean, their units and ranges stand in ``docs/reference/measures.md``.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from typing import TYPE_CHECKING, Any

from rulewright.diagnostics import did_you_mean, listing
from rulewright.ir import QueryDef
from rulewright_lab.agents.words import wrong
from rulewright_lab.experiments.arms import Arm
from rulewright_lab.experiments.columns.game_columns import FAILED, UNFINISHED, GameColumns, Query
from rulewright_lab.experiments.columns.wanted import FORMS, USED, USES, Wanted

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from rulewright_lab.experiments.columns.game_columns import Column

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


EVERYTHING = Wanted()
"""All that is measured by default."""
_Reader = Callable[[GameColumns], "Column"]


class MeasureReader:
    """The measures of an arm: their names, and their values of a game."""

    def __init__(self, arm: Arm, wanted: Wanted = EVERYTHING) -> None:
        """Readers of the measures that are `wanted`, by name or family, as far as the arm has them; without any all but
        queries that are no measures."""
        self._arm = arm
        self._readers: dict[str, tuple[str, _Reader]] = {}
        self._queries = askable(arm)
        self._at_the_end: dict[str, Query] = {}
        self._collect()
        names = {*wanted.names}
        for name in [one for one in wanted.names if one in self._queries] or arm.game.measures:
            self._add_query(self._queries[name])
        if names:
            self._readers = {name: one for name, one in self._readers.items() if {name, family(name)} & names}
        self._collect_uses({*wanted.uses})
        self._needs_courses = wanted.observes and bool(arm.agents)

    def require(self, name: str) -> None:
        """RulesetError if the arm has no such measure."""
        meant = Wanted.read((name,))
        if meant.besides:
            hint = "ask for it with --measure where arms are compared"
            raise wrong(f"`{name}` is not found for single games as measures are", hint)
        if meant.uses:
            self._require_rule(name)
            return
        if name in self._queries or any(name in (one, family(one)) for one in self._readers):
            return
        known = [*self._readers, *{family(one): None for one in (*self._readers, *FORMS)}, *self._queries]
        possible = listing([*UNITS, *self._queries], 30)
        hint = did_you_mean(name, known) or f"there are {possible}; and on demand {listing([*FORMS], 30)}"
        raise wrong(f"`{name}` is no measure of `{self._arm.name}`, and no query about the game or a player", hint)

    def _require_rule(self, name: str) -> None:
        rule, rules = name.partition("(")[2].removesuffix(")"), self._arm.game.rule_names
        if rule and rule not in rules:
            hint = did_you_mean(rule, rules) or f"there are {listing([*rules], 30)}"
            raise wrong(f"`{name}`: `{self._arm.name}` has no such rule", hint)

    @property
    def units(self) -> dict[str, str]:
        """The names of the measures, each with its unit."""
        return {name: unit for name, (unit, _) in self._readers.items()}

    @property
    def queries(self) -> tuple[Query, ...]:
        """The queries to be evaluated at the end of each game."""
        return tuple(query for name, query in self._at_the_end.items() if name in self._readers)

    @property
    def needs_options(self) -> bool:
        """True if a measure reads the numbers of options."""
        return not {"options", "forced"}.isdisjoint(self._readers)

    @property
    def needs_courses(self) -> bool:
        """True if a measure looks at each decision, so that games are played one by one."""
        return self._needs_courses

    def columns(self, games: GameColumns) -> dict[str, Column]:
        """For each measure its values, NaN where it is undefined."""
        import numpy as np

        with np.errstate(divide="ignore", invalid="ignore"):
            return {name: read(games) for name, (_, read) in self._readers.items()}

    # ------------------------------------------------------------------------------------------ of every ruleset

    def _collect(self) -> None:
        arm, game = self._arm, self._arm.game
        seats = range(game.players)
        groups: dict[str, tuple[int, ...]] = {f"seat {seat + 1}": (seat,) for seat in seats}
        if len(set(arm.seats)) > 1:
            for word in dict.fromkeys(arm.seats):
                groups[word] = tuple(seat for seat in seats if arm.seats[seat] == word)
        for who, group in groups.items():
            self._add(f"{WINS}({who})", WINS, partial(_won, seats=group))
        for who, group in groups.items():
            self._add(f"{PAYOFF}({who})", PAYOFF, partial(_paid, seats=group))
        if game.players > 1:
            self._add("first_seat_advantage", "", partial(_won, seats=(0,), fair=game.players))
            self._add("payoff_spread", "", _payoff_spread)
        self._add("ties", "", lambda games: _of_finished(games, games.drawn))
        self._add("decisions", "", lambda games: _where(games.status != FAILED, games.decisions))
        if game.program.move in game.rule_names:
            move = game.rule_names.index(game.program.move)
            self._add("moves", "", lambda games: _of_finished(games, games.uses[move]))
        self._add("options", "", lambda games: games.options / games.decisions)
        self._add("forced", "", lambda games: games.forced / games.decisions)
        self._add("unfinished", "", lambda games: (games.status == UNFINISHED).astype(float))
        self._add("failed", "", lambda games: (games.status == FAILED).astype(float))

    def _collect_uses(self, names: set[str]) -> None:
        for number, rule in enumerate(self._arm.game.rule_names):
            if names & {USES, f"{USES}({rule})"}:
                read = partial(_used, rule=number)
                self._readers[f"{USES}({rule})"] = "uses", read
        for number, rule in enumerate(self._arm.game.rule_names):
            if names & {USED, f"{USED}({rule})"}:
                read = partial(_used, rule=number, most=1)
                self._readers[f"{USED}({rule})"] = SHARE, read

    def _add(self, name: str, unit_of: str, read: _Reader) -> None:
        self._readers[name] = UNITS[unit_of or name], read

    # ------------------------------------------------------------------------------------------ of this ruleset

    def _add_query(self, query: QueryDef) -> None:
        name = query.name
        unit = SHARE if query.ty.kind == "bool" else OWN
        seats = range(self._arm.game.players) if query.params else (None,)
        for seat in seats:
            key: Query = name, seat
            measure = name if seat is None else f"{name}(seat {seat + 1})"
            self._at_the_end[measure] = key
            self._readers[measure] = unit, lambda games, key=key: _of_finished(games, games.answers_to[key])  # type: ignore[misc]


def family(name: str) -> str:
    """The name of a measure without whom it is about: ``wins`` of ``wins(seat 1)``."""
    return name.partition("(")[0]


def askable(arm: Arm) -> dict[str, QueryDef]:
    """The queries that give a number or a truth, of the whole game or of a player."""
    found = {}
    for query in arm.game.program.queries:
        alone = [slot.ty.universe for slot in query.params] in ([], ["Player"])
        if query.name.isidentifier() and alone and query.ty.kind in ("int", "bool") and not query.ty.optional:
            found[query.name] = query
    return found


def _where(known: NDArray[np.bool_], values: NDArray[Any]) -> Column:
    """Values where they are known."""
    import numpy as np

    return np.where(known, values, np.nan)


def _of_finished(games: GameColumns, values: NDArray[Any]) -> Column:
    return _where(games.finished, values)


def _used(games: GameColumns, rule: int, most: int | None = None) -> Column:
    uses = games.uses[rule]
    return _of_finished(games, uses if most is None else uses.clip(max=most))


def _won(games: GameColumns, seats: tuple[int, ...], fair: int = 0) -> Column:
    """The mean part of a first place that some seats have, those who share it have equal parts; less what is fair among
    so many. All is one division of whole numbers, so that nothing but its result is rounded."""
    first = sum((games.places[seat] == 1).astype(int) for seat in seats)
    shared = games.shared.clip(1) * len(seats)
    return _of_finished(games, (first * fair - shared) / (shared * fair) if fair else first / shared)


def _paid(games: GameColumns, seats: tuple[int, ...]) -> Column:
    return _of_finished(games, sum(games.payoffs[seat] for seat in seats) / len(seats))


def _payoff_spread(games: GameColumns) -> Column:
    """The standard deviation over the seats, summed up seat by seat: numpy adds in an order that depends on the number
    of games."""
    count = len(games.payoffs)
    mean = sum(games.payoffs) / count
    return _of_finished(games, (sum((one - mean) ** 2 for one in games.payoffs) / count) ** 0.5)
