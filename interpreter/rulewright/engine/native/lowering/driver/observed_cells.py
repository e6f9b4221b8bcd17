"""The cells that observations are written from: rows of them, and what players remember."""

from __future__ import annotations

from rulewright.engine.native.lowering.lowering_context import LoweringContext
from rulewright.engine.native.values import Unsupported
from rulewright.engine.native.webassembly.terms import Term, mem32


def rows_of_cells(ctx: LoweringContext, first: int, count: int, span: int) -> tuple[int, int]:
    """The address of the first of some rows of cells, and the bytes from one to the next."""
    memory, places = ctx.memory, range(first, first + count * span, span)
    found = [memory.cell_at[place] for place in places]
    step = found[1] - found[0] if count > 1 else 0
    if any(one != found[0] + number * step for number, one in enumerate(found)):
        raise Unsupported("observations of such fields")
    return found[0], step


def knows(ctx: LoweringContext, player: Term, piece: Term) -> Term:
    """1 if a player remembers a piece, else 0."""
    first, step = rows_of_cells(ctx, ctx.layout.known, ctx.program.players, 1)
    return mem32(player * step + (piece >> 5 << 2), first) >> (piece & 31) & 1
