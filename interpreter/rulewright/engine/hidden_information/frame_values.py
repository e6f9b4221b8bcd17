"""Values of expressions in a frame of the stack, as they are now."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from rulewright.engine.faults import Fault
from rulewright.engine.runtime.canonical_form import Frame
from rulewright.engine.runtime.machine import Engine, frame_function
from rulewright.ir import model as m
from rulewright.ir.model import NONE


def value_or_none(engine: Engine, cells: list[int], stack: Sequence[int], held: Frame, e: m.Expr) -> int:
    """The value of an expression in a frame; :data:`NONE` if it cannot be evaluated."""
    found = evaluate_in_frame(engine, cells, stack, held, e)
    return NONE if found is None else found


def evaluate_in_frame(engine: Engine, cells: list[int], stack: Sequence[int], held: Frame, e: m.Expr) -> int | None:
    """The value of an expression in a frame; Python's None if it cannot be evaluated."""
    known: dict[Any, tuple[m.Expr, Callable[..., int]]] = engine.cache("values in frames")
    place = (held.function, id(e))
    if place not in known:
        known[place] = (
            e,
            frame_function(engine, held.function, lambda code: code.w.line(f"return {code.x.value(e).code}")),
        )
    try:
        return known[place][1](cells, engine.registers(held.base), stack, held.base)
    except (Fault, IndexError):
        return None
