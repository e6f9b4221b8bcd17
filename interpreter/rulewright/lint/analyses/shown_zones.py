"""Zones of which the rules show something before the last decision.

What is shown when all is over, such as the hands that are compared at the end, reveals nothing before that.
"""

from __future__ import annotations

from collections.abc import Mapping

from rulewright.foundation.memo import memoized_by_node
from rulewright.ir import model as m
from rulewright.ir.control_flow.questions import QuestionsBehind
from rulewright.ir.walk import nodes


def shown_zones(program: m.Program) -> frozenset[str] | None:
    """The zones of which something is shown before a question; None if that is unknown."""
    showing = [function for function in program.functions if _shown_by(function)]
    if not showing:
        return frozenset()
    behind = QuestionsBehind(program)
    shown = [
        zones for function in showing for pc, zones in _shown_by(function).items() if behind.asks(function.name, pc)
    ]
    return frozenset().union(*shown) if all(shown) else None


@memoized_by_node
def _shown_by(function: m.Function) -> Mapping[int, frozenset[str]]:
    """For each instruction that shows something the zones of which it does; empty: that is unknown."""
    return {
        pc: frozenset(n.zone for n in nodes(i.what) if isinstance(n, m.ZoneGet | m.ZoneList | m.Top))
        for pc, i in enumerate(function.code)
        if isinstance(i, m.Show)
    }


__all__ = ["shown_zones"]
