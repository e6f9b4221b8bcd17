"""Expressions as text for people: arithmetic, comparisons, folds and reads as in the language, slots as ``%n``,
everything else as the node and its parts."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import MISSING, fields, is_dataclass
from typing import Any, cast

from rulewright.ir import model as m
from rulewright.ir.arithmetic import ArithOp
from rulewright.ir.comparison import CmpOp
from rulewright.ir.walk import EXPR_TYPES

_ARITHMETIC: dict[ArithOp, str] = {
    "add": "+", "sub": "-", "mul": "*", "div_up": "div_up", "div_down": "div_down", "mod": "mod", "min": "min",
    "max": "max",
}  # fmt: skip
_COMPARISONS: dict[CmpOp, str] = {"eq": "==", "ne": "!=", "lt": "<", "le": "<=", "gt": ">", "ge": ">="}


def expression_text(e: m.Expr) -> str:
    """An expression on one line."""
    match e:
        case m.Const(number):
            return "none" if number == m.NONE else str(number)
        case m.ListConst(values):
            return f"[{', '.join(map(str, values))}]"
        case m.Var(name) | m.Kind(name) | m.Alive(name):
            return name
        case m.Local(slot):
            return f"%{slot}"
        case m.Attr(table, of):
            return f"{table}({expression_text(of)})"
        case m.Arith(op, left, right):
            return f"({expression_text(left)} {_ARITHMETIC[op]} {expression_text(right)})"
        case m.Cmp(op, left, right):
            return f"({expression_text(left)} {_COMPARISONS[op]} {expression_text(right)})"
        case m.SetOp(op, left, right):
            return f"({expression_text(left)} {op} {expression_text(right)})"
        case m.SetEq(left, right):
            return f"({expression_text(left)} == {expression_text(right)})"
        case m.And(items):
            return f"({' and '.join(map(expression_text, items))})"
        case m.Or(items):
            return f"({' or '.join(map(expression_text, items))})"
        case m.Not(operand):
            return f"not {expression_text(operand)}"
        case m.Contains(collection, item):
            return f"({expression_text(item)} in {expression_text(collection)})"
        case m.MakeSet(items):
            return f"{{{_listed(items)}}}"
        case m.MakeList(items):
            return f"[{_listed(items)}]"
        case m.IntRange(low, high):
            return f"{{{expression_text(low)} .. {expression_text(high)}}}"
        case m.Filter(source, var, where):
            return f"{{{var} in {expression_text(source)} where {expression_text(where)}}}"
        case m.Fold(kind, binds, where, body):
            bound = ", ".join(f"{bind.var} in {expression_text(bind.source)}" for bind in binds)
            condition = "" if where is None else f" where {expression_text(where)}"
            value = "" if body is None else f": {expression_text(body)}"
            return f"({kind} {bound}{condition}{value})"
        case m.Reaches(source, var, where):
            return f"(reached {var} in {expression_text(source)} where {expression_text(where)})"
        case m.IfElse(condition, then, otherwise):
            branches = f"{expression_text(then)} else {expression_text(otherwise)}"
            return f"(if {expression_text(condition)} then {branches})"
        case m.LetIn(var, value, body):
            return f"(let {var} = {expression_text(value)} in {expression_text(body)})"
        case m.FieldGet(name, index) | m.ZoneGet(name, index) | m.ZoneList(name, index):
            return name + _index(index)
        case m.CallQuery(name, args):
            return f"{name}({_listed(args)})"
        case _:
            return node_text(e)


def _index(index: Iterable[m.Expr]) -> str:
    inner = _listed(index)
    return f"[{inner}]" if inner else ""


def _listed(items: Iterable[m.Expr]) -> str:
    return ", ".join(map(expression_text, items))


def node_text(node: Any) -> str:
    """A node as its name and its parts, without those that are as usual."""
    return f"{type(node).__name__}({', '.join(_parts(node))})"


def _parts(node: Any) -> Iterator[str]:
    for f in fields(node):
        value = getattr(node, f.name)
        if f.default is not MISSING and value == f.default:
            continue
        yield _part(value)


def _part(value: Any) -> str:
    if isinstance(value, tuple):
        return f"({', '.join(map(_part, value))})"
    if isinstance(value, EXPR_TYPES):
        return expression_text(cast(m.Expr, value))
    return node_text(value) if is_dataclass(value) else str(value)
