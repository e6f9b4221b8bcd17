"""Functions that call those of the rules: one for each that is called in many places, which would all do the same."""

from __future__ import annotations

from collections import Counter
from functools import cached_property

from rulewright.engine.native.lowering.expressions.call_frames import CallFrames
from rulewright.engine.native.lowering.expressions.expression_table import expressions
from rulewright.engine.native.lowering.function_writer import FunctionWriter
from rulewright.engine.native.lowering.lowering_context import LoweringContext
from rulewright.engine.native.memory_map import CALLER
from rulewright.engine.native.webassembly.encoding import Op, Type
from rulewright.ir import model as m

MANY = 4
"""So many places are worth a function."""


class CallFunctions:
    """The numbers of the functions; each is written when it is first asked for."""

    def __init__(self, ctx: LoweringContext) -> None:
        self.ctx = ctx
        self._numbers: dict[str, int] = {}

    def of(self, name: str) -> int | None:
        """The function that calls one of the rules: given the address of the new frame, that of the caller, and the
        arguments, it tells why that one has stopped. None if it is called in few places, or takes sets or lists."""
        if name not in self._numbers:
            ctx = self.ctx
            function = ctx.program.functions[ctx.functions[name]]
            params = function.slots[: self._params.get(name, 0)]
            if self._calls[name] < MANY or any(slot.ty.kind in ("set", "list") for slot in params):
                return None
            if ctx.calls.cycle(name) is not None:
                return None
            self._numbers[name] = ctx.module.declare((Type.I32,) * (2 + len(params)), (Type.I32,))
            self._write(name, params)
        return self._numbers[name]

    def _write(self, name: str, params: tuple[m.Slot, ...]) -> None:
        ctx, number = self.ctx, self._numbers[name]
        body = ctx.module.body(number, "calls")
        at, caller, status = 0, 1, body.local(Type.I32)
        w = FunctionWriter(ctx, body)
        args = [ctx.typed((2 + order,), slot.ty, False) for order, slot in enumerate(params)]
        CallFrames(expressions(w)).begin(name, args, at)
        body.get(at)
        body.get(caller)
        body.memory(Op.I32_STORE, CALLER)
        body.get(at)
        body.set_global(ctx.frame)
        body.get(at)
        body.i32(0)
        body.call(ctx.function_numbers[ctx.functions[name]])
        if name in ctx.at_once:  # nobody has dropped its frame, unless the game is over
            body.tee(status)
            body.op(Op.I32_EQZ)
            with body.when():
                body.get(caller)
                body.set_global(ctx.frame)
            body.get(status)
        ctx.module.define(number, body)

    @cached_property
    def _calls(self) -> Counter[str]:
        return Counter(i.function for i in self._all())

    @cached_property
    def _params(self) -> dict[str, int]:
        """For each function that is called the number of its arguments."""
        return {i.function: len(i.args) for i in self._all()}

    def _all(self) -> list[m.Call]:
        return [i for f in self.ctx.program.functions for i in f.code if isinstance(i, m.Call)]


__all__ = ["CallFunctions"]
