"""One condition, written in several ways, is one threshold."""

from __future__ import annotations

import pytest

from rulewright.findings.program.facts.thresholds import Threshold, required_members, threshold
from rulewright.ir import model as m

PILE = m.ZoneGet("pile", ())
SIZE, GOLD = m.Size(PILE), m.FieldGet("gold", ())
ONE = (m.Bound("x", PILE),)
RED = m.Cmp("eq", m.Attr("Card.color", m.Var("x")), m.Const(1))


@pytest.mark.parametrize(
    ("e", "least", "reached"),
    [
        (m.Cmp("ge", GOLD, m.Const(3)), 3, True),
        (m.Cmp("gt", GOLD, m.Const(3)), 4, True),
        (m.Cmp("lt", m.Const(3), GOLD), 4, True),
        (m.Cmp("lt", GOLD, m.Const(3)), 3, False),
        (m.Not(m.Cmp("gt", GOLD, m.Const(3))), 4, False),
    ],
)
def test_a_number_is_enough_or_not(e: m.Expr, least: int, reached: bool) -> None:
    assert threshold(e) == Threshold(GOLD, least, reached)
    assert required_members(e) is None


@pytest.mark.parametrize(
    ("e", "least", "reached"),
    [
        (m.Cmp("eq", SIZE, m.Const(0)), 1, False),
        (m.Cmp("eq", m.Const(0), SIZE), 1, False),
        (m.Cmp("le", SIZE, m.Const(0)), 1, False),
        (m.SetEq(PILE, m.Const(0)), 1, False),
        (m.Not(m.SetEq(PILE, m.Const(0))), 1, True),
        (m.Fold("some", ONE, None, None), 1, True),
        (m.Fold("no", ONE, None, None), 1, False),
        (m.Cmp("ge", m.Fold("count", ONE, None, None), m.Const(2)), 2, True),
        (m.Not(m.Cmp("lt", SIZE, m.Const(2))), 2, True),
    ],
)
def test_a_set_has_enough_members_or_not(e: m.Expr, least: int, reached: bool) -> None:
    assert required_members(e) == Threshold(PILE, least, reached)


def test_members_for_which_a_condition_holds_are_a_set_of_their_own() -> None:
    red = m.Filter(PILE, "x", RED)
    assert required_members(m.Fold("some", ONE, RED, None)) == Threshold(red, 1, True)
    assert required_members(m.Cmp("eq", m.Fold("count", ONE, RED, None), m.Const(0))) == Threshold(red, 1, False)
    assert required_members(m.Cmp("eq", SIZE, m.Const(3))) is None
