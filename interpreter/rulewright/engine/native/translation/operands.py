"""Operands of expressions while a kernel is translated, arithmetic on them, and errors that name file and line."""

from __future__ import annotations

import ast
import operator
from collections.abc import Callable
from typing import Any, NoReturn

from rulewright.engine.native.translation.record_layout import (
    F64,
    I32,
    I64,
    INT,
    REAL,
    WORD,
    Address,
    Kind,
    Link,
    Row,
    Scalar,
)
from rulewright.engine.native.webassembly.terms import Local, Memory, Term, const, mem32, mem64, mem_real, real
from rulewright.engine.random_numbers import MASK
from rulewright.foundation.lazy_dataclass import dataclass


class Untranslatable(Exception):
    """Raised where a kernel holds something that its subset of Python does not have."""


@dataclass(frozen=True, slots=True)
class Static:
    """A constant: it is known while code is translated."""

    value: Any


@dataclass(frozen=True, slots=True)
class Bound:
    """The implementation of an interface."""

    binding: Any
    protocol: type


@dataclass(frozen=True, slots=True)
class Value:
    """A value in machine code; of an address, a number of bytes may be added to the term."""

    kind: Kind
    term: Term
    offset: int = 0

    @property
    def plain(self) -> Term:
        """The value as one term."""
        return self.term + self.offset if self.offset else self.term


Operand = Static | Bound | Value
ZERO = const(0)
"""In place of the address of what lies at a known one, which is its offset."""
TRUTH = Scalar(I32)
ANY_LINKS = Row(Link(object))
"""The type of a new row of addresses, whatever they are of."""
_LOADS: dict[Any, Callable[..., Memory]] = {I32: mem32, I64: mem64, F64: mem_real}


def load(kind: Kind, at: Term, offset: int) -> Memory:
    """A load from an address."""
    return _LOADS[kind.kind](at, offset)


class Refused(Exception):
    """Raised with what an expression lacks; the place is added by who translates it."""


def refused(message: str) -> NoReturn:
    """Say what is wrong."""
    raise Refused(message)


def lowered(operand: Operand, kind: Kind) -> Term:
    """An operand as a term of a type."""
    if isinstance(operand, Static):
        return _constant(operand.value, kind)
    if isinstance(operand, Bound):
        refused("an interface is no value")
    given, wanted = operand.kind, kind
    if isinstance(given, Scalar) and isinstance(wanted, Scalar):
        match given.kind, wanted.kind:
            case (one, other) if one is other:
                return operand.term
            case (one, other) if one is I32 and other is F64:
                return operand.term.to_float()
            case (one, other) if one is I32 and other is I64:
                return operand.term.extend_s()
            case _:
                refused(f"a {_name(given)} is no {_name(wanted)} (`int(...)` cuts a word)")
    if given == ANY_LINKS and isinstance(wanted, Row) and isinstance(wanted.item, Link):
        return operand.plain
    same = given == wanted or {type(given), type(wanted)} == {Address, Link}
    if not same or isinstance(given, Scalar):
        refused(f"a {_name(given)} is no {_name(wanted)}")
    return operand.plain


def _constant(value: Any, kind: Kind) -> Term:
    if isinstance(kind, Scalar) and isinstance(value, bool | int | float):
        if kind.kind is F64:
            return real(float(value))
        if not isinstance(value, float):
            return const(int(value) & MASK if kind.kind is I64 else int(value), kind.kind)
    if value is None and not isinstance(kind, Scalar):
        return const(0)
    return refused(f"{value!r} is no {_name(kind)}")


def _name(kind: Kind) -> str:
    if isinstance(kind, Scalar):
        return {I32: "whole number", I64: "word", F64: "float"}[kind.kind]
    record = getattr(kind, "record", None)
    return f"{type(kind).__name__.lower()} of {record.__name__}" if record is not None else type(kind).__name__.lower()


