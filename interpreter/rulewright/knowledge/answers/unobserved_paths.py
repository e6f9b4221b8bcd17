"""Ways that the rules may take on which an answer goes where some player does not see it, and nowhere where they do.

Where an answer may go to one place or to another, a player may know it when it is given only if they see it on each way
on which it goes anywhere: the log, with or without it, must not reveal which way is taken. A way on which it goes
nowhere is as good as any. So all ways are gone that avoid what the player sees, one state for each set of slots that
may hold the answer there (path-sensitive data flow, as in property simulation: M. Das, S. Lerner and M. Seigle, *ESP*,
PLDI 2002), through what is called and back to the caller.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from rulewright.foundation.lazy_dataclass import dataclass
from rulewright.foundation.reachability import reachable
from rulewright.ir import model as m
from rulewright.ir.control_flow.control_flow_graph import (
    EXIT,
    NO_SLOTS,
    CallGraph,
    Slots,
    control_flow_graph,
    definitions,
    uses_and_definitions,
)
from rulewright.ir.control_flow.graph_algorithms import Fixpoint
from rulewright.ir.walk import nodes
from rulewright.knowledge.answers.answer_flow import QUIET, Answers, Visits, is_carried
from rulewright.knowledge.answers.decided_branches import Kinds, decided
from rulewright.knowledge.answers.sinks import Sink, in_caller

Sinks = frozenset[Sink]


@dataclass(frozen=True, slots=True)
class Sight:
    """The traces of an answer, as one player sees them; whatever is in neither set is hidden from them."""

    seen: Sinks
    ignored: Sinks = frozenset()
    """Traces that make no difference."""


@dataclass(frozen=True, slots=True)
class End:
    """The end of a way through a function on which a player has seen nothing."""

    hidden: bool = False
    """True if the answer has gone where they do not see it."""
    returned: bool = False
    handed: Slots = NO_SLOTS


@dataclass(frozen=True, slots=True)
class _Question:
    """A value in slots, followed through a function from an instruction on."""

    function: str
    start: int
    begun: Slots
    held: Slots
    piece: bool
    kinds: Kinds
    sight: Sight
    whole: bool = False
    """True if everything that is done here reveals it, since it is only done then."""
    option: int | None = None
    """The instruction to which an option leads, where taking it and no other reveals something."""


@dataclass(frozen=True, slots=True)
class _State:
    pc: int
    held: Slots
    same: Slots
    """The slots that still hold what they held at first."""
    forks: Slots
    hidden: bool


class UnobservedPaths:
    """Finds the ways on which a player sees nothing of an answer."""

    def __init__(self, program: m.Program, answers: Answers) -> None:
        self._functions = {f.name: f for f in program.functions}
        self._answers = answers
        self._calls = CallGraph(program.functions)
        self._stored: dict[tuple[str, int], Slots] = {}
        known: dict[_Question, frozenset[End]] = {}
        ends: Fixpoint[_Question, frozenset[End]] = Fixpoint(
            lambda key: answers.once(key.function, key, lambda: frozenset(self._find(key))),
            frozenset(),
            lambda key: self._calls.cycle(key.function),
            lambda key: known,
            len,
        )
        answers.answering[_Question] = ends.of

    def after(
        self, function: str, pc: int, begun: Slots, held: Slots, piece: bool, kinds: Kinds, sight: Sight
    ) -> frozenset[End]:
        """The ways from after an instruction, with the answer in some of the slots in which it may be then."""
        return self._ends(_Question(function, pc + 1, begun, held, piece, kinds, sight))

    def unseen_options(self, function: str, pc: int, sight: Sight) -> frozenset[int]:
        """The options of a question of which a player may see nothing if they are taken, though something is done
        where they do not see it, or in one of the others: the first instruction of each.

        If that is only one, they know that it was taken: they see nothing of any other.
        """
        code, found, idle = self._functions[function], set[int](), set[int]()
        for to in options(code, pc):
            if sight.ignored.issuperset(self._answers.told_by(function, option_code(code, pc, to))):
                idle.add(to)
                continue
            ends = self._ends(_Question(function, pc, NO_SLOTS, NO_SLOTS, False, None, sight, option=to))
            if any(end.hidden for end in ends):
                found.add(to)
        return frozenset(found | idle) if found else frozenset()

    def _ends(self, q: _Question) -> frozenset[End]:
        found: frozenset[End] = self._answers.ask(q)
        return found

    def _find(self, q: _Question) -> Iterator[End]:
        """The ends of one function: a search over its instructions."""
        function = self._functions[q.function]
        graph, code, slots = control_flow_graph(function), function.code, uses_and_definitions(function)
        visits = self._answers.visits(q.function, q.start, q.begun, q.piece, q.kinds)
        before = _answered(function, q)
        given = NO_SLOTS if before is None else frozenset((before.into,))  # something is in it
        last = before if isinstance(before, m.Choose) else None
        forks = NO_SLOTS if q.option is None else frozenset((q.start,))
        begun = q.start if q.option is None else q.option
        waiting = [_State(begun, q.held, q.held, _within(function, forks, begun), False)]
        known = set(waiting)
        while waiting:
            state = waiting.pop()
            if q.option is not None and state.pc == q.start:  # the question comes again
                yield End(state.hidden)
                continue
            if state.pc == EXIT or state.pc >= len(code):
                yield _end(function, state)
                continue
            if not (state.held or state.forks or q.whole):
                yield End(state.hidden)
                continue
            i, ways, forks = code[state.pc], graph.after(state.pc), state.forks
            if isinstance(i, m.JumpUnless):
                ways = decided(i, state.pc, state.same, q.kinds, given) or ways
                if not (q.piece or slots[state.pc][0].isdisjoint(state.held)):
                    forks |= {state.pc}
            for after, returned in self._through(q, function, state, visits, last):
                if isinstance(i, m.Return):
                    yield _end(function, after, returned)
                    continue
                for to in ways:
                    new = _State(to, after.held, after.same, _within(function, forks, to), after.hidden)
                    if new not in known:
                        known.add(new)
                        waiting.append(new)

    def _through(
        self, q: _Question, function: m.Function, state: _State, visits: Visits, last: m.Choose | None
    ) -> Iterator[tuple[_State, bool]]:
        """The states after an instruction on which nothing was seen, each with whether the result carries it."""
        i, pc = function.code[state.pc], state.pc
        sets = uses_and_definitions(function)[pc][1]
        same, held = state.same - sets, state.held - sets
        here = list(self._changed(q, function, state, visits))
        before = visits.get(pc, ()) if state.held else ()
        if isinstance(i, m.Call):
            for end in self._called(q, i, state, (*before, *here), bool(here), self._answers.is_quiet(q.function, pc)):
                holds = slots_after(i, end.returned, end.handed)
                yield _State(pc, held | holds, same, state.forks, state.hidden or end.hidden), False
            return
        around = [t for changed in here for t in self._answers.own_effects(q.function, pc, changed)]
        traces: list[Sink] = []
        holds, returned = NO_SLOTS, False
        if not isinstance(i, m.JumpUnless):
            for changed in before:
                flow, holds = self._answers.through(q.function, pc, i, state.held, changed, q.piece, q.kinds, last)
                traces += flow.sinks
                returned |= flow.returned
        if isinstance(i, m.Fail) or not q.sight.seen.isdisjoint(self._answers.observable((*traces, *around))):
            return
        if not (q.piece or _says_from_where(i)):
            traces = []  # seen by all who see it leave its place
        elif not q.whole and isinstance(i, m.SetField | m.Move):
            traces += around
        found = {trace for trace in self._answers.observable(traces) if trace not in q.sight.ignored}
        yield _State(pc, held | holds, same, state.forks, state.hidden or bool(found)), returned

    def _changed(self, q: _Question, function: m.Function, state: _State, visits: Visits) -> Iterator[Slots]:
        """The slots that may have changed since, for each reason why all that is done at an instruction reveals it."""
        if q.whole:
            yield NO_SLOTS.union(*map(definitions, function.code))
        for fork in state.forks:
            there = self._stored_in_branch(function, fork)
            for changed in visits.get(fork, ()) if q.option is None or fork != q.start else (NO_SLOTS,):
                yield changed | there

    def _stored_in_branch(self, function: m.Function, fork: int) -> Slots:
        """The slots that some instruction overwrites on one of the ways from a fork."""
        key = function.name, fork
        if key not in self._stored:
            branch = control_flow_graph(function).branch(fork)
            self._stored[key] = NO_SLOTS.union(*(definitions(function.code[pc]) for pc in branch))
        return self._stored[key]

    def _called(
        self, q: _Question, i: m.Call, state: _State, changed: Iterable[Slots], whole: bool, quiet: bool
    ) -> frozenset[End]:
        """The ends of ways through a function that is called on which nothing was seen."""
        given = frozenset(n for n, arg in enumerate(i.args) if is_carried(arg, state.held, q.piece))
        if not given and not whole:
            return frozenset((End(),))
        traces = set(self._answers.called(i.function, given, q.piece, q.kinds).sinks) if given else set()
        traces.update(self._answers.effects(i.function) if whole else ())
        here = {trace: {in_caller(trace, i, slots) for slots in changed} for trace in traces}
        seen = (t for t, there in here.items() if there & q.sight.seen and not (quiet and t.sort in QUIET))
        ignored = (t for t, there in here.items() if there <= q.sight.ignored or (quiet and t.sort in QUIET))
        sight = Sight(frozenset(seen), frozenset(ignored))
        return self._ends(_Question(i.function, 0, given, given, q.piece, q.kinds, sight, whole=whole))


def options(function: m.Function, pc: int) -> tuple[int, ...]:
    """The instructions to which the answers of a question lead: a member, and each of the words beside them."""
    i = function.code[pc]
    assert isinstance(i, m.Choose)
    return (pc + 1, *(extra.to for extra in i.extras)) if i.source is not None else tuple(e.to for e in i.extras)


def option_code(function: m.Function, pc: int, to: int) -> frozenset[int]:
    """The instructions that are only carried out if an option of a question is taken."""
    graph = control_flow_graph(function)
    within = frozenset(graph.branch(pc)) - {pc}
    return frozenset(reachable(within & {to}, lambda at: within.intersection(graph.after(at))))


def slots_after(call: m.Call, returned: bool, handed: Slots) -> Slots:
    """The slots that carry something after a call, if its result does, or the parameters that it hands back."""
    result = NO_SLOTS if not returned or call.into is None else frozenset((call.into,))
    return result | {call.shared[n] for n in handed if n < len(call.shared)}


def _answered(function: m.Function, q: _Question) -> m.Choose | m.Chance | None:
    """The question or draw of chance whose answer is followed from the instruction behind it on."""
    before = function.code[q.start - 1] if q.start and q.option is None else None
    return before if isinstance(before, m.Choose | m.Chance) else None


def _end(function: m.Function, state: _State, returned: bool = False) -> End:
    return End(state.hidden, returned, frozenset(slot for slot in state.held if slot < function.params))


def _says_from_where(i: m.Instr) -> bool:
    """True unless an instruction moves pieces of which it is not known where they lie."""
    return not isinstance(i, m.Move) or any(isinstance(e, m.ZoneGet | m.ZoneList | m.Top) for e in nodes(i.what))


def _within(function: m.Function, forks: Slots, pc: int) -> Slots:
    """The branches of which it still depends at an instruction which way was taken."""
    return frozenset(fork for fork in forks if pc in control_flow_graph(function).branch(fork))
