"""Evaluation of expressions that need no state, or not all of it: what a node is worth when its parts are.

This is the one place that knows it. Who asks says what parts are worth: the compiler, of parameters and what is
printed; passes over the program and the writer of machine code, of what they know while they write.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import reduce
from operator import or_

from rulewright.foundation import limits
from rulewright.foundation.bit_sets import bits_of, members_of
from rulewright.ir import arithmetic, comparison, folds, set_operations
from rulewright.ir import model as m
from rulewright.ir.arithmetic import DIVISIONS, ArithOp
from rulewright.ir.comparison import CmpOp
from rulewright.ir.model import INT_MAX, NONE

Value = int | tuple[int, ...]
Tables = Mapping[str, m.Table]
Part = Callable[[m.Expr], Value | None]
"""The value of a part; None if it is not known."""


class NotConstant(Exception):
    """The expression depends on the state of the game."""


class Impossible(NotConstant):
    """The expression has no value: the message has the reason."""


def evaluate(expr: m.Expr, env: Mapping[str, Value], tables: Tables) -> Value:
    """The value of a closed expression with `env` for its variables; NotConstant if it asks the state."""
    match expr:
        case m.Var(name) if name in env:
            return env[name]
        case m.Canon():
            return evaluate(expr.of, env, tables)  # before the game begins each place is a region of its own
        case m.LetIn():
            return evaluate(expr.body, {**env, expr.var: evaluate(expr.value, env, tables)}, tables)
        case _:
            value = over_members(expr, lambda part, inner: evaluate(part, inner, tables), env)
            value = value if value is not None else known(expr, lambda part: evaluate(part, env, tables), tables)
    if value is None:
        raise NotConstant
    return value


def known(e: m.Expr, part: Part, tables: Tables, may_fail: Callable[[m.Expr], bool] = lambda _: False) -> Value | None:
    """The value of an expression as far as that of its parts is known, in the manner of Kleene's logic: a condition is
    false already if one of its parts is. A part that `may_fail` is not passed over. Impossible if there is no value."""

    def num(e: m.Expr) -> int | None:
        value = part(e)
        return None if isinstance(value, tuple) else value

    match e:
        case m.Const(value):
            return value
        case m.ListConst(values):
            return values
        case m.Attr(table):
            at = num(e.of)
            return at if at is None else _printed(tables[table], at)
        case m.Arith():
            a, b = num(e.left), num(e.right)
            return None if a is None or b is None else _arithmetic(e.op, a, b)
        case m.Cmp():
            a, b = num(e.left), num(e.right)
            return None if a is None or b is None else int(_compared(e.op, a, b, e.nothing))
        case m.And(items) | m.Or(items):
            return _in_turn(items, isinstance(e, m.Or), num, may_fail)
        case m.Not():
            truth = num(e.operand)
            return None if truth is None else int(not holds(truth))
        case m.IfElse():
            truth = num(e.condition)
            return None if truth is None else part(e.then if holds(truth) else e.otherwise)
        case m.LetIn():
            return None if may_fail(e.value) else part(e.body)
        case m.MakeList(items):
            return _all_known(map(num, items))
        case m.MakeSet(items):
            return _set_of(_all_known(map(num, items)))
        case m.ToSet():
            held = part(e.of)
            return _set_of(held) if isinstance(held, tuple) else held
        case m.ToList():
            bits = num(e.of)
            return None if bits is None else tuple(bits_of(bits))
        case m.IntRange():
            a, b = num(e.low), num(e.high)
            return None if a is None or b is None else _range(a, b)
        case m.SetOp(op):
            a, b = num(e.left), num(e.right)
            return None if a is None or b is None else set_operations.applied(op, a, b)
        case m.Size():
            held = part(e.of)
            return None if held is None else len(held) if isinstance(held, tuple) else held.bit_count()
        case m.Item():
            items_, at = part(e.list), num(e.at)
            if items_ is None or at is None:
                return None
            return items_[at] if isinstance(items_, tuple) and 0 <= at < len(items_) else NONE
        case m.Contains():
            held, item = part(e.collection), num(e.item)
            if held is None or item is None:
                return None
            return int(item in held if isinstance(held, tuple) else item >= 0 and bool(held >> item & 1))
        case m.First(is_list=False) | m.Single():
            return NONE if num(e.of) == 0 else None
        case m.Filter(is_list=False):
            return 0 if num(e.source) == 0 or (num(e.where) == 0 and not may_fail(e.source)) else None
        case m.Fold() if e.where is not None:
            empty = num(e.where) == 0 and not any(may_fail(bind.source) for bind in e.binds)
            return folds.of_nothing(e.kind) if empty else None
        case _:
            return None  # it depends on the state, or on more than the values of its parts


Environment = Mapping[str, Value]
"""The values of variables."""


def over_members(e: m.Expr, value: Callable[[m.Expr, Environment], Value], env: Environment) -> Value | None:
    """The value of what is worked out for each member of a set or list; None of any other expression."""

    def rows(binds: tuple[m.Bound, ...], env: Environment) -> Iterator[Environment]:
        if not binds:
            yield env
            return
        held = value(binds[0].source, env)
        for one in members_of(held):
            yield from rows(binds[1:], {**env, binds[0].var: one})

    match e:
        case m.Filter(source, var, where, is_list):
            there = rows((m.Bound(var, source),), env)
            items = tuple(number(row[var]) for row in there if holds(value(where, row)))
            return items if is_list else _set_of(items)
        case m.Collect(source, var, element, flat):
            found = [number(value(element, row)) for row in rows((m.Bound(var, source),), env)]
            return reduce(or_, found, 0) if flat else _set_of(tuple(found))
        case m.Mapped(source, var, element, flat):
            values = (value(element, row) for row in rows((m.Bound(var, source),), env))
            items = tuple(one for held in values for one in (members_of(held) if flat else (number(held),)))
            return tuple(one for one in items if one != NONE)
        case m.Fold(kind, binds, where, body):
            kept = [row for row in rows(binds, env) if where is None or holds(value(where, row))]
            bodies = [1 if body is None else number(value(body, row)) for row in kept]
            return folds.applied(kind, [int(holds(one)) for one in bodies] if kind == "every" else bodies)
        case _:
            return None


_LOGICAL = (m.And, m.Or, m.Not, m.IfElse)
"""Conditions whose truth follows from that of others."""


def truth(e: m.Expr, leaf: Callable[[m.Expr], bool | None]) -> bool | None:
    """True or False if a condition always has that truth, None if that is not known; `leaf` has that of each condition
    that is not made of others."""

    def part(e: m.Expr) -> int | None:
        if not isinstance(e, _LOGICAL):
            found: Value | bool | None = leaf(e)
        elif isinstance(e, m.IfElse) and part(e.condition) is None:
            found = part(e.then)
            found = found if found == part(e.otherwise) else None
        else:
            found = known(e, part, {})
        return None if found is None else int(number(found))

    value = part(e)
    return None if value is None else holds(value)


def holds(value: Value) -> bool:
    """True of a truth that holds, which none does not."""
    return value not in (0, NONE)


def number(value: Value) -> int:
    """`value`, which must not be a list."""
    if isinstance(value, tuple):
        raise NotConstant
    return value


def _printed(table: m.Table, at: int) -> Value:
    """The entry of a table; of none it is none, or empty."""
    if at != NONE:
        return table.values[at]
    return () if table.ty.kind == "list" else 0 if table.ty.kind == "set" else NONE


def _in_turn(
    items: Iterable[m.Expr], decides: bool, num: Callable[[m.Expr], int | None], may_fail: Callable[[m.Expr], bool]
) -> int | None:
    """The truth of conditions, evaluated until one has the truth that decides."""
    found: int | None = int(not decides)
    for item in items:
        truth = num(item)
        if truth is None:
            found = None
            if may_fail(item):
                break
        elif holds(truth) is decides:
            return int(decides)
    return found


def _all_known(values: Iterable[int | None]) -> tuple[int, ...] | None:
    found = []
    for value in values:
        if value is None:
            return None
        found.append(value)
    return tuple(found)


def _set_of(values: tuple[int, ...] | None) -> int | None:
    bits = 0
    for value in values or ():
        bits |= _bit(value)
    return None if values is None else bits


def _range(first: int, last: int) -> int:
    if NONE in (first, last) or first > last:
        return 0
    return (_bit(last) << 1) - _bit(first)


def _bit(value: int) -> int:
    """A member of a set as a bit; none is in no set."""
    if value == NONE:
        return 0
    if not 0 <= value <= limits.NUMBER_IN_A_SET:
        raise Impossible(f"a set of whole numbers holds 0 to {limits.NUMBER_IN_A_SET}, not {value}")
    return 1 << value


def _arithmetic(op: ArithOp, a: int, b: int) -> int:
    if NONE in (a, b):
        return NONE
    if b == 0 and op in DIVISIONS:
        raise Impossible("division by zero")
    value = arithmetic.applied(op, a, b)
    if abs(value) > INT_MAX:
        raise Impossible(f"{value} is too large (at most {INT_MAX})")
    return value


def _compared(op: CmpOp, a: int, b: int, nothing: bool) -> bool:
    if NONE in (a, b) and not (op in ("eq", "ne") and (nothing or a != b)):
        return False
    return comparison.applied(op, a, b)
