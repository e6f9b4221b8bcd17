"""The flow of answers: the zones and fields from which an answer can be inferred.

Who may know an answer follows from the declarations. A card from a hand that is moved to another hand is known to those
who see one of the two; a bid that only goes into a field is known to those who see the field; what goes nowhere hidden
is public. So an answer is followed from the slot it is stored in, instruction by instruction and into what is called
(forward data flow over the control-flow graph, as for reaching definitions), and each place where it leaves the slots
is a :class:`Sink`. What lies in a branch that depends on an answer (control dependence: what is between the branch and
its immediate postdominator) is a sink, too.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Collection, Hashable, Iterable, Iterator
from dataclasses import field
from heapq import heappop, heappush
from typing import Any, TypeVar, assert_never, cast

from rulewright.foundation.lazy_dataclass import dataclass
from rulewright.ir import model as m
from rulewright.ir.control_flow.control_flow_graph import (
    EXIT,
    NO_SLOTS,
    CallGraph,
    Functions,
    Slots,
    control_flow_graph,
    definitions,
    reads_slot,
    uses_and_definitions,
)
from rulewright.ir.control_flow.function_shape import everyone, shape_with_keys, shapes
from rulewright.ir.control_flow.graph_algorithms import Fixpoint
from rulewright.ir.control_flow.questions import turn_at
from rulewright.ir.walk import children
from rulewright.knowledge.answers.decided_branches import Kinds, decided
from rulewright.knowledge.answers.sinks import (
    NOWHERE_SEEN,
    OPEN,
    Sink,
    asks,
    effect,
    in_caller,
    stable_index,
    without_keys,
)
from rulewright.knowledge.piece_visibility import carries

T = TypeVar("T")

QUIET = ("open", "asked")
"""Sorts of sinks of questions, which are not observed where several decide at once."""


@dataclass(frozen=True, slots=True)
class Flow:
    """The flow of something that lies in slots of a frame."""

    sinks: tuple[Sink, ...] = ()
    returned: bool = False
    """True if the result of the function carries it: then the caller's frame shows more."""
    handed: Slots = frozenset()
    """The parameters that carry it when they are handed back."""


@dataclass(frozen=True, slots=True)
class Answer:
    """The flow of the answers of one question."""

    piece: bool
    which: Flow
    """The flow of the member that was chosen."""
    whether: tuple[Sink, ...]
    """Sinks of the kind of answer: a member, or which of the words beside them."""


Passed = tuple[str, Slots, bool, Kinds]
"""A function, the parameters that hold something, whether it is a piece, and of which kinds."""


Visits = dict[int, tuple[Slots, ...]]
"""For each instruction, for each time that it was looked at, the slots that may have been given something since."""


@dataclass(frozen=True, slots=True)
class _Followed:
    """A value that is followed through one function."""

    function: str
    start: int
    slots: Slots
    piece: bool
    kinds: Kinds


FlowQuery = Passed | str | _Followed | Hashable
"""A question to another function: the flow of parameters through it, or (its name) its effects; or one of another
class, see :attr:`Answers.answering`."""


@dataclass(frozen=True, slots=True)
class _Results:
    """Results that depend on one function and all that it calls, for all programs in which these are the same."""

    answers: dict[tuple[int, Kinds], Answer] = field(default_factory=dict)
    called: dict[Passed, Flow] = field(default_factory=dict)
    effects: dict[str, tuple[Sink, ...]] = field(default_factory=dict)
    others: dict[Hashable, Any] = field(default_factory=dict)
    """The results of :meth:`Answers.once` for functions that stand in no cycle."""


@dataclass(frozen=True, slots=True)
class _FollowedFlow:
    """A result about a function, and the results of others that it depends on: equal there, equal the result."""

    results: tuple[tuple[FlowQuery, object], ...]
    found: Any


FORMS = 8
"""The number of forms of a result that are kept, for different results of others; the latest ones."""

KEPT = 1 << 13
"""The number of functions of which results are kept."""
_results: OrderedDict[tuple[str, Functions], _Results] = OrderedDict()
_followed: OrderedDict[bytes, dict[Hashable, list[_FollowedFlow]]] = OrderedDict()
"""By shapes of functions results about them, whatever they call."""


def _known_of(shape: bytes) -> dict[Hashable, list[_FollowedFlow]]:
    found = _followed.setdefault(shape, {})
    if len(_followed) > KEPT:
        _followed.popitem(last=False)
    return found


