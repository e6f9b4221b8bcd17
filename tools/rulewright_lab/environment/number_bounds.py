"""The numbers that a question about whole numbers may offer, or that chance may draw."""

from __future__ import annotations

from rulewright.ir import MAX_NUMBER_BITS, interval
from rulewright.ir import model as m


def bounds(source: m.Expr | None, ty: m.Ty) -> tuple[int, int]:
    """The least and the greatest number, from what is offered and the type of what is answered."""
    while isinstance(source, m.Filter):
        source = source.source
    match source:
        case m.IntRange(low, high) if (least := interval(low)) is not None and (most := interval(high)) is not None:
            return least[0], max(least[0], min(most[1], MAX_NUMBER_BITS - 1))
        case m.Const(int(members)) if members > 0:
            return (members & -members).bit_length() - 1, members.bit_length() - 1
        case _:
            bounded = ty.low >= -MAX_NUMBER_BITS and ty.high < MAX_NUMBER_BITS
            return (ty.low, ty.high) if bounded else (0, MAX_NUMBER_BITS - 1)
