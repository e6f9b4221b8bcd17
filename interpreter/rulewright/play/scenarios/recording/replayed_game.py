"""Plays a game again with chance as a decision, and from the procedures at which a scenario can begin."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

from rulewright.diagnostics import RulesetError
from rulewright.engine import Decision, Engine, Mode, Option, Position, State
from rulewright.engine.runtime.records import RULES, LogEntry
from rulewright.engine.states.state import advance
from rulewright.ir import model as m
from rulewright.play.scenarios.recording.scenario_lines import Answer
from rulewright.play.scenarios.recording.state_diff import Laid, differences, lay


@dataclass(frozen=True, slots=True)
class Moment:
    """A procedure begins."""

    before: int
    """The number of decisions answered before."""
    function: str
    args: tuple[int, ...]
    """Raw values of its parameters."""
    cells: list[int]
    """The cells of all that could be seen; not to be changed."""


_ALONE = threading.RLock()
"""Held by the listener: games in other threads may have the same engine."""


class Listener:
    """Notes the beginnings of some procedures of an engine, as long as it is `awake`, in the thread that listens."""

    def __init__(self, engine: Engine, functions: Iterable[str], listener: Callable[[str, list[int], list[int]], None]):
        self.engine = engine
        self.functions = tuple(functions)
        self.listener = listener
        self.awake = False

    @contextmanager
    def listening(self) -> Iterator[None]:
        """In here the engine's first blocks of those procedures notify it."""
        compiled = self.engine.compiled
        numbers = [compiled.entries[compiled.ctx.functions[name]] for name in self.functions]
        with _ALONE:
            before = [compiled.blocks[number] for number in numbers]
            for number, name, block in zip(numbers, self.functions, before, strict=True):
                compiled.blocks[number] = self._observed(name, block)
            try:
                yield
            finally:
                for number, block in zip(numbers, before, strict=True):
                    compiled.blocks[number] = block

    def _observed(self, name: str, block: Callable[[list[int], list[int], Any], int]) -> Any:
        thread = threading.get_ident()

        def observed(C: list[int], S: list[int], R: Any) -> int:
            if self.awake and threading.get_ident() == thread:
                self.listener(name, C, S[R.base : R.base + params])
            return block(C, S, R)

        compiled = self.engine.compiled
        number = compiled.ctx.functions[name]
        params = compiled.offsets[number][self.engine.program.functions[number].params]
        return observed


def startable(program: m.Program) -> tuple[str, ...]:
    """The procedures with which a scenario could begin: those whose parameters can be written down."""
    return tuple(
        f.name
        for f in program.functions
        if f.word == "procedure" and f.name.isidentifier() and all(_writable(slot.ty) for slot in f.slots[: f.params])
    )


def _writable(ty: m.Ty) -> bool:
    return ty.kind in ("entity", "int", "bool") and ty.universe != "Piece"


Value = int | tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Beginning:
    """A procedure with which a scenario may begin, and the position that it lays out before."""

    before: int
    """The number of answers that were given before, chance included."""
    function: str
    args: tuple[Value, ...]
    laid: tuple[Laid, ...]


@dataclass(frozen=True, slots=True)
class ReplayedGame:
    """The answers of a game or of its end, with the state after them."""

    beginning: Beginning
    answers: tuple[Answer, ...]
    last: State


def answer_count(state: State) -> int:
    """The number of answers that have led to a state, chance included."""
    return sum(entry.who != RULES for entry in state.log)


