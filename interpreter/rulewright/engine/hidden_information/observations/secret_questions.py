"""Secret questions: those that only some players know of.

A further question to a player who has just answered may reveal a secret: what they have answered (the question stands
in an option that was taken, or behind a condition on what was chosen), or what the rules have looked at since (they try
again as long as something hidden stands in their way). So such a question is known to those only who may know all upon
which it depends. To all others it looks as if the one before were still being thought about, however often the same
player decides: how often, and when, reveals nothing.

Nothing is kept from anybody where no question of the same player goes before: another player decided until then, so all
see that the rules have gone on.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from rulewright.engine.hidden_information.answers.audience import has_secrets, observers_of_answer
from rulewright.engine.hidden_information.hidden_state import decider_then
from rulewright.engine.runtime.canonical_form import Frame, frames
from rulewright.engine.runtime.machine import DRAW, Engine
from rulewright.engine.runtime.position import Position
from rulewright.engine.runtime.records import CHANCE, PUBLIC, RULES, LogEntry
from rulewright.foundation.lazy_dataclass import dataclass
from rulewright.ir import model as m
from rulewright.ir.control_flow.control_flow_graph import NO_SLOTS, Slots, control_flow_graph, reads_slot
from rulewright.ir.dataflow.effects import instructions_of
from rulewright.ir.model import NONE
from rulewright.knowledge.answers.public_answers import public_answers
from rulewright.knowledge.secrets.public_flow import public_levels


@dataclass(frozen=True, slots=True)
class UnobservedAnswer:
    """The last questions, as far as a player has not observed them."""

    name: str
    """The question that they know of."""
    entries: int
    """The number of last entries of the log of which they hear only later: the answer to that question, and what has
    followed."""


@dataclass(frozen=True, slots=True)
class _Before:
    """An answer that decides whether a question comes."""

    name: str
    known: int
    """The players who may know it, as a set."""


@dataclass(frozen=True, slots=True)
class _Places:
    """The program around a question, as far as it decides whether that comes."""

    answers: tuple[tuple[int, int, bool], ...]
    """The questions before, each by the number of its frame, its instruction, and whether its words decide."""
    otherwise: bool
    """True if something else decides that not all may know."""


def unobserved_answer(state: Position, player: int | None) -> UnobservedAnswer | None:
    """The questions that a viewer (as of :meth:`State.view`) has not observed; None if they have observed all."""
    if player is None or state.seat == player:
        return None
    if state.status == DRAW:
        return _until_it_rests(state, player)
    if not _may_be_secret(state):
        return None
    before, otherwise = _deciding(state)
    unknown = [one for one in before if player == PUBLIC or not one.known >> player & 1]
    seats = state.engine.layout.universes["Player"].keys
    seat = "" if player == PUBLIC else seats[player]
    if unknown or otherwise:
        believed: UnobservedAnswer | None = state.believed.get(player)
        if believed is not None:
            return believed
        for number, entry in _run(state):
            if is_observed(entry, seat):
                return UnobservedAnswer(entry.name, number)
    if not unknown:
        return None
    number = 0
    for number, entry in enumerate(reversed(state.log), 1):
        if entry.name == unknown[0].name and is_observed(entry, seat):
            return UnobservedAnswer(entry.name, number)
    return UnobservedAnswer(unknown[0].name, number)


def _until_it_rests(state: Position, player: int) -> UnobservedAnswer | None:
    """The answer not observed yet where chance decides: the next question settles who observes it. None where every
    answer is public."""
    if not has_secrets(state.engine) or state.engine.once("all answers are heard", _all_are_heard):
        return None
    seats = state.engine.layout.universes["Player"].keys
    seat = "" if player == PUBLIC else seats[player]
    for number, entry in enumerate(state.entries_back(), 1):
        if entry.who == seat:
            return None
        if entry.who in seats and is_observed(entry, seat):
            return UnobservedAnswer(entry.name, number)
    return None


def _all_are_heard(program: m.Program) -> bool:
    answers = public_answers(program)
    questions = ((f.name, pc, i) for f in program.functions for pc, i in instructions_of(f, (m.Choose,)))
    return all(i.who_is == "player" and answers.known_to_all(name, pc) for name, pc, i in questions)


def who_knows(state: Position, known: int, shown: int) -> int:
    """The players who may know of the question of a state, when it is answered, as a set. `known` are those who may
    know the answer, `shown` those who see where it goes."""
    found = -1
    if state.seat is None or not _may_be_secret(state):
        return found
    before, otherwise = _deciding(state)
    for one in before:
        found &= one.known | shown
    return found & (known | 1 << state.seat) if otherwise and any(_run(state)) else found


def is_observed(entry: LogEntry, seat: str) -> bool:
    """True if a seat may know of the question of an entry."""
    return entry.heard_by is None or seat in entry.heard_by


def _may_be_secret(state: Position) -> bool:
    return state.seat is not None and state.simultaneous_node is None and has_secrets(state.engine)


def _run(state: Position) -> Iterator[tuple[int, LogEntry]]:
    """The answers of the deciding player since another player has answered, the last one first, numbered from the end
    of the log."""
    assert state.seat is not None
    decider = state.engine.layout.key("Player", state.seat)
    for number, entry in enumerate(state.entries_back(), 1):
        if entry.who == decider:
            yield number, entry
        elif entry.who not in (CHANCE, RULES):
            return


def _deciding(state: Position) -> tuple[list[_Before], bool]:
    """The secret answers of the deciding player that led to this question, the first one first; and whether anything
    else does that not all may know."""
    held = list(frames(state.engine, state.stack))
    places = _places(state.engine, tuple((frame.function, frame.pc) for frame in held))
    found = [before for place in places.answers if (before := _before(state, held, *place)) is not None]
    return found, places.otherwise


def _before(state: Position, held: Sequence[Frame], number: int, pc: int, by_word: bool) -> _Before | None:
    engine, frame, player = state.engine, held[number], state.seat
    function = engine.program.functions[frame.function]
    i = function.code[pc]
    assert isinstance(i, m.Choose)
    assert player is not None
    if decider_then(state, frame, pc, stored=not by_word) not in (player, NONE):
        return None  # where it is unknown who has answered, it may have been they
    known = observers_of_answer(engine, state.cells, state.stack, held[: number + 1], pc, player, by_word)
    everyone = (1 << engine.layout.sizes["Player"]) - 1
    return _Before(f"{function.name}.{i.label}", known) if known & everyone != everyone else None


def _places(engine: Engine, at: tuple[tuple[int, int], ...]) -> _Places:
    known = engine.cache("questions before")
    if at not in known:
        known[at] = _find(engine, at)
    found: _Places = known[at]
    return found


def _find(engine: Engine, at: tuple[tuple[int, int], ...]) -> _Places:
    functions = engine.program.functions
    answers: list[tuple[int, int, bool]] = []
    held: list[Slots] = [NO_SLOTS] * len(at)
    """The slots of each frame that hold such answers."""
    for number, (which, pc) in enumerate(at):
        function = functions[which]
        for fork, i in instructions_of(function, (m.Choose,)):
            if fork == pc or i.who_is != "player":
                continue
            if i.extras and pc in control_flow_graph(function).branch(fork):
                answers.append((number, fork, True))
            decides = False
            for further, slots in enumerate(_carried(functions, at[number:], i.into), number):
                held[further] |= slots
                decides = decides or _decides(functions[at[further][0]], at[further][1], slots)
            if decides:
                answers.append((number, fork, False))
    inner, pc = at[-1]  # the question of a public answer is public
    aloud = engine.once("public answers", public_answers).known_to_all(functions[inner].name, pc)
    otherwise = not aloud and any(
        _decided_otherwise(engine, functions[which], pc, slots) for (which, pc), slots in zip(at, held, strict=True)
    )
    return _Places(tuple(answers), otherwise)


def _carried(functions: Sequence[m.Function], at: Sequence[tuple[int, int]], into: int) -> Iterator[Slots]:
    """The slots of each frame, from one with an answer in a slot, that hold it or what was made of it."""
    held: Slots = frozenset((into,))
    for which, pc in at:
        function = functions[which]
        held = _with_copies(function, held)
        yield held
        call = function.code[pc]
        held = frozenset(
            n for n, arg in enumerate(call.args if isinstance(call, m.Call) else ()) if reads_slot(arg, held)
        )
        if not held:
            return


def _decides(function: m.Function, pc: int, held: Slots) -> bool:
    """True if some slots decide whether the rules come to an instruction."""
    return any(
        reads_slot(jump.condition, held) and pc in control_flow_graph(function).branch(fork)
        for fork, jump in instructions_of(function, (m.JumpUnless,))
    )


def _decided_otherwise(engine: Engine, function: m.Function, pc: int, held: Slots) -> bool:
    """True if it depends on what not all may know whether the rules come to an instruction, and on more than some slots
    hold. Of a question that comes again and again, its own answer is such a thing."""
    levels = engine.once("levels of questions", lambda program: public_levels(program, announcing=False))[function.name]
    for fork in levels.deciding(pc):
        i = function.code[fork]
        answered = isinstance(i, m.Choose) and fork != pc and bool(i.extras)
        if not (levels.follows(i.condition, held) if isinstance(i, m.JumpUnless) else answered):
            return True
    return False


def _with_copies(function: m.Function, held: Slots) -> Slots:
    while True:
        more = {i.slot for _, i in instructions_of(function, (m.SetLocal, m.Append)) if reads_slot(i.value, held)}
        if more <= held:
            return held
        held |= more
