"""Frames of functions that are called: what is stored in them."""

from __future__ import annotations

from rulewright.engine.native.lowering.expressions.expression_lowering import ExpressionLowering
from rulewright.engine.native.memory_map import FUNCTION
from rulewright.engine.native.values import Unsupported, Value
from rulewright.engine.native.webassembly.terms import Local, Term, mem32, mem64
from rulewright.engine.native.word_sizes import words
from rulewright.ir import model as m

SHORT = 128
"""So many bytes are set to 0 by instructions of their own: to call the host for it takes longer."""


class CallFrames:
    """Writes frames."""

    def __init__(self, lower: ExpressionLowering) -> None:
        self.lower, self.writer, self.ctx, self.body = lower, lower.writer, lower.ctx, lower.writer.body

    def begin(self, name: str, args: list[Value], at: Local) -> None:
        """Write the frame of a function at an address, without its caller; stop if there is no room."""
        number = self.ctx.functions[name]
        function, frame = self.ctx.program.functions[number], self.ctx.memory.frames[number]
        self.body.trap_if(at.gt_s(self.ctx.memory.stack_end - frame.size))
        self._clear(at, frame.size)
        self.body.set(mem32(at, FUNCTION), number)
        self.check(name, args)
        for arg, slot, offset in zip(args, function.slots, frame.offsets, strict=False):
            self.store(slot.ty, arg, at, offset)

    def check(self, name: str, args: list[Value]) -> None:
        """:class:`Unsupported` if an argument may be none where no analysis expects it."""
        slots = self.ctx.program.functions[self.ctx.functions[name]].slots
        for order, (arg, slot) in enumerate(zip(args, slots, strict=False)):
            if arg.null and not slot.ty.optional and ("slot", name, order) not in self.ctx.null:
                raise Unsupported("none where a function takes none of it")

    def store(self, ty: m.Ty, v: Value, base: Term, offset: int) -> None:
        """Store a value of a type at an address."""
        if ty.kind == "list":
            self.lower.lists.store(v, base, offset, ty.capacity)
        elif ty.kind == "set":
            self.writer.store_set(self.writer.as_set(v), offset, base, words(self.ctx.layout.set_bits(ty)))
        else:
            self.body.set(mem32(base, offset), v.term)

    def _clear(self, at: Local, size: int) -> None:
        """Set bytes to 0."""
        if size > SHORT:
            self.body.fill(at, 0, size)
            return
        for offset in range(0, size, 8):
            self.body.set(mem64(at, offset) if size - offset >= 8 else mem32(at, offset), 0)
