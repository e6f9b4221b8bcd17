"""Instructions that show an answer: what is done with it before the rules rest again.

Where an answer goes hangs on the way that is taken. So a run notes what is done, and here it is found whether that
reveals the answer: whether the slots that are read then hold it, whatever way has led there from the question (forward
data flow with sets of states, as in property simulation). What is only done because of an answer shows something of it,
but not what it was.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from rulewright.foundation.lazy_dataclass import dataclass
from rulewright.foundation.reachability import reachable
from rulewright.ir import model as m
from rulewright.ir.control_flow.control_flow_graph import (
    EXIT,
    NO_SLOTS,
    CallGraph,
    Slots,
    successors,
    uses_and_definitions,
)
from rulewright.ir.control_flow.graph_algorithms import Fixpoint
from rulewright.knowledge.answers.answer_flow import Answers, is_carried
from rulewright.knowledge.answers.sinks import Sink
from rulewright.knowledge.answers.unobserved_paths import slots_after


@dataclass(frozen=True, slots=True)
class Carried:
    """An answer that slots of a function hold from an instruction on."""

    function: str
    start: int
    held: Slots
    piece: bool


_State = tuple[int, Slots]
"""An instruction, and the slots that hold it before that is carried out."""

_States = frozenset[_State]


class RevealedAnswers:
    """Finds what an instruction reveals of an answer that is still on its way."""

    def __init__(self, program: m.Program, answers: Answers) -> None:
        self._functions = {f.name: f for f in program.functions}
        self._answers = answers
        self._calls = CallGraph(program.functions)
        self._known: dict[Carried, _States] = {}
        self._states: Fixpoint[Carried, _States] = Fixpoint(
            self._search,
            frozenset(),
            lambda key: self._calls.cycle(key.function),
            lambda key: self._known,
            len,
        )

    def traces_of(self, carried: Carried, chain: Sequence[tuple[str, int]]) -> list[tuple[Sink, ...]]:
        """The traces of an instruction, for each way that leads to it: one is empty if it may reveal nothing.

        `chain` are the function that carries the answer and those that are called from there, each with the instruction
        that it has come to.
        """
        reached = {carried}
        for function, pc in chain[:-1]:
            call = self._functions[function].code[pc]
            if not isinstance(call, m.Call):
                return []
            reached = {self._into(call, one, held) for one in reached for held in self._at(one, pc)}
        _, pc = chain[-1]
        return [self._traces(one, pc, held) for one in reached for held in self._at(one, pc)]

    def after_return(self, carried: Carried, pc: int, call: m.Call) -> Slots:
        """The slots of the caller that hold the answer when a function that carries it returns at an instruction."""
        found = [slots_after(call, *end) for end in self._ends(carried, pc)]
        return frozenset.intersection(*found) if found else NO_SLOTS

    def _at(self, carried: Carried, pc: int) -> list[Slots]:
        return [held for at, held in self._states.of(carried) if at == pc]

    def _into(self, call: m.Call, carried: Carried, held: Slots) -> Carried:
        """The parameters that carry it into a function that is called."""
        given = frozenset(n for n, arg in enumerate(call.args) if is_carried(arg, held, carried.piece))
        return Carried(call.function, 0, given, carried.piece)

    def _traces(self, carried: Carried, pc: int, held: Slots) -> tuple[Sink, ...]:
        """The traces of an instruction, if slots hold it."""
        i = self._functions[carried.function].code[pc]
        flow, _ = self._answers.through(carried.function, pc, i, held, NO_SLOTS, carried.piece, None, None)
        return flow.sinks

    def _search(self, carried: Carried) -> _States:
        """The states in which the instructions of a function may be carried out before the rules rest."""
        function = self._functions[carried.function]
        begin: _State = carried.start, carried.held
        return frozenset(reachable((begin,), lambda state: self._after(function, carried, *state)))

    def _after(self, function: m.Function, carried: Carried, pc: int, held: Slots) -> Iterator[_State]:
        if pc >= len(function.code):
            return
        i = function.code[pc]
        ways = successors(i, pc)
        left = held - uses_and_definitions(function)[pc][1]
        afterwards = {left}
        match i:
            case m.Choose():  # without anything to choose they do not rest there
                ways, afterwards = (() if i.on_empty is None else (i.on_empty,)), {held}
            case m.JumpUnless():
                pass
            case m.Call():
                inner = self._into(i, carried, held)
                afterwards = {left | slots_after(i, *end) for end in self._ends(inner)} if inner.held else {left}
            case _ if held:
                _, holds = self._answers.through(function.name, pc, i, held, NO_SLOTS, carried.piece, None, None)
                afterwards = {left | holds}
            case _:
                pass
        for to in ways:
            if to != EXIT:
                yield from ((to, slots) for slots in afterwards)

    def _ends(self, carried: Carried, pc: int | None = None) -> set[tuple[bool, Slots]]:
        """The ways in which a function may return: whether its result carries it, and which parameters do."""
        function = self._functions[carried.function]
        found = set()
        for at, held in self._states.of(carried):
            i = function.code[at] if at < len(function.code) else m.Return(None)
            if isinstance(i, m.Return) and pc in (None, at):
                handed = frozenset(slot for slot in held if slot < function.params)
                found.add((is_carried(i.value, held, carried.piece), handed))
        return found
