"""EXM101: an amount that is bounded by what somebody has, and not taken from it."""

from __future__ import annotations

from collections.abc import Iterator

from rulewright.examination.analyses.amounts.unpaid_price import asked_prices
from rulewright.examination.examined_program import ExaminedProgram
from rulewright.examination.findings import Suspect
from rulewright.ir import model as m
from rulewright.ir.control_flow.control_flow_graph import reads_slot
from rulewright.ir.walk import nodes
from rulewright.syntax import ast


def untaken_amounts(examined: ExaminedProgram) -> Iterator[Suspect]:
    """As much as somebody has at most is worked out of a currency and of other things, and of all these only one of the
    other things changes by it.
    """
    currencies = {one.price.resource for one in asked_prices(examined) if one.paid}
    for function in examined.functions.values():
        for pc, i in enumerate(function.code):
            if not isinstance(i, m.SetLocal) or function.slots[i.slot].ty.kind != "int":
                continue
            least = {part for part in _least(i.value) if isinstance(part, m.FieldGet)}
            had = [part for part in least if part.field in currencies and part.index]
            asks = (at for at in range(pc + 1, len(function.code)) if isinstance(function.code[at], m.Choose))
            behind = function.code[pc + 1 : next(asks, None)]
            used = [one for one in behind if reads_slot(one, frozenset((i.slot,)))]
            changed = {(one.field, one.index) for one in used if isinstance(one, m.SetField) and _takes(one, i.slot)}
            for part in had:
                written = any(isinstance(one, m.SetField) and one.field == part.field for one in behind)
                called = any(f"field {part.field}" in examined.effects.writes(one) for one in used)
                if not written and not called and changed & {(one.field, one.index) for one in least - {part}}:
                    name = function.slots[i.slot].name
                    yield Suspect(
                        "EXM101",
                        function.name,
                        name,
                        f"`{name}` is at most what there is of `{part.field}`, but nothing of it is ever taken here",
                        f"take it where it is asked for: `{part.field}[…] -= {name}`",
                        kinds=(ast.Let,),
                        given=name,
                    )


def _least(e: m.Expr) -> Iterator[m.Expr]:
    """The numbers of which an expression is the least."""
    match e:
        case m.Arith("min", left, right):
            yield from _least(left)
            yield from _least(right)
        case _:
            yield e


def _takes(i: m.SetField, slot: int) -> bool:
    match i.value:
        case m.Arith("sub", m.FieldGet(field, index), amount):
            return (field, index) == (i.field, i.index) and any(node == m.Local(slot) for node in nodes(amount))
        case _:
            return False


__all__ = ["untaken_amounts"]
