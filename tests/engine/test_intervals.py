"""Facts about expressions before any game: the bounds of numbers, and what can be an error of the rules."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from math import ceil, floor
from typing import get_args

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rulewright.ir import model as m
from rulewright.ir.arithmetic import DIVISIONS, ArithOp, Interval, applied, bounds
from rulewright.ir.comparison import CmpOp
from rulewright.ir.comparison import applied as compares
from rulewright.ir.evaluation import truth
from rulewright.ir.intervals import compared, interval, is_surely_number
from rulewright.ir.walk import ExprFacts

OPS = get_args(ArithOp)
numbers = st.integers(-m.INT_MAX, m.INT_MAX) | st.integers(-4, 4)
trees: st.SearchStrategy[m.Expr] = st.recursive(
    st.builds(m.Const, numbers),
    lambda below: st.builds(m.Arith, st.sampled_from(OPS), below, below),  # type: ignore[arg-type]
    max_leaves=6,
)
TOO_LARGE = m.Arith("add", m.Var("n"), m.Const(1))
"""A sum that no number may be."""


def value(e: m.Expr) -> int | None:
    """The value by arithmetic with any numbers; None if it is too large at some place, or divided by 0."""
    if isinstance(e, m.Const):
        return e.value
    assert isinstance(e, m.Arith)
    a, b = value(e.left), value(e.right)
    if a is None or b is None or (e.op in DIVISIONS and b == 0):
        return None
    exact: dict[str, Callable[[], int]] = {
        "add": lambda: a + b,
        "sub": lambda: a - b,
        "mul": lambda: a * b,
        "div_up": lambda: ceil(Fraction(a, b)),
        "div_down": lambda: floor(Fraction(a, b)),
        "mod": lambda: a - b * floor(Fraction(a, b)),
        "min": lambda: min(a, b),
        "max": lambda: max(a, b),
    }
    found = exact[e.op]()
    return found if abs(found) <= m.INT_MAX else None


@given(trees)
def test_constants_have_one_value(tree: m.Expr) -> None:
    known = value(tree)
    assert interval(tree) == (None if known is None else (known, known))


@given(st.integers(0, 50), st.integers(0, 50), st.sampled_from(OPS), st.integers(1, 9))
def test_bounds_hold(first: int, second: int, op: str, by: int) -> None:
    sizes = [m.Size(m.Alive("Cell"), False)] * 2
    total = m.Arith("sub", m.Arith("add", *sizes), m.Const(20))
    bounds = interval(m.Arith(op, total, m.Const(by)))  # type: ignore[arg-type]
    found = value(m.Arith(op, m.Const(first + second - 20), m.Const(by)))  # type: ignore[arg-type]
    assert bounds is not None
    assert found is not None
    assert bounds[0] <= found <= bounds[1]


small = st.integers(-7, 7)


@given(st.sampled_from(OPS), small, small, small, small)
def test_bounds_hold_of_all_operands_between_theirs(op: ArithOp, a: int, b: int, c: int, d: int) -> None:
    left, right = (min(a, b), max(a, b)), (min(c, d), max(c, d))
    low, high = bounds(op, left, right)
    pairs = [(x, y) for x in range(left[0], left[1] + 1) for y in range(right[0], right[1] + 1)]
    found = [applied(op, x, y) for x, y in pairs if y or op not in DIVISIONS]
    assert all(low <= one <= high for one in found)
    if found and op != "mod":
        assert (low, high) == (min(found), max(found))


def test_a_divisor_that_may_be_nothing_has_bounds_where_it_is_something() -> None:
    divided = m.Arith("div_up", m.Const(7), m.Size(m.Alive("Cell"), False))
    assert interval(divided) == (1, 7)
    assert not is_surely_number(divided)


@given(small, small, small, small, st.sampled_from(get_args(CmpOp)))
def test_a_comparison_is_decided_where_all_numbers_within_bounds_agree(
    a: int, b: int, c: int, d: int, op: CmpOp
) -> None:
    left, right = (min(a, b), max(a, b)), (min(c, d), max(c, d))
    found = {compares(op, x, y) for x in range(left[0], left[1] + 1) for y in range(right[0], right[1] + 1)}
    assert compared(op, left, right) is (found.pop() if len(found) == 1 else None)


KNOWN: dict[m.Expr, bool | None] = {m.Var("yes"): True, m.Var("no"): False, m.Var("open"): None}
YES, NO, OPEN = KNOWN


@pytest.mark.parametrize(
    ("e", "expected"),
    [
        (m.And((OPEN, NO)), False),
        (m.And((OPEN, YES)), None),
        (m.Or((OPEN, YES)), True),
        (m.Not(m.Or((NO, NO))), True),
        (m.IfElse(OPEN, YES, m.Not(NO)), True),
        (m.IfElse(OPEN, YES, NO), None),
        (m.IfElse(NO, OPEN, YES), True),
    ],
)
def test_a_truth_follows_from_those_of_the_parts(e: m.Expr, expected: bool | None) -> None:
    assert truth(e, KNOWN.__getitem__) is expected


def test_one_of_two_numbers_lies_between_the_bounds_of_both() -> None:
    chosen = m.IfElse(m.Var("x"), m.Const(3), m.Arith("sub", m.Const(1), m.Var("n")))
    assert interval(chosen) is None

    def known(e: m.Expr) -> Interval | None:
        return (0, 9) if e == m.Var("n") else interval(e, known)

    assert known(chosen) == (-8, 3)


@pytest.mark.parametrize(
    ("e", "can_be"),
    [
        (m.Arith("sub", m.Const(8), m.Const(1)), False),
        (m.Arith("sub", m.Const(50), m.Size(m.Alive("Cell"), False)), False),
        (TOO_LARGE, True),
        (m.Cmp("eq", m.Const(1), TOO_LARGE), True),
        (m.Not(m.And((m.Cmp("eq", m.Const(1), m.Const(1)), m.Cmp("lt", TOO_LARGE, m.Const(3))))), True),
        (m.Size(m.MakeSet((TOO_LARGE,)), False), True),
        (m.MakeSet((m.Towards("Board", m.Var("c"), m.Const(0), m.Const(1)),)), False),
        (m.MakeSet((m.Towards("Board", m.Var("c"), m.Const(0), TOO_LARGE),)), True),
        (m.Collect(m.Alive("Cell"), "c", m.Towards("Board", m.Var("c"), m.Const(0), m.Const(1))), False),
        (m.Collect(m.Alive("Cell"), "c", m.Var("c")), True),
        (m.Fold("count", (m.Bound("c", m.Alive("Cell")),), m.Cmp("eq", TOO_LARGE, m.Const(1)), None), True),
    ],
)
def test_what_can_be_an_error(e: m.Expr, can_be: bool) -> None:
    assert ExprFacts({}).fallible(e) is can_be
