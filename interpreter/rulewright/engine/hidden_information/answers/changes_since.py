"""Values in frames of the stack, and changes since an instruction was carried out in a rule that still goes on."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any

from rulewright.engine.faults import Fault
from rulewright.engine.runtime.canonical_form import Frame
from rulewright.engine.runtime.machine import Engine
from rulewright.engine.runtime.visibility import dependence
from rulewright.ir import model as m
from rulewright.ir.control_flow.control_flow_graph import CallGraph, instructions_since, reads_slot, slots_stored
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
        known[place] = e, engine.compiled.in_frame(held.function, -1, lambda x, scope: x.value(e, scope))
    try:
        return known[place][1](cells, engine.registers(held.base), stack, held.base)
    except (Fault, IndexError):
        return None


def same_since(engine: Engine, frame: Frame, pc: int, e: m.Expr, stored: bool) -> bool:
    """True if an expression of a frame certainly has the value that it had for an instruction that was carried out;
    `stored`: when that stored what is in its slot now."""
    known, place = engine.cache("changes since"), (frame.function, pc, frame.pc, stored)
    if place not in known:
        known[place] = _changes_since(engine, frame, pc, stored)
    slots, tokens = known[place]
    return not reads_slot(e, slots) and dependence(engine).reads(e).isdisjoint(tokens)


def slots_since(engine: Engine, frame: Frame, pc: int) -> frozenset[int]:
    """The slots of a frame that may have been given something after an instruction stored what is in its slot now."""
    known, place = engine.cache("slots since"), (frame.function, pc, frame.pc)
    if place not in known:
        function = engine.program.functions[frame.function]
        known[place] = _slots(function.code[at] for at in instructions_since(function, pc, frame.pc, True))
    found: frozenset[int] = known[place]
    return found


def _changes_since(engine: Engine, frame: Frame, pc: int, stored: bool) -> tuple[frozenset[int], frozenset[str]]:
    """The slots and, as the analysis of effects names it, whatever else may have been written since."""
    function = engine.program.functions[frame.function]
    done = [function.code[at] for at in sorted(instructions_since(function, pc, frame.pc, stored))]
    here = function.code[frame.pc]
    called = {i.function for i in (*done, here) if isinstance(i, m.Call)}
    closures = engine.once("called functions", lambda p: CallGraph(p.functions).closures(lambda f: f.name))
    below = frozenset[object]().union(*(closures[name] for name in called))
    written = [*done, *(i for f in engine.program.functions if f.name in below for i in f.code)]
    return _slots((function.code[pc], *done)), frozenset[str]().union(*(dependence(engine).writes(i) for i in written))


def _slots(done: Iterable[m.Instr]) -> frozenset[int]:
    return frozenset[int]().union(*map(slots_stored, done))
