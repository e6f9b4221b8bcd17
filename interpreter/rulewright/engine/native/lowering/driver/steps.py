"""Work that is handed out by steps."""

from __future__ import annotations

from rulewright.engine.native.lowering.lowering_context import LoweringContext
from rulewright.engine.native.webassembly.function_body import FunctionBody
from rulewright.engine.native.webassembly.terms import Term
from rulewright.ir.step_costs import WORK


def give_steps(body: FunctionBody, ctx: LoweringContext, steps: Term) -> None:
    """Let the rules make so many steps, with as much work as may be done in them."""
    body.set(ctx.budget, steps)
    body.set(ctx.work, steps * WORK)
