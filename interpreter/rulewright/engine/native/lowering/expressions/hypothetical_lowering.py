"""Questions about the position after an effect: the effect runs in place, and what it has written is put back.

Each place in the code has a buffer of its own for what is put back. That is enough, as no effect imagines itself.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace

from rulewright.engine.native.cell_ranges import Range, ranges_of
from rulewright.engine.native.lowering.expressions.call_frames import CallFrames
from rulewright.engine.native.lowering.expressions.expression_lowering import ExpressionLowering
from rulewright.engine.native.memory_map import FUNCTION
from rulewright.engine.native.values import Unsupported, Value
from rulewright.engine.native.webassembly.encoding import MEMORY_COPY, Op, Type
from rulewright.ir import model as m
from rulewright.ir.control_flow.call_graph import callees
from rulewright.ir.dataflow.effects import EffectAnalysis


class HypotheticalLowering:
    """Writes such questions."""

    def __init__(self, x: ExpressionLowering) -> None:
        self.x, self.w, self.ctx, self.body = x, x.w, x.ctx, x.w.body

    def _x_After(self, e: m.After) -> Value:
        if self.w.earlier:
            raise Unsupported("an effect in an earlier position")
        if e.function not in self.ctx.at_once:
            raise Unsupported("a hypothetical effect that calls itself")
        run = self._instructions(e.function)
        if self.ctx.assertions is not None and any(isinstance(i, m.Observe) for i in run):
            raise Unsupported("properties of a hypothetical block")
        effects = EffectAnalysis.of(self.ctx.program)
        written = frozenset[str]().union(*(effects.writes(i) for i in run))
        ranges = ranges_of(self.ctx.memory, written)
        if any(isinstance(i, m.Fired) for i in run):
            ranges.append((self.ctx.fired, 8 * len(self.ctx.rule_numbers)))
        kept = self.ctx.memory.reserve(sum(size for _, size in ranges))
        args = [self.x.value(arg) for arg in e.args]
        with self._own_variables(self.ctx.facts.free(e.of)):
            self._copy(ranges, kept, keep=True)
            self._run(e.function, args)
            floor, self.w.floor = self.w.floor, self.w.depth
            found = self._copied(self.x.value(e.of))
            self.w.floor = floor
        self._copy(ranges, kept, keep=False)
        self.ctx.answers.forget_written(self.body, written)
        return found

    def _instructions(self, function: str) -> list[m.Instr]:
        """All instructions of a function and of those that it calls."""
        names = [function]
        found: list[m.Instr] = []
        for name in names:
            called = self.ctx.program.functions[self.ctx.functions[name]]
            found += called.code
            names += [other for other in callees(called) if other not in names]
        return found

    @contextmanager
    def _own_variables(self, names: frozenset[str]) -> Iterator[None]:
        """Variables that the effect does not change; regions that live now may be parts of others then."""
        before = self.w.env
        self.w.env = before | {name: self._copied(before[name]) for name in names if name in before}
        yield
        self.w.env = before

    def _copied(self, v: Value) -> Value:
        """A value that no longer lies in the state."""
        v = replace(v, living=False)
        if v.is_list:
            return replace(self.x.lists.copied(v), is_sparse=v.is_sparse)
        if not v.in_memory:
            return v
        made = self.w.allocate_set(v.bits)
        self.w.assign(made, v)
        return made

    def _copy(self, ranges: list[Range], kept: int, keep: bool) -> None:
        """Keep what the effect may write, or put it back."""
        for at, size in ranges:
            for address in (kept, at) if keep else (at, kept):
                self.body.i32(address)
            self.body.i32(size)
            self.body.raw(MEMORY_COPY)
            kept += size

    def _run(self, name: str, args: list[Value]) -> None:
        """Run a function on the first free place of the stack."""
        ctx, body = self.ctx, self.body
        top, at = body.local(Type.I32), body.local(Type.I32)
        body.i32(ctx.memory.stack)
        body.get_global(ctx.frame)
        body.get_global(ctx.frame)
        body.memory(Op.I32_LOAD, FUNCTION)
        body.i32(2)
        body.op(Op.I32_SHL)
        body.memory(Op.I32_LOAD, ctx.memory.numbers(one.size for one in ctx.memory.frames))
        body.op(Op.I32_ADD)
        body.get_global(ctx.frame)
        body.tee(top)
        body.op(Op.I32_EQZ, Op.SELECT)
        body.set(at)
        CallFrames(self.x).begin(name, args, at)
        body.get(at)
        body.set_global(ctx.frame)
        before = body.local(Type.I64)  # the steps of the effect are those of the question: what it really does is work
        body.get_global(ctx.budget)
        body.set(before)
        body.get_global(ctx.work)
        body.set_global(ctx.budget)
        body.get(at)
        body.i32(0)
        body.call(ctx.function_numbers[ctx.functions[name]])
        self.w.trap_if()
        self.w.stop_if_spent()
        body.get_global(ctx.budget)
        body.set_global(ctx.work)
        body.get(before)
        body.set_global(ctx.budget)
        body.get(top)
        body.set_global(ctx.frame)
