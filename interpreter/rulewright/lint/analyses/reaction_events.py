"""Events that reactions wait for, and whether they happen."""

from __future__ import annotations

from rulewright.compiler.tree_walk import nodes
from rulewright.lint.analyses.control_flow import FlowAnalysis
from rulewright.syntax import ast

_OPEN: dict[str, type[ast.Node]] = {"rolls": ast.Roll}
"""Events that are no procedures, with the statements that are such an event."""


def event_of(reaction: ast.Reaction) -> str:
    """The name of what a reaction waits for."""
    event = reaction.event.operand if isinstance(reaction.event, ast.Call) else reaction.event
    return event.name if isinstance(event, ast.Name) else ""


def happens(name: str, bodies: list[object], flow: FlowAnalysis) -> bool:
    """True if an event happens somewhere in these rules."""
    if name in flow.calls:
        return any(name in flow.reached(flow.named(body)) for body in bodies)
    if name in _OPEN:
        called = [flow.calls[n].body for body in bodies for n in flow.reached(flow.named(body))]
        return any(isinstance(n, _OPEN[name]) for body in (*bodies, *called) for n in nodes(body))
    return True  # the name of a step
