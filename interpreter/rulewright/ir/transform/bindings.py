"""Bindings: a variable with a value, unless the value can stand where the variable is (copy propagation).

A pass that writes something in another place binds what it is given; if each part were a variable, no later pass would
see what it is.
"""

from __future__ import annotations

from typing import Any

from rulewright.foundation.tree_fields import below
from rulewright.ir import model as m
from rulewright.ir.transform.rewriting import INSIDE, Rewriter
from rulewright.ir.transform.substitution import substituted
from rulewright.ir.walk import ExprFacts

PLAIN = (m.Const, m.ListConst, m.Var, m.Local, m.Kind)
"""Values that may stand anywhere, and as often as one likes: they cost no more than a variable, in any state."""

OFTEN = 2
"""So many uses, or more; one in a loop or in another state counts as so many."""


def bound(rewriter: Rewriter, facts: ExprFacts, let: m.LetIn) -> m.Expr:
    """An expression in which a variable has a value; the same binding, if it is worth one."""
    name, value, body = let.var, let.value, let.body
    if isinstance(value, PLAIN):
        return substituted(rewriter, body, {name: value})
    used = 0 if name not in facts.free(body) else _uses(name, body)
    if used < OFTEN and not facts.fallible(value):
        return substituted(rewriter, body, {name: value})
    return let


def _uses(name: str, e: m.Expr) -> int:
    """The uses of a variable; with others of its name, which makes them more but never fewer."""
    found = 0
    waiting: list[tuple[Any, bool]] = [(e, False)]
    while waiting and found < OFTEN:
        node, often = waiting.pop()
        if isinstance(node, m.Var):
            found += (OFTEN if often else 1) if node.name == name else 0
        elif type(node) is tuple:
            waiting += [(one, often) for one in node]
        elif names := below(type(node)):
            again = _again(node)
            waiting += [(getattr(node, part), often or part in again) for part in names]
    return found


def _again(node: object) -> tuple[str, ...]:
    """The parts of a node that are worked out several times, or in another state."""
    match node:
        case m.LetIn():
            return ()
        case m.Fold():
            return ("binds", "where", "body")
        case m.After() | m.Old():
            return ("of",)
        case _:
            return INSIDE.get(type(node), ())


__all__ = ["PLAIN", "bound"]
