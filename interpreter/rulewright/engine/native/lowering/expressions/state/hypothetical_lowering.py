"""Questions about the position after an effect: the effect runs in place, and what it has written is put back.

What it stores into fields is noted while it runs (:mod:`rulewright.engine.native.lowering.write_journal`). For all else
each place in the code has a buffer of its own, which is enough, as no effect imagines itself.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace

from rulewright.engine.native.cell_ranges import Range, ranges_of
from rulewright.engine.native.lowering.expressions.expression_lowering import ExpressionLowering
from rulewright.engine.native.lowering.expressions.state.call_frames import CallFrames
from rulewright.engine.native.lowering.write_journal import that_run
from rulewright.engine.native.memory_map import FUNCTION
from rulewright.engine.native.values import Unsupported, Value
from rulewright.engine.native.webassembly.terms import I32, call, mem32, select
from rulewright.ir import model as m
from rulewright.ir.dataflow.effects import EffectAnalysis


class HypotheticalLowering:
    """Writes such questions."""

    def __init__(self, lower: ExpressionLowering) -> None:
        self.lower, self.writer, self.ctx, self.body = lower, lower.writer, lower.ctx, lower.writer.body

    def _x_After(self, e: m.After) -> Value:
        if self.writer.earlier:
            raise Unsupported("an effect in an earlier position")
        if e.function not in self.ctx.at_once:
            raise Unsupported("a hypothetical effect that calls itself")
        run = [i for function in that_run(self.ctx.program, e.function) for i in function.code]
        if self.ctx.assertions is not None and any(isinstance(i, m.Observe) for i in run):
            raise Unsupported("properties of a hypothetical block")
        effects = EffectAnalysis.of(self.ctx.program)
        written = frozenset[str]().union(*(effects.writes(i) for i in run))
        journal, ranges = self.ctx.journal, self.ctx.journal.left(e.function)
        noted = ranges is not None
        if ranges is None:
            ranges = ranges_of(self.ctx.memory, written)
            if any(isinstance(i, m.Fired) for i in run):
                ranges.append((self.ctx.fired, 8 * len(self.ctx.rule_numbers)))
        else:
            self.ctx.log.note("journal")
        kept = self.ctx.memory.reserve(sum(size for _, size in ranges))
        args = [self.lower.value(arg) for arg in e.args]
        with self._own_variables(self.ctx.facts.free(e.of)):
            self._copy(ranges, kept, keep=True)
            begun = journal.begin(self.body) if noted else None
            self._run(e.function, args)
            floor, self.writer.floor = self.writer.floor, self.writer.depth
            found = self._copied(self.lower.value(e.of))
            self.writer.floor = floor
        if begun is not None:
            journal.end(self.body, begun)
        self._copy(ranges, kept, keep=False)
        self.ctx.memos.invalidate_readers(self.body, written)
        return found

    @contextmanager
    def _own_variables(self, names: frozenset[str]) -> Iterator[None]:
        """Variables that the effect does not change; regions that live now may be parts of others then."""
        before = self.writer.env
        self.writer.env = before | {name: self._copied(before[name]) for name in names if name in before}
        yield
        self.writer.env = before

    def _copied(self, v: Value) -> Value:
        """A value that no longer lies in the state."""
        v = replace(v, living=False)
        if v.is_list:
            return replace(self.lower.lists.copied(v), is_sparse=v.is_sparse)
        if not v.in_memory:
            return v
        made = self.writer.allocate_set(v.bits)
        self.writer.assign(made, v)
        return made

    def _copy(self, ranges: list[Range], kept: int, keep: bool) -> None:
        """Keep what the effect may write, or put it back."""
        for at, size in ranges:
            to, source = (kept, at) if keep else (at, kept)
            self.body.copy(to, source, size)
            kept += size

    def _run(self, name: str, args: list[Value]) -> None:
        """Run a function on the first free place of the stack."""
        ctx, body = self.ctx, self.body
        top, at = body.locals(I32, I32)
        sizes = ctx.memory.numbers(one.size for one in ctx.memory.frames)
        behind = ctx.frame + mem32(mem32(ctx.frame, FUNCTION) << 2, sizes)
        body.set(at, select(ctx.memory.stack, behind, top.tee(ctx.frame).eqz()))
        CallFrames(self.lower).begin(name, args, at)
        body.set(ctx.frame, at)
        body.trap_if(call(ctx.function_numbers[ctx.functions[name]], at, 0))
        self.writer.stop_if_spent()
        body.set(ctx.frame, top)
