"""Conditions put together: all of them, any of them, and that nothing refuses."""

from __future__ import annotations

from rulewright.ir import model as m

YES = m.Const(1)
NO = m.Const(0)


def all_of(*items: m.Expr) -> m.Expr:
    """All of these conditions."""
    kept = tuple(i for i in items if i != YES)
    if NO in kept:
        return NO
    return YES if not kept else kept[0] if len(kept) == 1 else m.And(kept)


def any_of(*items: m.Expr) -> m.Expr:
    """Any of these conditions, of which there is one at least."""
    return items[0] if len(items) == 1 else m.Or(items)


def let_in(var: str, value: m.Expr, body: m.Expr) -> m.Expr:
    """A condition in which a variable has a value."""
    return body if isinstance(body, m.Const) else m.LetIn(var, value, body)


def not_refused(restriction: m.Restriction) -> m.Expr:
    """The condition that a restriction does not refuse."""
    return m.Or((m.Not(restriction.condition), *(u.condition for u in restriction.unless)))