def replayed_game(state: State) -> tuple[ReplayedGame, list[Moment]]:
    """The game that has led to a state, and the procedures that began on the way.

    RulesetError if its log does not lead there: a save of a position, for instance.
    """
    engine, program = state.engine, state.engine.program
    moments: list[Moment] = []
    answers: list[Answer] = []

    def record_call(function: str, cells: list[int], args: list[int]) -> None:
        moments.append(Moment(len(answers), function, tuple(args), list(cells)))

    origin, listener = state.mode.origin, Listener(engine, startable(program), record_call)
    with listener.listening():
        listener.awake = True
        if origin is None:
            beginning = Beginning(0, program.main, (), ())
            cells, stack = engine.begin(state.cells[engine.layout.seed])
            block = engine.push(stack, program.main, ())
            here = advance(engine, cells, stack, 3, block, Mode(True, True), None)
        else:
            beginning = _entered(engine, origin.cells, origin.stack)
            mode = Mode(True, False, origin=origin)
            here = advance(engine, list(origin.cells), list(origin.stack), 3, origin.block, mode, None)
        for entry in state.log:
            if entry.who == RULES:
                continue
            here = _turned(here, entry)
            decision = here.decision
            option = None if decision is None else next((o for o in decision.options if o.key == entry.key), None)
            if decision is None or option is None:
                break
            answers.append(Answer(here, decision, option))
            here = here.choose(option)
    return ReplayedGame(beginning, tuple(answers), here), moments


def _turned(state: State, entry: LogEntry) -> State:
    """The state of the decision of the player who has answered, where several decide at once."""
    decision = state.decision
    if decision is None or decision.seat is None or decision.who == entry.who:
        return state
    return state.turn_of(entry.who) or state


def _entered(engine: Engine, cells: Sequence[int], stack: Sequence[int]) -> Beginning:
    """The call with which a game begins that was entered from a position."""
    number = stack[0]
    function, offsets = engine.program.functions[number], engine.compiled.offsets[number]
    args = tuple(_value(slot.ty, stack, 3 + offsets[at]) for at, slot in enumerate(function.slots[: function.params]))
    return Beginning(0, function.name, args, tuple(differences(engine, cells)))


def _value(ty: m.Ty, stack: Sequence[int], at: int) -> Value:
    return tuple(stack[at + 1 : at + 1 + stack[at]]) if ty.kind == "list" else stack[at]


def beginnings(game: ReplayedGame, moments: Sequence[Moment], begin: int) -> Iterator[Beginning]:
    """The procedures with which the end of a game may begin, the latest first; the game itself is the last one."""
    engine = game.last.engine
    for moment in reversed(moments):
        if 0 < moment.before <= begin:
            yield Beginning(moment.before, moment.function, moment.args, tuple(differences(engine, moment.cells)))
    yield game.beginning


def replayed_from(game: ReplayedGame, beginning: Beginning) -> ReplayedGame | None:
    """The end of a game, played from a position that is laid out; None if it goes another way there."""
    position = Position(game.last.engine.program, 0, ask_chance=True)
    answers: list[Answer] = []
    try:
        if not lay(position, beginning.laid):
            return None
        state = position.enter(beginning.function, beginning.args)
        for given in game.answers[beginning.before :]:
            if state.seat not in (None, given.decision.seat):
                state = state.turn_of(given.decision.who) or state
            decision = state.decision
            option = None if decision is None else _same(decision, given)
            if decision is None or option is None:
                return None
            answers.append(Answer(state, decision, option))
            state = state.choose(option)
    except RulesetError:
        return None
    return ReplayedGame(beginning, tuple(answers), state)


def _same(decision: Decision, given: Answer) -> Option | None:
    """The option that an answer given elsewhere means here."""
    return matching(decision, given) if given.decision_key == (decision.who, decision.name) else None


def matching(decision: Decision, answer: Answer) -> Option | None:
    """The option of the same question that an answer given elsewhere means here."""
    same = [option for option in decision.options if option.key == answer.option.key]
    if not same:
        same = [o for o in decision.options if o.extra == answer.option.extra and o.key.split(" in ")[0] == answer.key]
    return same[0] if same else None


def asks_the_same(one: State, other: State) -> bool:
    """True if two states rest at the same question, or both games are over in the same way."""
    if one.decision is None or other.decision is None:
        return one.decision is None and other.decision is None and one.result == other.result
    return (one.decision.who, one.decision.name) == (other.decision.who, other.decision.name)
