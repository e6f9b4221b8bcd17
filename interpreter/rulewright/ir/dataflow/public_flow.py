"""The lines that rules tell and that everybody may hear.

A line would give a secret away by what it says, or by being told at all. So the flow of secrets is followed through
the program: from what not all see into the slots, into what is called, and by control dependence to all that lies in a
branch that depends on a secret (D. E. Denning and P. J. Denning, *Certification of programs for secure information
flow*, 1977). A line may be heard if it depends on no secret. Only of a piece it may say which one it is, as that is
left out for those who do not see its face.

Whether a secret decides upon a call is looked at where the line is told, frame by frame: a rule that is carried out in
a secret branch once is no secret where all know of its call.

A field that everybody sees is seen at any moment, also between two decisions. The answer may be too careful, never too
generous.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from rulewright.ir import model as m
from rulewright.ir.dataflow.answer_flow import Answers, Flow
from rulewright.ir.dataflow.call_graph import callees
from rulewright.ir.dataflow.control_flow_graph import control_flow_graph
from rulewright.ir.dataflow.effects import EffectAnalysis
from rulewright.ir.dataflow.function_shape import shape
from rulewright.ir.dataflow.public_values import PublicValues
from rulewright.ir.dataflow.shape_cache import ShapeCache
from rulewright.ir.dataflow.traces import Trace

OPEN, COVERED, SECRET = range(3)
"""Levels of a value: all may know it; it is a piece, or so many pieces as all may count, known to those who see their
faces; it is a secret."""

Line = tuple[str, int]
"""A line by its function and instruction."""


class PublicLines:
    """The lines that everybody may hear, but for the names of pieces that they do not see. See :func:`public_lines`."""

    def __init__(self, program: m.Program, public: PublicValues) -> None:
        self._open = frozenset[Line]()
        self._dark: dict[str, frozenset[int]] = {}
        self._calls: dict[str, set[Line]] = {}
        if not any(isinstance(i, m.Tell) for f in program.functions for i in f.code):
            return
        flow = _PublicFlow(program, public)
        self._dark = {f.name: frozenset(flow.dark(f)) for f in program.functions}
        self._open = frozenset(flow.lines())
        for function in program.functions:
            for pc, i in enumerate(function.code):
                if isinstance(i, m.Call):
                    self._calls.setdefault(i.function, set()).add((function.name, pc))

    def heard(self, line: Line, calls: Iterable[Line]) -> bool:
        """True if a line is heard that is told on the way of these calls."""
        return line in self._open and not any(pc in self._dark[function] for function, pc in calls)

    def ever_heard(self, line: Line) -> bool:
        """True if there is a way of calls on which it is."""
        return line in self._open and self._lit(line[0])

    def _lit(self, function: str) -> bool:
        """True if a rule can be carried out where no secret decides upon it."""
        found, waiting = {function}, [function]
        while waiting:
            calls = self._calls.get(waiting.pop())
            if calls is None:
                return True
            callers = {name for name, pc in calls if pc not in self._dark[name]} - found
            found |= callers
            waiting += sorted(callers)
        return False


_kept: ShapeCache[PublicLines] = ShapeCache()


def public_lines(program: m.Program) -> PublicLines:
    """The lines of a game that everybody may hear; games that differ only in numbers have that in common."""
    public = PublicValues(program)
    kind = public.kind(), EffectAnalysis.of(program).all_reads(), tuple(map(shape, program.functions))
    return _kept.get(kind, lambda: PublicLines(program, public))


class _PublicFlow:
    """Levels of the slots and results of all functions; they only rise until nothing changes.

    A function is looked at again when something has risen that it reads: a slot of its own, or what it gets from one
    that it calls.
    """

    def __init__(self, program: m.Program, public: PublicValues) -> None:
        self.program, self.public = program, public
        self.functions = {f.name: f for f in program.functions}
        self.answers = Answers(program)
        self.slots: dict[tuple[str, int], int] = {}
        self.results: dict[str, int] = {}
        self._callers: dict[str, list[str]] = {name: [] for name in self.functions}
        for function in program.functions:
            for called in callees(function):
                self._callers[called].append(function.name)
        self._waiting = dict.fromkeys(self.functions)
        while self._waiting:
            name = next(iter(self._waiting))
            del self._waiting[name]
            self._pass(self.functions[name])

    def lines(self) -> Iterator[Line]:
        """All lines that depend on no secret."""
        for function in self.program.functions:
            dark = self.dark(function)
            for pc, i in enumerate(function.code):
                if isinstance(i, m.Tell) and pc not in dark:
                    levels = [self._level(function.name, value) for value in i.values]
                    pieces = [ty.kind == "entity" and ty.universe == "Piece" for ty in i.types]
                    if all(one <= (COVERED if piece else OPEN) for one, piece in zip(levels, pieces, strict=True)):
                        yield function.name, pc

    # ------------------------------------------------------------------------------------------ one function

    def _pass(self, function: m.Function) -> None:
        name, dark = function.name, self.dark(function)
        for pc, i in enumerate(function.code):
            here = SECRET if pc in dark else OPEN
            match i:
                case m.SetLocal() | m.Append():
                    self._raise(name, i.slot, max(here, self._level(name, i.value)))
                case m.Choose(into=into) | m.Chance(into=into):
                    self._raise(name, into, max(here, self._answered(name, pc, i)))
                case m.Call(called, args, into, _, shared):
                    for number, arg in enumerate(args):
                        self._raise(called, number, self._level(name, arg))
                    for number, slot in enumerate(shared):
                        self._raise(name, slot, max(here, self.slots.get((called, number), OPEN)))
                    if into is not None:
                        self._raise(name, into, max(here, self.results.get(called, OPEN)))
                case m.Return():
                    level = max(here, OPEN if i.value is None else self._level(name, i.value))
                    if level > self.results.get(name, OPEN):
                        self.results[name] = level
                        self._waiting.update(dict.fromkeys(self._callers[name]))

    def _raise(self, function: str, slot: int, level: int) -> None:
        if level > self.slots.get((function, slot), OPEN):
            self.slots[function, slot] = level
            self._waiting[function] = None
            if slot < self.functions[function].params:  # it may be handed back
                self._waiting.update(dict.fromkeys(self._callers[function]))

    def dark(self, function: m.Function) -> set[int]:
        """The instructions of a function upon which a secret in it decides."""
        found: set[int] = set()
        for pc, i in enumerate(function.code):
            match i:
                case m.JumpUnless():
                    secret = self._level(function.name, i.condition) > OPEN
                case m.Choose(extras=extras) if extras:
                    secret = not self._tells(self.answers.of(function.name, pc).whether)
                case _:
                    continue
            if secret:
                found.update(control_flow_graph(function).branch(pc))
        return found

    # ------------------------------------------------------------------------------------------ values

    def _level(self, function: str, e: m.Expr) -> int:
        def level(slot: int) -> int:
            return self.slots.get((function, slot), OPEN)

        def known(e: m.Expr) -> bool:
            return self.public.known(e, lambda slot: level(slot) == OPEN, lambda slot: level(slot) <= COVERED)

        if known(e):
            return OPEN
        match e:
            case m.Local(slot):
                return level(slot)
            case m.ZoneGet(zone, index) | m.ZoneList(zone, index):
                return COVERED if zone in self.public.counts and all(known(key) for key in index) else SECRET
            case m.FieldGet(field, index):
                return COVERED if field in self.public.marking and all(known(key) for key in index) else SECRET
            case m.First() | m.Single() | m.ToSet() | m.ToList():
                return self._level(function, e.of)
            case m.Item():
                return self._level(function, e.list) if known(e.at) else SECRET
        return SECRET

    def _answered(self, function: str, pc: int, i: m.Choose | m.Chance) -> int:
        """The level of an answer: all know it if they see where it goes, or if it goes nowhere hidden."""
        answer = self.answers.of(function, pc)
        if self._follows(answer.which, answer.piece, self.functions[function].params):
            return OPEN
        return COVERED if i.universe == "Piece" else SECRET

    def _follows(self, flow: Flow, piece: bool, params: int) -> bool:
        if not flow.traces:
            return not (piece or flow.returned or any(slot < params for slot in flow.handed))
        return self._tells(flow.traces, piece)

    def _tells(self, traces: tuple[Trace, ...], piece: bool = False) -> bool:
        """True if everybody sees one of some traces, of a piece so that they know which it is, or there are none."""
        return not traces or any(
            trace.sort == "open"
            or (trace.sort == "field" and trace.name in (self.public.naming if piece else self.public.fields))
            or (
                trace.sort == "zone"
                and trace.name in (self.public.faces if trace.facet == "face" else self.public.counts)
            )
            for trace in traces
        )
