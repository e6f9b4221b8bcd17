"""The journal of imagined effects: what they write is noted, so that only this is put back, not whole fields.

While an effect is imagined each store of a number into a field adds an entry: the address of the cell, what was there,
and for a field of which the sets of keys are kept the two words in which a bit was turned, and this bit. The entries
are undone from the last one to the first. Who imagines something within something imagined goes on behind the entries
that are there. Of all else that an effect can write (pieces, sets, lists) the whole is kept, as ever.
"""

from __future__ import annotations

from collections.abc import Iterable

from rulewright.engine.native.memory_map import MemoryMap, Range, ranges_of
from rulewright.engine.native.webassembly.function_body import FunctionBody
from rulewright.engine.native.webassembly.module import Module
from rulewright.engine.native.webassembly.terms import Local, Term, const, mem32, mem64, select
from rulewright.ir import model as m
from rulewright.ir.control_flow.control_flow_graph import with_callees
from rulewright.ir.dataflow.effects import EffectAnalysis

ENTRIES = 2048
"""So many stores are noted at most; where an effect makes more the Python engine plays the game."""
FEWER = 64
"""So many bytes less must be kept, or noting them is not worth it."""
_CELL, _BEFORE, _OUT, _INTO, _BIT, _SPAN = 0, 4, 8, 12, 16, 24
"""The parts of an entry."""
_HARMLESS = m.SetLocal | m.Append | m.Jump | m.JumpUnless | m.Call | m.Return | m.Fail | m.Fired
"""Instructions that write nothing of the state but counters of rules, which do not count what is imagined."""
Turned = tuple[Term, Term, Term]
"""The addresses of two words, and the bit that is turned in both."""


class WriteJournal:
    """The journal of one program, and the functions whose stores it notes."""

    def __init__(self, program: m.Program, memory: MemoryMap, module: Module, found: Iterable[object]) -> None:
        """`found` is all that stands in the rules."""
        self._program, self._memory = program, memory
        self._effects = EffectAnalysis.of(program)
        self._left: dict[str, list[Range]] = {}
        """For each effect that is worth it what is kept besides."""
        self.functions: frozenset[str] = frozenset()
        for function in dict.fromkeys(node.function for node in found if isinstance(node, m.After)):
            self._look_at(function)
        self._at = module.add_global(const(0).kind) if self._left else None
        """The address behind the last entry; 0 while nothing is imagined."""
        self._first = memory.reserve(_SPAN * ENTRIES) if self._left else 0

    def _look_at(self, function: str) -> None:
        """Choose an effect if that is worth it."""
        fields = {f.name: f for f in self._program.fields}
        functions = with_callees(self._program.functions, (function,))
        run = [i for one in functions.values() for i in one.code]
        numbers = [i for i in run if isinstance(i, m.SetField) and fields[i.field].ty.kind not in ("set", "list")]
        others = [i for i in run if i not in numbers and not isinstance(i, _HARMLESS)]
        left = ranges_of(self._memory, self._written(others)) if others else []
        all_ = ranges_of(self._memory, self._written(run))
        if sum(size for _, size in all_) - sum(size for _, size in left) >= FEWER:
            self._left[function] = left
            self.functions |= functions.keys()

    def _written(self, run: Iterable[m.Instr]) -> frozenset[str]:
        return frozenset[str]().union(*(self._effects.writes(i) for i in run))

    def left(self, function: str) -> list[Range] | None:
        """The ranges that are kept besides while an effect is imagined; None if its stores are not noted."""
        return self._left.get(function)

    def begin(self, body: FunctionBody) -> tuple[Local, Local]:
        """Note from now on; what is given is handed to :meth:`end`."""
        assert self._at is not None
        outer = body.hold(self._at)
        first = body.hold(select(outer, self._first, outer))
        body.set(self._at, first)
        return outer, first

    def note(self, body: FunctionBody, function: str, cell: Term, turned: Turned | None) -> None:
        """Note what is in a cell, before a function stores something else there."""
        if function not in self.functions:
            return
        assert self._at is not None
        with body.when(self._at):
            at = body.hold(self._at)
            address = body.hold(cell)
            body.set(mem32(at, _CELL), address)
            body.set(mem32(at, _BEFORE), mem32(address))
            out, into, bit = turned or (const(0), const(0), None)
            body.set(mem32(at, _OUT), out)
            body.set(mem32(at, _INTO), into)
            body.set(mem64(at, _BIT), bit if bit is not None else 0)
            body.set(self._at, at + _SPAN)
            with body.when(at.ge_u(self._first + _SPAN * (ENTRIES - 1))):
                body.set(self._at, 0)
                body.trap()

    def counted(self, function: str) -> Term | int:
        """The growth of the counter of a rule in a function: what is imagined is not counted."""
        return self._at.eqz().extend_u() if self._at is not None and function in self.functions else 1

    def end(self, body: FunctionBody, begun: tuple[Local, Local]) -> None:
        """Put back what was noted since the begin."""
        assert self._at is not None
        outer, first = begun
        at = body.hold(self._at)
        with body.until(first.ge_u(at)):
            body.set(at, at - _SPAN)
            body.set(mem32(mem32(at, _CELL)), mem32(at, _BEFORE))
            bit = body.hold(mem64(at, _BIT))
            for word in (_OUT, _INTO):  # a bit that was turned is turned again
                address = body.hold(mem32(at, word))
                body.set(mem64(address), mem64(address) ^ bit)
        body.set(self._at, outer)

    def forget(self, body: FunctionBody) -> None:
        """Imagine nothing: a game begins, or goes on, maybe after one that stopped with an error."""
        if self._at is not None:
            body.set(self._at, 0)
