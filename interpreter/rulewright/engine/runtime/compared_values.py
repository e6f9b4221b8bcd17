"""Both sides of the comparison because of which an invariant or property does not hold."""

from __future__ import annotations

from collections.abc import Callable

from rulewright.engine.runtime.position import Position
from rulewright.engine.runtime.readable import readable
from rulewright.ir import model as m
from rulewright.ir.comparison import CmpOp
from rulewright.ir.folds import type_of

Value = Callable[[m.Expr], int | tuple[int, ...] | None]
"""The raw value of a part of the condition, for the member for which it fails."""

_SIGNS: dict[CmpOp, str] = {"lt": "<", "le": "<=", "gt": ">", "ge": ">=", "eq": "is", "ne": "is not"}
_NUMBERS = (m.Arith, m.Size)
_MOST = 60
"""Longer sets are not told."""


def sides(condition: m.Expr, state: Position, value: Value) -> str:
    """The sides of the first comparison that fails, such as ``5 <= 4``; empty if it is about something else.

    Of a chain of ``or`` all fail, and all are told.
    """
    match condition:
        case m.And(items):
            return next((sides(item, state, value) for item in items if not value(item)), "")
        case m.Or(items):
            told = [sides(item, state, value) for item in items]
            return " or ".join(told) if all(told) else ""
        case m.Cmp(op):
            one, other = condition.left, condition.right
            found = [_told(part, state, value, _type(one, state) or _type(other, state)) for part in (one, other)]
            return f"{found[0]} {_SIGNS[op]} {found[1]}" if all(found) else ""
        case m.Contains():
            item, held = condition.item, condition.collection
            ty = _type(item, state)
            several = m.Ty("list" if condition.is_list else "set", ty.universe or "Int") if ty is not None else None
            found = [_told(item, state, value, ty), _told(held, state, value, several)]
            return f"{found[0]} in {found[1]}" if all(found) else ""
        case _:
            return ""


def _type(e: m.Expr, state: Position) -> m.Ty | None:
    """The type of an expression, where it can be read off."""
    program = state.engine.program
    match e:
        case m.FieldGet(name):
            return next(f.ty for f in program.fields if f.name == name)
        case m.Attr(table):
            return next(t.ty for t in program.tables if t.name == table)
        case m.CallQuery(query):
            return next(q.ty for q in program.queries if q.name == query)
        case m.Old():
            return _type(e.of, state)
        case m.Fold(kind):
            return type_of(kind)
        case _:
            return m.INT if isinstance(e, _NUMBERS) else None


def _told(e: m.Expr, state: Position, value: Value, ty: m.Ty | None) -> str:
    raw = value(e)
    if raw is None or ty is None:
        return ""
    shown = readable(state.engine, ty, raw)
    if isinstance(shown, tuple):
        text = ", ".join(map(str, shown))
        return f"{{{text}}}" if len(text) <= _MOST else ""
    if shown is None or isinstance(shown, bool):
        return str(shown).lower()
    return str(shown)
