"""Answers in any order, where several decide at once.

The rules ask those who decide at once one after the other, and nothing that one decides makes a difference to the
others. So any of them may answer first: the answer is kept, ahead of their turn, and given when it comes. Until
then they decide in a turn that is taken alone: with their own answers, on the cells as the
others have left them. A game is the same whatever the order, in its log, too.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Generic, Protocol, Self, TypeVar

from rulewright.engine.evaluator.evaluated_program import Question
from rulewright.engine.evaluator.registers import ASK, DECIDED
from rulewright.engine.runtime.machine import Engine
from rulewright.engine.runtime.records import LogEntry, Mode
from rulewright.engine.runtime.simultaneous_node import SimultaneousNode
from rulewright.foundation.lazy_dataclass import dataclass

EarlyAnswers = tuple[tuple[int, tuple[LogEntry, ...]], ...]
"""The answers that were given ahead, by the turns to which they belong, in the order of these."""


S = TypeVar("S")


@dataclass(frozen=True, slots=True)
class SimultaneousTurn(Generic[S]):
    """The standing of a state that is decided, or was answered, out of order."""

    base: S
    """The state in which only those have answered whose turn has come."""
    ahead: EarlyAnswers
    turn: int
    """The turn of the one who decides."""


class Playable(Protocol):
    """A state, as far as it is played on here."""

    engine: Engine
    cells: list[int]
    stack: list[int]
    base: int
    status: int
    mode: Mode
    given: int
    simultaneous_turn: SimultaneousTurn[Self] | None

    @property
    def question(self) -> Question | None:
        """The compiled question of the decision."""

    @property
    def seat(self) -> int | None:
        """The player to decide."""

    @property
    def simultaneous_node(self) -> SimultaneousNode | None:
        """The players who decide at once, if one of them has to decide."""

    def choose(self, answer: str) -> Self:
        """The state after an answer."""

    def entry(self, key: str) -> LogEntry:
        """The entry of the log for an answer."""

    def answered_alone(self, key: str) -> Self:
        """The state after an answer, in a turn that ends without those of the others."""


State = TypeVar("State", bound=Playable)
Advance = Callable[..., State]
"""The function that runs a state on: ``advance``."""


def in_turn(state: State, turn: int, advance: Advance[State]) -> State | None:
    """The state in which it is the turn of another one; None if no question is left in it."""
    base, ahead = (
        (state, ())
        if state.simultaneous_turn is None
        else (state.simultaneous_turn.base, state.simultaneous_turn.ahead)
    )
    return _focused(base, ahead, turn, advance)


def open_turns(state: State, advance: Advance[State]) -> Iterator[State]:
    """The states in which each of those who have still to decide has their turn."""
    base = state if state.simultaneous_turn is None else state.simultaneous_turn.base
    found = base.simultaneous_node
    if found is None:
        return
    seats = set()
    for turn in range(found.position(base.stack), len(found.members(base.stack))):
        here = in_turn(state, turn, advance)
        if here is not None and here.seat not in seats:
            seats.add(here.seat)
            yield here


def decided_in(world: State, state: State, player: str, advance: Advance[State]) -> State:
    """A world that a player imagines, with what they have answered in a state ahead of their turn, and whose turn it is
    there."""
    assert state.simultaneous_turn is not None
    own = tuple((turn, given) for turn, given in state.simultaneous_turn.ahead if given[0].who == player)
    found = restored(world, own, advance)
    return in_turn(found, state.simultaneous_turn.turn, advance) or found


def answered(state: State, key: str, advance: Advance[State]) -> State:
    """The state after an answer in a turn that is not the next one, or with answers given ahead."""
    assert state.simultaneous_turn is not None
    base, ahead, turn = state.simultaneous_turn.base, dict(state.simultaneous_turn.ahead), state.simultaneous_turn.turn
    found = base.simultaneous_node
    assert found is not None
    if turn == found.position(base.stack):
        return _go_on(base.choose(key), ahead, advance)
    ahead[turn] = (*ahead.get(turn, ()), state.entry(key))
    now = tuple(sorted(ahead.items()))
    here = _focused(base, now, turn, advance) or _focused(base, now, found.position(base.stack), advance)
    assert here is not None
    return here


def _go_on(base: State, ahead: dict[int, tuple[LogEntry, ...]], advance: Advance[State]) -> State:
    """Give the answers whose turn has come."""
    while ahead and (found := base.simultaneous_node) is not None:
        given = ahead.pop(found.position(base.stack), None)
        if given is None:
            break
        for entry in given:
            base = base.choose(entry.key)
    if not ahead or base.simultaneous_node is None:
        return base
    here = _focused(base, tuple(sorted(ahead.items())), base.simultaneous_node.position(base.stack), advance)
    assert here is not None
    return here


def restored(base: State, ahead: EarlyAnswers, advance: Advance[State]) -> State:
    """The state with some answers given ahead."""
    return _go_on(base, dict(ahead), advance)


def _focused(base: State, ahead: EarlyAnswers, turn: int, advance: Advance[State]) -> State | None:
    found = base.simultaneous_node
    assert found is not None
    now = found.position(base.stack)
    if turn == now and not ahead:
        return base
    cells = list(base.cells)
    for other, given in ahead:
        if other != turn:
            _taken(base, cells, other, given, advance)
    if turn == now:
        question = base.question
        assert question is not None
        mode = Mode(base.mode.ask_chance, base.mode.whole)
        here = advance(base.engine, cells, list(base.stack), base.base, question.block, mode, None, alone=True)
    else:
        here = _taken(base, cells, turn, dict(ahead).get(turn, ()), advance)
    if here.status != ASK:
        return None
    here.simultaneous_turn = SimultaneousTurn(base, ahead, turn)
    here.given = base.given + sum(len(given) for _, given in ahead)
    return here


def _taken(base: State, cells: list[int], turn: int, given: tuple[LogEntry, ...], advance: Advance[State]) -> State:
    """A turn, taken alone on these cells as far as these answers lead."""
    found = base.simultaneous_node
    assert found is not None
    stack, block = found.beginning(base.stack, turn)
    mode = Mode(base.mode.ask_chance, base.mode.whole)
    here = advance(base.engine, cells, stack, found.frame.base, block, mode, None, alone=True)
    for entry in given:
        if here.status == DECIDED:
            break
        here = here.answered_alone(entry.key)
    cells[:] = here.cells
    return here
