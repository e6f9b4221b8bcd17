"""Functions that draw numbers: those of :mod:`rulewright.engine.chance_streams`."""

from __future__ import annotations

from rulewright.engine.chance_streams import GAMMA
from rulewright.engine.native.lowering.lowering_context import LoweringContext
from rulewright.engine.native.webassembly.encoding import Op, Type
from rulewright.engine.native.webassembly.function_body import FunctionBody


class ChanceFunctions:
    """The functions `mix` and `draw`, and the address of the number that was drawn last."""

    def __init__(self, ctx: LoweringContext) -> None:
        self.ctx, declare = ctx, ctx.module.declare
        self.mix = declare((Type.I64,), (Type.I64,))
        self.draw = declare((Type.I64, Type.I64, Type.I32), (Type.I64,))
        self.drawn = ctx.memory.reserve(8)

    def write(self) -> None:
        """Write both."""
        self._write_mix()
        self._write_draw()

    def _write_mix(self) -> None:
        """The finaliser of SplitMix64."""
        body = self.ctx.module.body(self.mix)
        self._push_mixed(body, 0)
        self.ctx.module.define(self.mix, body)

    def _push_mixed(self, body: FunctionBody, word: int) -> None:
        """Mix a local, and push it."""
        for shift, factor in ((30, 0xBF58476D1CE4E5B9), (27, 0x94D049BB133111EB)):
            body.get(word)
            body.get(word)
            body.i64(shift)
            body.op(Op.I64_SHR_U, Op.I64_XOR)
            body.i64(factor)
            body.op(Op.I64_MUL)
            body.set(word)
        body.get(word)
        body.get(word)
        body.i64(31)
        body.op(Op.I64_SHR_U, Op.I64_XOR)

    def push_word(self, body: FunctionBody, key: int, counter: int) -> None:
        """Push 64 random bits, given a stream's key and counter in locals."""
        word = body.local(Type.I64)
        body.get(key)
        body.get(counter)
        body.i64(GAMMA)
        body.op(Op.I64_MUL, Op.I64_ADD)
        body.set(word)
        self._push_mixed(body, word)

    def _write_draw(self) -> None:
        """A number below the third argument, given a stream's key and counter; it is left in memory, the counter given.

        Numbers from the last, incomplete run are thrown away.
        """
        body = self.ctx.module.body(self.draw)
        key, counter, size = 0, 1, 2
        below, word, spare = body.local(Type.I64), body.local(Type.I64), body.local(Type.I64)
        body.get(size)
        body.op(Op.I64_EXTEND_I32_U)
        body.set(below)
        with body.loop() as again:
            self.push_word(body, key, counter)
            body.set(word)
            body.get(counter)
            body.i64(1)
            body.op(Op.I64_ADD)
            body.set(counter)
            body.get(word)
            body.i64(0)
            body.get(below)
            body.op(Op.I64_SUB, Op.I64_GE_U)
            with body.when():  # the last run, complete or not
                body.i64(0)
                body.get(below)
                body.op(Op.I64_SUB)
                body.get(below)
                body.op(Op.I64_REM_U)  # 2**64 modulo `below`
                body.set(spare)
                # thrown away: word >= 2**64 - spare, unless nothing is spare
                body.get(word)
                body.i64(0)
                body.get(spare)
                body.op(Op.I64_SUB, Op.I64_GE_U)
                body.get(spare)
                body.op(Op.I64_EQZ, Op.I32_EQZ, Op.I32_AND)
                body.branch_if(again)
        body.i32(0)
        body.get(word)
        body.get(below)
        body.op(Op.I64_REM_U, Op.I32_WRAP_I64)
        body.memory(Op.I32_STORE, self.drawn)
        body.get(counter)
        self.ctx.module.define(self.draw, body)
