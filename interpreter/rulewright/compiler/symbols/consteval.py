"""Evaluates expressions that need no state: sizes, parameters, computed attributes, where pieces begin."""

from __future__ import annotations

from collections.abc import Mapping

from rulewright.compiler.symbols.static_types import Type
from rulewright.compiler.symbols.symbol_table import SymbolTable
from rulewright.diagnostics import Report, Span
from rulewright.foundation import limits
from rulewright.ir import arithmetic, comparison, set_operations
from rulewright.ir import model as m
from rulewright.ir.arithmetic import DIVISIONS, ArithOp
from rulewright.ir.comparison import CmpOp
from rulewright.ir.model import INT_MAX, NONE

Value = int | tuple[int, ...]


class NotConstant(Exception):
    """The expression depends on the state of the game."""


class Impossible(NotConstant):
    """The expression has no value: the message says why."""


def constant(
    ir: m.Expr, type: Type, where: Span, report: Report, world: SymbolTable, env: Mapping[str, Value] | None = None
) -> Value | None:
    """The value of an expression that may not depend on the game and must fit a type; None if something is wrong."""
    try:
        value = evaluate(ir, env or {}, world.tables)
    except Impossible as why:
        report.error("TYP206", str(why), where)
        return None
    except NotConstant:
        report.error("TYP218", "this must be known before the game begins", where)
        return None
    if type.kind == "int" or (type.is_collection and type.universe == "Int"):
        held = value if isinstance(value, tuple) else members(value) if type.kind == "set" else [value]
        wrong = next((v for v in held if v != NONE and not type.low <= v <= type.high), None)
        if wrong is not None:
            report.error("TYP206", f"this must be {type.low} to {type.high}, not {wrong}", where)
            return None
    if type.kind == "list" and isinstance(value, tuple) and len(value) > max(type.capacity, 1):
        report.error("TYP206", f"this list holds at most {type.capacity}, not {len(value)}", where)
        return None
    return value


def check_bounds(ir: m.Expr, type: Type, where: Span, report: Report) -> None:
    """Report a number that is known and that a field of this type cannot hold."""
    if type.kind == "int" and isinstance(ir, m.Const) and ir.value != NONE and not type.low <= ir.value <= type.high:
        bounds = f"at least {type.low}" if type.high == INT_MAX else f"{type.low} to {type.high}"
        report.error("TYP206", f"this must be {bounds}, not {ir.value}", where)


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
        case m.Canon():
            return run(expr.of)  # before the game begins each place is a region of its own
        case m.Attr(table):
            at = num(expr.of)
            return NONE if at == NONE else tables[table].values[at]
        case m.Arith():
            return _arith(expr.op, num(expr.left), num(expr.right))
        case m.Cmp():
            return int(_compare(expr.op, num(expr.left), num(expr.right), expr.nothing))
        case m.And(items):
            return int(all(num(i) for i in items))
        case m.Or(items):
            return int(any(num(i) for i in items))
        case m.Not():
            return int(not num(expr.operand))
        case m.IfElse():
            return run(expr.then) if num(expr.condition) else run(expr.otherwise)
        case m.LetIn():
            return evaluate(expr.body, {**env, expr.var: run(expr.value)}, tables)
        case m.MakeList(items):
            return tuple(num(i) for i in items)
        case m.MakeSet(items):
            bits = 0
            for item in items:
                bits |= _bit(num(item))
            return bits
        case m.ToSet():
            got = run(expr.of)
            bits = 0
            for one in got if isinstance(got, tuple) else ():
                bits |= _bit(one)
            return bits
        case m.ToList():
            return tuple(members(num(expr.of)))
        case m.IntRange():
            first, last = num(expr.low), num(expr.high)
            if NONE in (first, last) or first > last:
                return 0
            return _bit(first) | sum(1 << i for i in range(first, (_bit(last).bit_length() - 1) + 1))
        case m.SetOp(op):
            return set_operations.applied(op, num(expr.left), num(expr.right))
        case m.Size():
            got = run(expr.of)
            return len(got) if isinstance(got, tuple) else got.bit_count()
        case m.Item():
            got, i = run(expr.list), num(expr.at)
            return got[i] if isinstance(got, tuple) and 0 <= i < len(got) else NONE
        case m.Contains():
            got, i = run(expr.collection), num(expr.item)
            return int(i in got if isinstance(got, tuple) else i != NONE and bool(got >> i & 1))
        case _:
            raise NotConstant


def _bit(value: int) -> int:
    """A member of a set as a bit; none is in no set."""
    if value == NONE:
        return 0
    if not 0 <= value <= limits.NUMBER_IN_A_SET:
        raise Impossible(f"a set of whole numbers holds 0 to {limits.NUMBER_IN_A_SET}, not {value}")
    return 1 << value


def _arith(op: ArithOp, a: int, b: int) -> int:
    if NONE in (a, b):
        return NONE
    if b == 0 and op in DIVISIONS:
        raise Impossible("division by zero")
    value = arithmetic.applied(op, a, b)
    if abs(value) > INT_MAX:
        raise Impossible(f"{value} is too large (at most {INT_MAX})")
    return value


def _compare(op: CmpOp, a: int, b: int, nothing: bool) -> bool:
    if NONE in (a, b) and not (op in ("eq", "ne") and (nothing or a != b)):
        return False
    return comparison.applied(op, a, b)
