"""Moves to where not everyone can count the pieces.

All see what goes there if they see where it has lain, but they may forget it before the next question, when something
may leave that place unobserved (:mod:`.unobserved_moves`). So a narration has to look right after such a move.
"""

from __future__ import annotations

from rulewright.ir import model as m
from rulewright.ir.control_flow.control_flow_graph import callees
from rulewright.ir.control_flow.graph_algorithms import reachable
from rulewright.ir.declared_sight import sight_of


def uncounted(program: m.Program) -> frozenset[str]:
    """The zones that not everyone can always count."""
    sight = sight_of(program)
    return frozenset(z.name for z in program.zones if not sight.everybody(z, "count"))


def moves_out_of_sight(program: m.Program) -> frozenset[tuple[str, int]]:
    """The moves to zones that not everyone can count, and the calls that may come to one; none without lines of the
    rules, which need no listener."""
    if not any(isinstance(i, m.Tell) for f in program.functions for i in f.code):
        return frozenset()
    zones = uncounted(program)
    moving = {f.name for f in program.functions if any(isinstance(i, m.Move) and i.zone in zones for i in f.code)}
    callers: dict[str, list[str]] = {"": sorted(moving)}
    for f in program.functions:
        for called in callees(f):
            callers.setdefault(called, []).append(f.name)
    found = reachable(callers, "")
    return frozenset(
        (f.name, pc)
        for f in program.functions
        for pc, i in enumerate(f.code)
        if (isinstance(i, m.Move) and i.zone in zones) or (isinstance(i, m.Call) and i.function in found)
    )
