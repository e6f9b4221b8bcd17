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
    if name not in flow.calls and name not in _OPEN:
        return True  # the name of a step
    called = flow.reached(word for body in bodies for word in flow.named(body))
    if name in flow.calls:
        return name in called
    inside = (*bodies, *(flow.calls[word].body for word in called))
    return any(isinstance(node, _OPEN[name]) for body in inside for node in nodes(body))
