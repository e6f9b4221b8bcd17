"""Sets by a value: for each of a few values the members that have it lie side by side in memory."""

from __future__ import annotations

from rulewright.engine.native.lowering.expressions.expression_lowering import Address, ExpressionLowering
from rulewright.engine.native.values import Value, constant_set, present
from rulewright.engine.native.webassembly.terms import select
from rulewright.engine.native.word_sizes import words
from rulewright.ir.model import NONE


def printed_members(lower: ExpressionLowering, table: str, v: Value, nothing: bool) -> Value:
    """The members on which a value is printed; with `nothing` none is equal to none."""
    printed = lower.ctx.found.printed(table)
    if v.constant is not None:
        is_wanted = v.known != NONE or nothing
        return constant_set(sum(1 << n for n, one in enumerate(printed.values) if is_wanted and one == v.known))
    at = lower.ctx.memory.sets(printed.sets, words(len(printed.values)))
    return members_with(lower, at, (printed.low, printed.high), len(printed.values), v, nothing)


def members_with(
    lower: ExpressionLowering, at: int, bounds: tuple[int, int], keys: int, v: Value, nothing: bool
) -> Value:
    """The set of a value among sets that begin with that of none and end with an empty one."""
    low, high = bounds
    span, empty = 8 * words(keys), high - low + 2
    none = 0 if nothing else empty
    if v.constant is not None:
        row = none if v.known == NONE else v.known - low + 1 if low <= v.known <= high else empty
        return Address(lower.writer, at + row * span, [], []).load_set(keys, False)
    body, slot = lower.body, lower.body.local()
    body.set(slot, v.term - (low - 1))
    if v.low < low or v.high > high:
        body.set(slot, select(slot, empty, slot.lt_u(empty) & slot.ne(0)))
    if v.null:
        body.set(slot, select(slot, none, present([v])))
    return Address(lower.writer, at, [(Value((slot,), low=0, high=empty), span)], []).load_set(keys, False)


__all__ = ["members_with", "printed_members"]
