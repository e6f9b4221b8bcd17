"""Functions that call those of the rules: one for each that is called in many places, which would all do the same."""

from __future__ import annotations

from collections import Counter
from functools import cached_property

from rulewright.engine.native.lowering.expressions.expression_table import expressions
from rulewright.engine.native.lowering.expressions.state.call_frames import CallFrames
from rulewright.engine.native.lowering.function_writer import FunctionWriter
from rulewright.engine.native.lowering.lowering_context import LoweringContext
from rulewright.engine.native.memory_map import CALLER
from rulewright.engine.native.webassembly.terms import I32, call, mem32
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
            self._numbers[name] = ctx.module.declare((I32,) * (2 + len(params)), (I32,))
            self._write(name, params)
        return self._numbers[name]

    def _write(self, name: str, params: tuple[m.Slot, ...]) -> None:
        ctx = self.ctx
        with ctx.module.writing(self._numbers[name], "calls") as (body, [at, caller, *given]):
            status = body.local()
            writer = FunctionWriter(ctx, body)
            args = [ctx.typed((one,), slot.ty, False) for one, slot in zip(given, params, strict=True)]
            CallFrames(expressions(writer)).begin(name, args, at)
            body.set(mem32(at, CALLER), caller)
            body.set(ctx.frame, at)
            stopped = call(ctx.function_numbers[ctx.functions[name]], at, 0)
            if name in ctx.at_once:  # nobody has dropped its frame, unless the game is over
                with body.when(status.tee(stopped).eqz()):
                    body.set(ctx.frame, caller)
                stopped = status
            body.push(stopped)

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
