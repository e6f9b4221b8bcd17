"""Zones of which the rules show something before the last decision.

What is shown when all is over, such as the hands that are compared at the end, reveals nothing before that.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from rulewright.foundation.memo import memoized_by_node
from rulewright.ir import model as m
from rulewright.ir.control_flow.questions import QuestionsBehind
from rulewright.ir.walk import nodes


def shown_zones(program: m.Program) -> frozenset[str] | None:
    """The zones of which something is shown before a question; None if that is unknown."""
    shown = [zones for zones, _ in _shown_before_questions(program)]
    return frozenset().union(*shown) if all(shown) else None


def wholly_shown_zones(program: m.Program) -> frozenset[str]:
    """The zones of which everything is shown at once before a question, so that the number of pieces is known, too."""
    return frozenset(e.zone for _, e in _shown_before_questions(program) if isinstance(e, m.ZoneGet | m.ZoneList))


def _shown_before_questions(program: m.Program) -> Iterator[tuple[frozenset[str], m.Expr]]:
    showing = [function for function in program.functions if _shown_by(function)]
    behind = QuestionsBehind(program) if showing else None
    for function in showing:
        for pc, shown in _shown_by(function).items():
            if behind is not None and behind.asks(function.name, pc):
                yield shown


@memoized_by_node
def _shown_by(function: m.Function) -> Mapping[int, tuple[frozenset[str], m.Expr]]:
    """For each instruction that shows something the zones of which it does, and what is shown; no zones: unknown."""
    return {
        pc: (frozenset(n.zone for n in nodes(i.what) if isinstance(n, m.ZoneGet | m.ZoneList | m.Top)), i.what)
        for pc, i in enumerate(function.code)
        if isinstance(i, m.Show)
    }


__all__ = ["shown_zones", "wholly_shown_zones"]
