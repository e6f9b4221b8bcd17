"""Conditions, taken apart and put together."""

from __future__ import annotations

from rulewright.ir import model as m


def conjuncts(e: m.Expr) -> list[m.Expr]:
    """The parts of an ``and``, flat."""
    return [part for item in e.items for part in conjuncts(item)] if isinstance(e, m.And) else [e]


def refuses(restriction: m.Restriction) -> m.Expr:
    """The condition under which a restriction refuses a candidate."""
    return m.And((restriction.condition, *(m.Not(x.condition) for x in restriction.unless)))


def allowed(restrictions: tuple[m.Restriction, ...]) -> list[m.Expr]:
    """The conditions that no restriction refuses."""
    return [
        m.Not(m.And((r.condition, *(m.Not(x.condition) for x in r.unless)))) if r.unless else m.Not(r.condition)
        for r in restrictions
    ]


__all__ = ["allowed", "conjuncts", "refuses"]