def natural(operand: Operand) -> Kind:
    """The type that an operand has by itself."""
    if isinstance(operand, Value):
        return operand.kind
    if isinstance(operand, Static) and isinstance(operand.value, bool | int):
        return INT
    if isinstance(operand, Static) and isinstance(operand.value, float):
        return REAL
    return refused("a variable that begins with none needs an annotation")


_OPERATORS: dict[type[ast.operator], tuple[str, Callable[[Any, Any], Any]]] = {
    ast.Add: ("__add__", operator.add), ast.Sub: ("__sub__", operator.sub), ast.Mult: ("__mul__", operator.mul),
    ast.Div: ("div", operator.truediv), ast.Mod: ("rem_", operator.mod),
    ast.BitAnd: ("__and__", operator.and_), ast.BitOr: ("__or__", operator.or_), ast.BitXor: ("__xor__", operator.xor),
    ast.LShift: ("__lshift__", operator.lshift), ast.RShift: ("__rshift__", operator.rshift),
}  # fmt: skip
_COMPARISONS: dict[type[ast.cmpop], tuple[str, Callable[[Any, Any], Any]]] = {
    ast.Eq: ("eq", operator.eq), ast.NotEq: ("ne", operator.ne), ast.Lt: ("lt", operator.lt),
    ast.LtE: ("le", operator.le), ast.Gt: ("gt", operator.gt), ast.GtE: ("ge", operator.ge),
    ast.Is: ("eq", operator.is_), ast.IsNot: ("ne", operator.is_not),
}  # fmt: skip


def _common(left: Operand, right: Operand) -> Scalar:
    kinds = [natural(one) for one in (left, right)]
    if not all(isinstance(kind, Scalar) for kind in kinds):
        refused("only numbers are added, compared and so on")
    return REAL if REAL in kinds else WORD if WORD in kinds else INT


def combined(op: ast.operator, left: Operand, right: Operand) -> Operand:
    """Two operands of an arithmetic operator."""
    if type(op) not in _OPERATORS:
        refused("there is no such operator")
    name, python = _OPERATORS[type(op)]
    if isinstance(left, Static) and isinstance(right, Static):
        return Static(python(left.value, right.value))
    kind = REAL if isinstance(op, ast.Div) else _common(left, right)
    if isinstance(op, ast.BitAnd) and right == Static(MASK) and kind == WORD:
        return left
    if isinstance(op, ast.LShift | ast.RShift) and natural(left) == INT and kind == WORD:
        refused("a number is shifted by a word")
    if isinstance(op, ast.Mod):
        name += "u" if kind == WORD else "s"
    if not hasattr(Term, name) or (kind == REAL and name not in ("__add__", "__sub__", "__mul__", "div")):
        refused("there is no such operator for these")
    return Value(kind, getattr(lowered(left, kind), name)(lowered(right, kind)))


def compared(op: ast.cmpop, left: Operand, right: Operand) -> Operand:
    """The truth of a comparison."""
    if type(op) not in _COMPARISONS:
        refused("there is no such comparison")
    name, python = _COMPARISONS[type(op)]
    if isinstance(left, Static) and isinstance(right, Static):
        return Static(python(left.value, right.value))
    for one, other in ((left, right), (right, left)):
        if one == Static(None) and isinstance(other, Value):
            return Value(TRUTH, other.plain.eqz() if name == "eq" else other.plain.eqz().eqz())
    if isinstance(left, Value) and not isinstance(left.kind, Scalar) and name in ("eq", "ne"):
        return Value(TRUTH, getattr(left.plain, name)(lowered(right, left.kind)))
    kind = _common(left, right)
    if kind != REAL and name not in ("eq", "ne"):
        name += "_u" if kind == WORD else "_s"
    if not hasattr(Term, name):
        refused("there is no such comparison for these")
    first, second = lowered(left, kind), lowered(right, kind)
    try:
        return Value(TRUTH, getattr(first, name)(second))
    except KeyError:
        return refused("there is no such comparison for these")


def is_simple(operand: Operand) -> bool:
    """True if an operand can be written more than once: a constant, a variable, or an address of one that is known."""
    return not isinstance(operand, Value) or isinstance(operand.term, Local) or operand.term is ZERO
