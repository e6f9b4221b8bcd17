"""Evaluates expressions that need no state: sizes, parameters, computed attributes, where pieces begin."""

from __future__ import annotations

from collections.abc import Mapping

from rulewright.program import model as m
from rulewright.program.model import NONE

Value = int | tuple[int, ...]


class NotConstant(Exception):
    """The expression depends on the state of the game."""


def members(bits: int) -> list[int]:
    """The members of a bit set, least first."""
    found = []
    while bits:
        low = bits & -bits
        found.append(low.bit_length() - 1)
        bits ^= low
    return found


def number(value: Value) -> int:
    """`value`, which must not be a list."""
    if isinstance(value, tuple):
        raise NotConstant
    return value


def evaluate(expr: m.Expr, env: Mapping[str, Value], tables: Mapping[str, m.Table]) -> Value:
    """The value of a closed expression with `env` for its variables; NotConstant if it asks the state."""

    def run(e: m.Expr) -> Value:
        return evaluate(e, env, tables)

    def num(e: m.Expr) -> int:
        return number(run(e))

    match expr:
        case m.Const(value):
            return value
        case m.ListConst(values):
            return values
        case m.Var(name) if name in env:
            return env[name]
        case m.Attr(table, of):
            at = num(of)
            return NONE if at == NONE else tables[table].values[at]
        case m.Arith(op, left, right):
            return _arith(op, num(left), num(right))
        case m.Cmp(op, left, right, nothing):
            return int(_compare(op, num(left), num(right), nothing))
        case m.And(items):
            return int(all(num(i) for i in items))
        case m.Or(items):
            return int(any(num(i) for i in items))
        case m.Not(operand):
            return int(not num(operand))
        case m.IfElse(condition, then, otherwise):
            return run(then) if num(condition) else run(otherwise)
        case m.LetIn(var, value, body):
            return evaluate(body, {**env, var: run(value)}, tables)
        case m.MakeList(items):
            return tuple(num(i) for i in items)
        case m.MakeSet(items):
            bits = 0
            for item in items:
                bits |= 1 << num(item)
            return bits
        case m.Span(low, high):
            return sum(1 << i for i in range(num(low), num(high) + 1))
        case m.SetOp(op, left, right):
            a, b = num(left), num(right)
            return a | b if op == "union" else a & b if op == "inter" else a & ~b
        case m.Size(of):
            got = run(of)
            return len(got) if isinstance(got, tuple) else got.bit_count()
        case m.Item(items_, at_):
            got, i = run(items_), num(at_)
            return got[i] if isinstance(got, tuple) and 0 <= i < len(got) else NONE
        case m.Contains(collection, item):
            got, i = run(collection), num(item)
            return int(i in got if isinstance(got, tuple) else i != NONE and bool(got >> i & 1))
        case _:
            raise NotConstant


def _arith(op: str, a: int, b: int) -> int:
    if NONE in (a, b):
        return NONE
    match op:
        case "add":
            return a + b
        case "sub":
            return a - b
        case "mul":
            return a * b
        case "min":
            return min(a, b)
        case "max":
            return max(a, b)
    if b == 0:
        raise NotConstant
    return -(-a // b) if op == "div_up" else a // b


def _compare(op: str, a: int, b: int, nothing: bool) -> bool:
    if not nothing and a == NONE and b == NONE:
        return False
    if op == "eq":
        return a == b
    if op == "ne":
        return a != b
    if NONE in (a, b):
        return False
    return {"lt": a < b, "le": a <= b, "gt": a > b, "ge": a >= b}[op]
