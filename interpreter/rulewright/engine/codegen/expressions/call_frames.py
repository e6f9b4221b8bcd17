"""Frames of functions that are called: where the slots lie, and with what they begin."""

from __future__ import annotations

from rulewright.engine.codegen.expressions.expression_writer import ExpressionWriter
from rulewright.ir import model as m


def offsets(slots: tuple[m.Slot, ...]) -> tuple[int, ...]:
    """The offset of each slot in the frame, and the size of all."""
    found = [0]
    for slot in slots:
        found.append(found[-1] + (1 + slot.ty.capacity if slot.ty.kind == "list" else 1))
    return tuple(found)


def frame_code(x: ExpressionWriter, name: str, args: tuple[m.Expr, ...], caller: str) -> str:
    """The code of the frame of a function that is called with some arguments."""
    number = x.ctx.functions[name]
    function = x.ctx.program.functions[number]
    at = offsets(function.slots)
    parts: list[str] = []
    for order, (arg, slot) in enumerate(zip(args, function.slots, strict=False)):
        v = x.value(arg)
        if v.null and not slot.ty.optional:
            x.ctx.expect_none("slot", name, order)
        if slot.ty.kind == "list":
            x.ctx.helper("pad")
            parts.append(f"*pad({v.code}, {slot.ty.capacity}, {slot.name!r})")
        else:
            parts.append(v.code)
    parts += ["0"] * (at[-1] - at[len(args)])
    return f"({number}, 0, {caller}, {''.join(p + ', ' for p in parts)})"
