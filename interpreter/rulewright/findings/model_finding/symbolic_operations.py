"""Operations on values some of which are unknown: arithmetic, comparisons, sets, and what folds need."""

from __future__ import annotations

from typing import TypeAlias

import z3

from rulewright.findings.model_finding import symbolic_values as v
from rulewright.findings.model_finding.symbolic_values import Number, Truth, Unknowable, Value
from rulewright.ir import model as m
from rulewright.ir import set_operations
from rulewright.ir.arithmetic import ArithOp, applied
from rulewright.ir.comparison import applied as compares
from rulewright.ir.model import NONE
from rulewright.ir.set_operations import SetOperation

Key: TypeAlias = int | Number | list[tuple[Truth, int]]
"""A number: known, unknown, or one of several that are known, of which one condition holds."""

KNOWN = 64
"""The known numbers of which something may be one."""


def arithmetic(op: ArithOp, one: int | Number, other: int | Number) -> int | Number:
    """The result of an operation; none if one of both is none."""
    if isinstance(one, int) and isinstance(other, int):
        if NONE in (one, other):
            return NONE
        if other == 0 and op in ("div_up", "div_down", "mod"):
            raise Unknowable
        return applied(op, one, other)
    left, right = v.term(one), v.term(other)
    match op:
        case "add":
            found = left + right
        case "sub":
            found = left - right
        case "mul":
            found = left * right
        case "min":
            found = z3.If(left < right, left, right)
        case "max":
            found = z3.If(left > right, left, right)
        case "div_down" | "div_up" | "mod":
            if not isinstance(other, int) or other <= 0:
                raise Unknowable
            found = left % right if op == "mod" else left / right if op == "div_down" else -(-left / right)
        case _:
            raise Unknowable
    if not v.optional(one) and not v.optional(other):
        return Number(found, False)
    nothing = v.some((v.is_none(one), v.is_none(other)))
    return NONE if nothing is True else Number(z3.If(nothing, NONE, found), True)


def plain(one: Truth) -> Value:
    """A condition as a value: a known one is 0 or 1."""
    return int(one) if isinstance(one, bool) else one


def compared(e: m.Cmp, one: Key, other: Key) -> Value:
    """A comparison case by case: solvers are slow where numbers are chosen by conditions inside conditions."""
    if not isinstance(one, list) and not isinstance(other, list):
        return _of_two(e, one, other)
    left = one if isinstance(one, list) else [(True, one)]
    right = other if isinstance(other, list) else [(True, other)]
    if len(left) * len(right) > KNOWN**2 // 4:
        raise Unknowable
    pairs = ((here, there, _of_two(e, a, b)) for here, a in left for there, b in right)
    return plain(v.some(v.every((v.truth(holds), here, there)) for here, there, holds in pairs))


def _of_two(e: m.Cmp, one: int | Number, other: int | Number) -> Value:
    if isinstance(one, int) and isinstance(other, int):
        if NONE in (one, other) and not (e.op in ("eq", "ne") and (e.nothing or one != other)):
            return 0
        return int(compares(e.op, one, other))
    left, right = v.term(one), v.term(other)
    match e.op:
        case "eq":
            found = left == right
        case "ne":
            found = left != right
        case "lt":
            found = left < right
        case "le":
            found = left <= right
        case "gt":
            found = left > right
        case "ge":
            found = left >= right
        case _:
            raise Unknowable
    nothing = [v.is_none(one), v.is_none(other)]
    if e.op in ("eq", "ne"):  # none is like nothing, unless it is tested for; it differs from all but itself
        both = v.every(nothing)
        return plain(found if e.nothing else v.every((found, v.negated(both))))
    return plain(v.every((found, *map(v.negated, nothing))))


def greater(one: int | Number, other: int | Number) -> Truth:
    """A condition that one number is greater than another one; never evaluated for none."""
    if isinstance(one, int) and isinstance(other, int):
        return one > other
    found: z3.BoolRef = v.term(one) > v.term(other)
    return found


def same(one: Value, other: Value) -> Value | None:
    """Equality of two sets or known lists; None if one is a list that is not known."""
    if isinstance(one, int | tuple) and isinstance(other, int | tuple):
        return int(one == other)
    if isinstance(one, tuple) or isinstance(other, tuple):
        return None
    left, right = v.members(one), v.members(other)
    pairs = ((left.get(member, False), right.get(member, False)) for member in dict.fromkeys((*left, *right)))
    return plain(v.every(_alike(here, there) for here, there in pairs))


def _alike(one: Truth, other: Truth) -> Truth:
    if isinstance(one, bool):
        return other if one else v.negated(other)
    found: Truth = (one if other else v.negated(one)) if isinstance(other, bool) else one == other
    return found


def set_operation(op: SetOperation, one: Value, other: Value) -> Value:
    """An operation on two sets."""
    if isinstance(one, int) and isinstance(other, int):
        return set_operations.applied(op, one, other)
    left, right = v.members(one), v.members(other)
    found = dict[int, Truth]()
    for member in dict.fromkeys((*left, *right)):
        here, there = left.get(member, False), right.get(member, False)
        found[member] = set_operations.member_formula(op, here, there, v.every, v.some, v.negated)
    return {member: there for member, there in found.items() if there is not False}


def known_cases(value: Value) -> list[tuple[Truth, int]] | None:
    """The known values that one of several has, each with its condition; None if it is a number of which none is."""
    found = [(there, one) for there, one in v.flat(value) if isinstance(one, int)]
    return found if len(found) == len(v.flat(value)) else None


def addend(there: Truth, body: int | Number) -> int | z3.ArithRef:
    """Addend of a member of a sum: 0 if it is not there, or its body is none."""
    counts = v.every((there, v.negated(v.is_none(body))))
    if isinstance(counts, bool):
        return (body if isinstance(body, int) else body.term) if counts else 0
    return z3.If(counts, v.term(body), 0)


def extreme(highest: bool, found: int | Number, there: Truth, body: int | Number) -> int | Number:
    """The higher or lower one of what was found and of a body, where that counts."""
    counts = v.every((there, v.negated(v.is_none(body))))
    if counts is False:
        return found
    better = greater(body, found) if highest else greater(found, body)
    takes = v.every((counts, v.some((v.is_none(found), better))))
    if isinstance(takes, bool):
        return body if takes else found
    return Number(z3.If(takes, v.term(body), v.term(found)), v.optional(body) or v.optional(found))
