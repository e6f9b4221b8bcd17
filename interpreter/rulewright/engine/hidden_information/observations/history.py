"""The observation history of a player, in order.

Two positions that a player cannot distinguish, with all they remember, lie in one *information set*: they are those
with the same history. A view is what of it is to be seen now, so it never shows more (H. W. Kuhn, *Extensive games and
the problem of information*, Contributions to the Theory of Games II, 1953: perfect recall).

Nothing is kept while a game is played: the history is found by playing the log again, chance by chance. The number of
chance events is no observation, only what was seen or logged of them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from copy import copy
from typing import Any

from rulewright.diagnostics import RulesetError
from rulewright.engine.hidden_information.observations.log_visibility import (
    observe,
    seat_of,
    still_secret,
    still_unobserved,
)
from rulewright.engine.hidden_information.observations.views import view
from rulewright.engine.runtime.machine import DRAW
from rulewright.engine.runtime.position import Position
from rulewright.engine.runtime.records import CHANCE, RULES, Heard, LogEntry, Mode, Origin

Go = Callable[..., Any]
"""The function that runs a state on: ``advance``."""


def history(state: Position, player: int | None, advance: Go) -> tuple[dict[str, Any], ...]:
    """The implementation of :meth:`State.history`."""
    observer = Observer(state, player)
    found: list[dict[str, Any]] = []
    for point, _ in played_again(state, advance) or [(state, [])]:
        found += observer.look(point)
    return tuple(found)


def played_again(state: Position, advance: Go) -> list[tuple[Any, list[Any]]]:
    """The states of a game from its beginning, with every outcome of chance as a step, each with the lines of the rules
    on the way to it; none if its log is of another game, as with worlds that were imagined."""
    entries_told: list[Any] = []
    played: list[tuple[Any, list[Any]]] = []
    try:
        for point in _again(state, advance, entries_told):
            played.append((point, list(entries_told)))
            entries_told.clear()
    except (RulesetError, IndexError):
        return []
    return played if _same(played[-1][0].in_order, state.in_order) else []


def origin_of(state: Position) -> Origin:
    """The cells, stack and block with which a game began, before any rule was carried out."""
    engine = state.engine
    if state.mode.origin is not None:
        return state.mode.origin
    cells, stack = engine.begin(state.cells[engine.layout.seed])
    return Origin(cells, stack, engine.push(stack, engine.program.main, ()))


def _again(state: Position, advance: Go, entries_told: list[Any]) -> Iterator[Any]:
    """The states of a game from its beginning, with every outcome of chance as a step."""
    engine, origin = state.engine, origin_of(state)
    mode = Mode(True, state.mode.whole, announcements=entries_told, origin=state.mode.origin)
    point = advance(engine, list(origin.cells), list(origin.stack), 3, origin.block, mode, None)
    yield point
    for entry in state.log:
        if entry.who != RULES:
            point = point.choose(entry.key, None if entry.who == CHANCE else entry.who)
            yield point


def _same(one: Position, other: Position) -> bool:
    """True if two states are the same but for the chance that is to come."""
    chance = {one.engine.layout.seed, *one.engine.layout.counters.values()}
    pairs = enumerate(zip(one.cells, other.cells, strict=True))
    return one.stack == other.stack and all(a == b for at, (a, b) in pairs if at not in chance)


class Observer:
    """A player or spectator who looks at each state of a game from the first one on."""

    def __init__(self, state: Position, player: int | None) -> None:
        self.player = player
        self.seat = seat_of(state, player)
        self.before: dict[str, Any] = {}
        self.entries: list[LogEntry] = []
        self.secret: list[int] = []
        """The entries whose answer was not revealed yet."""
        self.observed: list[int] = []
        """The numbers in the log of those entries that were observed at the last look, in the order in which it gave
        them.
        """

    def copy(self) -> Observer:
        """Another one who has seen the same."""
        found = copy(self)
        found.entries, found.secret, found.observed = list(self.entries), list(self.secret), []
        return found

    def look(self, state: Position) -> Iterator[dict[str, Any]]:
        """The entries that are new to them."""
        self.observed = []
        for number, observed in self._listen(state):
            self.observed.append(number)
            yield {"who": observed.who, "name": observed.name, "key": observed.key}
        seen = view(state, self.player)
        if state.status == DRAW:
            seen["decision"] = self.before.get("decision")
        for part, now in seen.items():
            before = self.before.get(part)
            if part in ("fields", "zones") and before is not None:
                for name in dict.fromkeys((*before, *now)):
                    if before.get(name) != now.get(name):
                        yield {"seen": f"{part} {name}", "now": now.get(name)}
            elif before != now:
                yield {"seen": part, "now": now}
        for part in self.before:
            if part not in seen:
                yield {"seen": part, "now": None}
        self.before = seen

    def _listen(self, state: Position) -> Iterator[tuple[int, Heard]]:
        log = state.log
        new = log[len(self.entries) : len(log) - still_unobserved(state, log, self.player)]
        self.entries += new
        secret = len(self.entries) - still_secret(state)
        for number in self.secret:
            if number < secret:
                observed = observe(self.entries[number], self.seat, False)
                if observed is not None and observed.key is not None:
                    yield number, observed
        first = len(self.entries) - len(new)
        for number, entry in enumerate(new, first):
            observed = observe(entry, self.seat, number >= secret)
            if observed is not None:
                yield number, observed
        waiting = [n for n in (*self.secret, *range(first, len(self.entries))) if n >= secret]
        self.secret = [n for n in waiting if self.seat is not None and self.entries[n].who != self.seat]
