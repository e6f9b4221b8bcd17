"""Thresholds: the same condition is found in any of the ways in which it may be written."""

from __future__ import annotations

from typing import NamedTuple

from rulewright.ir import model as m
from rulewright.ir.comparison import mirrored


class Threshold(NamedTuple):
    """A condition that hangs on one number, or on how many members a set has."""

    counted: m.Expr
    """The number, or the set or list."""
    least: int
    reached: bool
    """True if it holds with at least so many, False if it holds with fewer."""


def threshold(e: m.Expr) -> Threshold | None:
    """A comparison of a number with one that is written; None of any other condition."""
    match e:
        case m.Not(inner):
            return _opposite(threshold(inner))
        case m.Cmp(op, m.Const(number), right) if not isinstance(right, m.Const):
            return threshold(m.Cmp(mirrored(op), right, m.Const(number)))
        case m.Cmp("ge" | "lt" as op, left, m.Const(number)):
            return Threshold(left, number, op == "ge")
        case m.Cmp("gt" | "le" as op, left, m.Const(number)):
            return Threshold(left, number + 1, op == "gt")
        case _:
            return None


def required_members(e: m.Expr) -> Threshold | None:
    """A condition whether a set or list has at least so many members, or fewer."""
    match e:
        case m.Not(inner):
            return _opposite(required_members(inner))
        case m.SetEq(held, m.Const(0)):
            return Threshold(held, 1, False)
        case m.Fold("some" | "no" as kind, (one,), where):
            return Threshold(_kept(one, where), 1, kind == "some")
        case m.Cmp("eq" | "ne" as op, counted, m.Const(0)) | m.Cmp("eq" | "ne" as op, m.Const(0), counted):
            found: Threshold | None = Threshold(counted, 1, op == "ne")
        case _:
            found = threshold(e)
    if found is None:
        return None
    match found.counted:
        case m.Size(held):
            return found._replace(counted=held)
        case m.Fold("count", (one,), where):
            return found._replace(counted=_kept(one, where))
        case _:
            return None


def _opposite(found: Threshold | None) -> Threshold | None:
    return None if found is None else found._replace(reached=not found.reached)


def _kept(one: m.Bound, where: m.Expr | None) -> m.Expr:
    return one.source if where is None else m.Filter(one.source, one.var, where, one.is_list)
