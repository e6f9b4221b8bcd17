"""Frames of functions that are called: what is stored in them."""

from __future__ import annotations

from rulewright.engine.native.lowering.expressions.expression_lowering import ExpressionLowering
from rulewright.engine.native.memory_map import FUNCTION
from rulewright.engine.native.values import Unsupported, Value
from rulewright.engine.native.webassembly.encoding import MEMORY_FILL, Op
from rulewright.engine.native.word_sizes import words
from rulewright.ir import model as m

SHORT = 128
"""So many bytes are set to 0 by instructions of their own: to call the host for it takes longer."""


class CallFrames:
    """Writes frames."""

    def __init__(self, x: ExpressionLowering) -> None:
        self.x, self.w, self.ctx, self.body = x, x.w, x.ctx, x.w.body

    def begin(self, name: str, args: list[Value], at: int) -> None:
        """Write the frame of a function at the address in a local, without its caller; stop if there is no room."""
        number = self.ctx.functions[name]
        function, frame = self.ctx.program.functions[number], self.ctx.memory.frames[number]
        self.body.get(at)
        self.body.i32(self.ctx.memory.stack_end - frame.size)
        self.body.op(Op.I32_GT_S)
        self.w.trap_if()
        self._clear(at, frame.size)
        self.body.get(at)
        self.body.i32(number)
        self.body.memory(Op.I32_STORE, FUNCTION)
        self.check(name, args)
        for arg, slot, offset in zip(args, function.slots, frame.offsets, strict=False):
            self.store(slot.ty, arg, at, offset)

    def check(self, name: str, args: list[Value]) -> None:
        """:class:`Unsupported` if an argument may be none where no analysis expects it."""
        slots = self.ctx.program.functions[self.ctx.functions[name]].slots
        for order, (arg, slot) in enumerate(zip(args, slots, strict=False)):
            if arg.null and not slot.ty.optional and ("slot", name, order) not in self.ctx.null:
                raise Unsupported("none where a function takes none of it")

    def store(self, ty: m.Ty, v: Value, base: int, offset: int) -> None:
        """Store a value of a type at an address."""
        if ty.kind == "list":
            self.x.lists.store(v, base, offset, ty.capacity)
        elif ty.kind == "set":
            self.w.store_set(self.w.as_set(v), offset, base, words(self.ctx.layout.set_bits(ty)))
        else:
            self.body.get(base)
            self.w.push(v)
            self.body.memory(Op.I32_STORE, offset)

    def _clear(self, at: int, size: int) -> None:
        """Set bytes to 0."""
        if size > SHORT:
            self.body.get(at)
            self.body.i32(0)
            self.body.i32(size)
            self.body.raw(MEMORY_FILL)
            return
        for offset in range(0, size, 8):
            self.body.get(at)
            if size - offset >= 8:
                self.body.i64(0)
                self.body.memory(Op.I64_STORE, offset)
            else:
                self.body.i32(0)
                self.body.memory(Op.I32_STORE, offset)