class Answers:
    """The flow of all answers of a program; each question is followed once.

    It is followed anew only where the results of the functions that are called differ: those that are of one shape,
    also in their keys, have their results in common, as in the incremental computations of Adapton.
    """

    def __init__(self, program: m.Program, keyed: bool = True) -> None:
        """Without `keyed` sinks do not say whose zones and fields they are: more functions have that in common."""
        self._functions = {f.name: f for f in program.functions}
        self._calls = CallGraph(program.functions)
        self._keyed = keyed
        self._everyone = everyone(program)
        self._shapes = {f.name: shape_with_keys(f) for f in program.functions} if keyed else shapes(program)
        self.closures = self._calls.closures(lambda function: self._shapes[function.name])
        """Each function with all that it calls."""
        self._own: dict[str, _Results] = {}
        self._results_used: dict[FlowQuery, object] = {}
        """The queries of other functions for the result that is being computed, in order."""
        cycle = self._calls.cycle
        self._called: Fixpoint[Passed, Flow] = Fixpoint(
            lambda key: self._follow(key[0], 0, *key[1:]),
            Flow(),
            lambda key: cycle(key[0]),
            lambda key: self._results(key[0]).called,
            lambda flow: (len(flow.sinks), flow.returned, flow.handed),
        )
        self._all_effects: Fixpoint[str, tuple[Sink, ...]] = Fixpoint(
            self._find_effects, (), cycle, lambda name: self._results(name).effects, len
        )
        self.answering: dict[type, Callable[[Any], object]] = {
            tuple: self._called.of,
            str: self._all_effects.of,
            _Followed: lambda q: self._visited(q.function, q.start, q.slots, q.piece, q.kinds)[1],
        }
        """For each class of questions the way to their answers."""

    def _results(self, function: str) -> _Results:
        """The results about a function."""
        found = self._own.get(function)
        if found is None:
            found = self._own[function] = _results.setdefault((function, self.closures[function]), _Results())
            if len(_results) > KEPT:
                _results.popitem(last=False)
        return found

    def of(self, function: str, pc: int, kinds: Kinds = None) -> Answer:
        """The flow of the answers of the question at an instruction, or of those that are pieces of these kinds."""
        known = self._results(function).answers
        if (pc, kinds) not in known:
            known[pc, kinds] = self._find_answer(function, pc, kinds)
        return known[pc, kinds]

    def _find_answer(self, function: str, pc: int, kinds: Kinds) -> Answer:
        i = self._functions[function].code[pc]
        assert isinstance(i, m.Choose | m.Chance)
        piece = i.universe == "Piece"
        whether: tuple[Sink, ...] = ()
        if isinstance(i, m.Choose) and i.extras:
            branch = self.branch(function, pc)
            how_often = self._counted(function, pc, branch) if pc in branch else ()
            whether = self._whole((*self._effects(function, branch, frozenset()), *how_often))
        return Answer(piece, self.after(function, pc, frozenset((i.into,)), piece, kinds), whether)

    def _counted(self, function: str, pc: int, branch: Collection[int]) -> tuple[Sink, ...]:
        """Sinks of the number of answers to a question that comes again and again: of what is gathered meanwhile."""
        found = self._functions[function]
        gathered = NO_SLOTS.union(*(definitions(i) for at, i in enumerate(found.code) if at in branch))
        gathered |= {i.slot for at, i in enumerate(found.code) if at in branch and isinstance(i, m.Append)}
        flow = self._follow(function, control_flow_graph(found).end(pc), gathered, False, None)
        return (*flow.sinks, *((NOWHERE_SEEN,) if flow.returned else ()))

    def after(self, function: str, pc: int, slots: Slots, piece: bool, kinds: Kinds = None) -> Flow:
        """The flow of something that lies in slots after an instruction."""
        return self._follow(function, pc + 1, slots, piece, kinds)

    def called(self, function: str, given: Slots, piece: bool, kinds: Kinds) -> Flow:
        """The flow of parameters through a function."""
        found: Flow = self.ask((function, given, piece, kinds))
        return found

    def effects(self, function: str) -> tuple[Sink, ...]:
        """Observable effects of a function and all that it calls."""
        found: tuple[Sink, ...] = self.ask(function)
        return found

    def told_by(self, function: str, pcs: Iterable[int]) -> frozenset[Sink]:
        """The observable effects of some instructions of a function."""
        return frozenset(self.observable(self._effects(function, tuple(pcs), NO_SLOTS)))

    def visits(self, function: str, start: int, slots: Slots, piece: bool, kinds: Kinds) -> Visits:
        """The slots that may have been given something since, wherever something that lies in slots is followed to."""
        found: Visits = self.ask(_Followed(function, start, slots, piece, kinds))
        return found

    # -------------------------------------------------------------------------------- results of other functions

    def ask(self, question: FlowQuery) -> Any:
        """The answer of another function: what is being worked out depends on it."""
        answer = self._results_used[question] = self.answering[type(question)](question)
        return answer

    def once(self, name: str, key: Hashable, find: Callable[[], T]) -> T:
        """A result about a function: kept, if the results of others are as they were when it was found."""
        kept = self._results(name).others if self._calls.cycle(name) is None else {}  # in a cycle it may be a guess
        if key not in kept:
            before = self._results_used
            try:
                kept[key] = self._once(name, key, find)
            finally:
                self._results_used = before
        return cast(T, kept[key])

    def _once(self, name: str, key: Hashable, find: Callable[[], T]) -> T:
        known = _known_of(self._shapes[name]).setdefault(key, [])
        for one in known:
            self._results_used = {}
            if all(self.ask(question) == results for question, results in one.results):
                return cast(T, one.found)
        self._results_used = {}
        found = find()
        known.append(_FollowedFlow(tuple(self._results_used.items()), found))
        del known[:-FORMS]
        return found

    def observable(self, sinks: Iterable[Sink]) -> Iterable[Sink]:
        """Sinks as they can be observed."""
        return sinks if self._keyed else (without_keys(sink, self._everyone) for sink in sinks)

    def _whole(self, sinks: Iterable[Sink]) -> tuple[Sink, ...]:
        return tuple(dict.fromkeys(self.observable(sinks)))

    # ------------------------------------------------------------------------------------------ data flow

    def _follow(self, name: str, start: int, begun: Slots, piece: bool, kinds: Kinds) -> Flow:
        """Follow slots from an instruction on: after a question those that its answer is in."""
        return self._visited(name, start, begun, piece, kinds)[0]

    def _visited(self, name: str, start: int, begun: Slots, piece: bool, kinds: Kinds) -> tuple[Flow, Visits]:
        return self.once(name, (start, begun, piece, kinds), lambda: self._find_flow(name, start, begun, piece, kinds))

    def _find_flow(self, name: str, start: int, begun: Slots, piece: bool, kinds: Kinds) -> tuple[Flow, Visits]:
        """Of each instruction is known which slots may hold the answer then, and which have got another value since.

        Simultaneous answers are carried out when each is again in their turn: then the slots of the turn are the same.
        """
        code = self._functions[name].code
        graph, slots = control_flow_graph(self._functions[name]), uses_and_definitions(self._functions[name])
        before = code[start - 1] if start else None
        last = before if isinstance(before, m.Choose) else None
        turn = turn_at(self._functions[name], start - 1)
        kept = frozenset((turn.turn.one, turn.turn.at)) if turn is not None else NO_SLOTS
        states: dict[int, tuple[Slots, Slots]] = {start: (begun, frozenset())}
        waiting = [start]
        sinks: dict[Sink, None] = {}
        visits: dict[int, tuple[Slots, ...]] = {}
        returned, handed = False, frozenset[int]()
        while waiting:  # in the order of the code, so that most instructions are looked at when all before them were
            pc = heappop(waiting)
            if pc >= len(code) or pc == EXIT:
                handed |= states[pc][0]
                continue
            held, changed = states[pc]
            visits[pc] = (*visits.get(pc, ()), changed)
            i = code[pc]
            read, sets = slots[pc]
            holds: Slots = NO_SLOTS
            if not read.isdisjoint(held):
                flow, holds = self.through(name, pc, i, held, changed, piece, kinds, last)
                sinks.update(dict.fromkeys(self.observable(flow.sinks)))
                returned |= flow.returned
            if isinstance(i, m.Return):
                handed |= held
            after = (held - sets) | holds, changed | (sets - kept)
            if not after[0]:
                continue  # no slot holds it any more
            ways = graph.after(pc)
            if kinds is not None and isinstance(i, m.JumpUnless):
                ways = decided(i, pc, begun - changed, kinds) or ways
            for to in ways:
                known = states.get(to)
                if known is None:
                    states[to] = after
                    heappush(waiting, to)
                elif not (after[0] <= known[0] and after[1] <= known[1]):
                    states[to] = known[0] | after[0], known[1] | after[1]
                    if to not in waiting:
                        heappush(waiting, to)
        return Flow(tuple(sinks), returned, handed), visits

    def through(
        self,
        name: str,
        pc: int,
        i: m.Instr,
        held: Slots,
        changed: Slots,
        piece: bool,
        kinds: Kinds,
        last: m.Choose | None,
    ) -> tuple[Flow, Slots]:
        """The flow of the slots through one instruction that reads one of them; the slots that hold it afterwards."""

        def has_answer(e: m.Expr | None) -> bool:
            return is_carried(e, held, piece)

        sinks: list[Sink] = []
        holds: Slots = frozenset()
        returned = False
        match i:
            case m.SetLocal() | m.Append():
                holds = frozenset((i.slot,)) if has_answer(i.value) else frozenset()
            case m.Call(function, args, into, _, shared):
                given = frozenset(number for number, arg in enumerate(args) if has_answer(arg))
                if given:
                    flow: Flow = self.ask((function, given, piece, kinds))
                    quiet = self.is_quiet(name, pc)
                    sinks += [in_caller(t, i, changed) for t in flow.sinks if not (quiet and t.sort in QUIET)]
                    holds = frozenset(shared[n] for n in flow.handed if n < len(shared))
                    if flow.returned and into is not None:
                        holds |= {into}
            case m.Return():
                returned = has_answer(i.value)
            case m.Choose():
                if not piece and any(reads_slot(e, held) for e in _expressions_of_question(i)):
                    own = last is not None and not reads_slot(i.who, held | changed) and i.who == last.who
                    sinks += [] if own else [OPEN]
            case m.Chance():
                pass
            case m.JumpUnless() if not piece and reads_slot(i.condition, held):
                sinks += self._effects(name, self.branch(name, pc), changed)
            case m.Move() if piece and has_answer(i.what):
                sinks.append(Sink("zone", i.zone, stable_index(i.index, changed), "face", i.face))
            case m.Move() if has_answer(i.what) or any(has_answer(key) for key in i.index):
                sinks.append(Sink("zone", i.zone, stable_index(i.index, changed), "count"))
            case m.Show() if has_answer(i.what):
                sinks.append(Sink("shown", "", stable_index((i.to,), changed)))
            case m.Flip() if has_answer(i.what):
                sinks += [Sink("turned"), *([OPEN] if i.side == 0 else [])]
            case _ if not piece or isinstance(i, m.SetField):
                if any(has_answer(e) for e in _read(i)):
                    sinks += effect(i, changed)
            case _:
                pass  # with a piece nothing is done that others could see
        return Flow(tuple(sinks), returned), holds

    # ------------------------------------------------------------------------------------------ control flow

    def branch(self, name: str, pc: int) -> tuple[int, ...]:
        """The instructions that depend on which way is taken at a branch."""
        return control_flow_graph(self._functions[name]).branch(pc)

    def _effects(self, name: str, pcs: Iterable[int], changed: Slots) -> Iterator[Sink]:
        """Observable effects of some instructions."""
        code = self._functions[name].code
        set_here = changed.union(*(definitions(code[pc]) for pc in pcs))
        for pc in pcs:
            i = code[pc]
            if isinstance(i, m.Call):
                quiet = self.is_quiet(name, pc)
                seen = (t for t in self.ask(i.function) if not (quiet and t.sort in QUIET))
                yield from (in_caller(t, i, set_here) for t in seen)
            else:
                yield from self.own_effects(name, pc, set_here)

    def own_effects(self, name: str, pc: int, changed: Slots) -> Iterable[Sink]:
        """Observable effects of one instruction, without those of what it calls."""
        i = self._functions[name].code[pc]
        match i:
            case m.Call():
                return ()
            case m.Choose():
                return () if self.is_quiet(name, pc) else (asks(i, changed),)
            case m.Move():
                return (Sink("zone", i.zone, stable_index(i.index, changed), "count"),)
            case _:
                return effect(i, changed)

    def is_quiet(self, name: str, pc: int) -> bool:
        """True where several decide at once: others do not observe the question, and nothing else is open."""
        return turn_at(self._functions[name], pc) is not None

    def _find_effects(self, name: str) -> tuple[Sink, ...]:
        """Observable effects of a function and all that it calls."""
        everything = range(len(self._functions[name].code))
        return self.once(name, "effects", lambda: self._whole(self._effects(name, everything, frozenset())))


def is_carried(e: m.Expr | None, held: Slots, piece: bool) -> bool:
    """True if an expression carries what is in some slots, which may be a piece."""
    return e is not None and (carries(e, held) if piece else reads_slot(e, held))


def _read(i: m.Instr) -> tuple[m.Expr, ...]:
    """The expressions that an instruction uses; a ranking reveals too little of what it is made of."""
    match i:
        case m.SetField() | m.SwapItems() | m.Merge() | m.Eliminate() | m.FinishWin():
            return tuple(children(i))
        case m.Reset() | m.Move() | m.Flip():
            return ()
        case _ if isinstance(i, m.NoStateChange):
            return ()
        case _:
            assert_never(i)


def _expressions_of_question(i: m.Choose) -> Iterator[object]:
    yield i.who
    yield from (e for e in (i.source, i.where) if e is not None)
    yield i.restrictions
    yield from ((extra.guard, extra.restrictions) for extra in i.extras)
