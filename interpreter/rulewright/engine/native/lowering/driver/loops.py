"""Parts of code that are written again and again: counted loops, places in tables, the lesser of two numbers."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager

from rulewright.engine.native.lowering.lowering_context import LoweringContext
from rulewright.engine.native.webassembly.encoding import Op
from rulewright.engine.native.webassembly.function_body import FunctionBody
from rulewright.ir.step_costs import WORK


def give_work(body: FunctionBody, ctx: LoweringContext) -> None:
    """Let there be as much work as may be done in so many steps, which are on the stack."""
    body.i64(WORK)
    body.op(Op.I64_MUL)
    body.set_global(ctx.work)


def push_scaled(body: FunctionBody, local: int, by: int) -> None:
    """Push a local times a power of two."""
    body.get(local)
    body.i32(by.bit_length() - 1)
    body.op(Op.I32_SHL)


def push_least(body: FunctionBody, one: int, other: int) -> None:
    """Push the lesser of two locals of 32 bits."""
    for local in (one, other, one, other):
        body.get(local)
    body.op(Op.I32_LT_S, Op.SELECT)


@contextmanager
def counted(body: FunctionBody, at: int, push_end: Callable[[], None]) -> Iterator[None]:
    """Code for each number from a local on, below what is pushed."""
    with body.block() as out, body.loop() as again:
        body.get(at)
        push_end()
        body.op(Op.I32_GE_S)
        body.branch_if(out)
        yield
        body.increase(at, 1)
        body.branch(again)
