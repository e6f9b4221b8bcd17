"""Folding: all that is known before the game, and nothing else; errors stay where somebody comes to them."""

from __future__ import annotations

import pytest

from program_texts import rewritten
from rulewright.ir import model as m
from rulewright.ir.evaluation import evaluate

NONE = -(2**31)
OPEN = "Cmp('eq', FieldGet('owner', [$0]), 1)"
WRONG = "Cmp('eq', Arith('div_down', 1, $0), 1)"
BEFORE_AND_AFTER = {
    "arithmetic": ("Arith('add', 2, Arith('mul', 3, 4))", "14"),
    "arithmetic with none": (f"Arith('add', 2, {NONE})", f"{NONE}"),
    "what is too large": ("Arith('add', 2147483647, 1)", "Arith('add', 2147483647, 1)"),
    "division by 0": ("Arith('div_up', 1, 0)", "Arith('div_up', 1, 0)"),
    "a comparison": ("Cmp('lt', 1, 2)", "1"),
    "none is not none": (f"Cmp('eq', {NONE}, {NONE})", "0"),
    "but it is as a value": (f"Cmp('eq', {NONE}, {NONE}, true)", "1"),
    "a printed value": ("Attr('Point.row', 9)".replace("Point", "Cell"), "1"),
    "of none": (f"Attr('Cell.row', {NONE})", f"{NONE}"),
    "one that holds": (f"And([1, {OPEN}, Not(0)])", OPEN),
    "one that does not": (f"And([{OPEN}, 0, {OPEN}])", "0"),
    "behind what can be an error": (f"And([{WRONG}, 0, {OPEN}])", f"And([{WRONG}, 0])"),
    "either": (f"Or([{OPEN}, 1])", "1"),
    "either of errors": (f"Or([{WRONG}, 1, {OPEN}])", f"Or([{WRONG}, 1])"),
    "both in both": (f"And([And([{OPEN}, {WRONG}]), {OPEN}])", f"And([{OPEN}, {WRONG}, {OPEN}])"),
    "not not": (f"Not(Not({OPEN}))", OPEN),
    "what may be none is no truth": ("Not(Not(FieldGet('owner', [$0])))", "Not(Not(FieldGet('owner', [$0])))"),
    "a case": (f"IfElse(Cmp('eq', 1, 1), {OPEN}, {WRONG})", OPEN),
    "a case of none": (f"IfElse({NONE}, {OPEN}, {WRONG})", WRONG),
    "all members": (f"Filter(Alive('Cell'), 'c', Or([{OPEN}, 1]))", "Alive('Cell')"),
    "no member stays a set": ("Filter(Alive('Cell'), 'c', 0)", "Filter(Alive('Cell'), 'c', 0)"),
    "none of no members": ("First(Filter(Alive('Cell'), 'c', 0))", f"{NONE}"),
    "nothing of no members": ("Fold('every', [Bound('c', Alive('Cell'))], 0, c)", "1"),
    "what is counted": (
        "Fold('count', [Bound('c', Alive('Cell'))], Cmp('eq', 1, 1), none)",
        "Fold('count', [Bound('c', Alive('Cell'))], none, none)",
    ),
    "a member that can be an error": (
        "Fold('count', [Bound('n', IntRange(0, Arith('div_down', 9, $0)))], 0, none)",
        "Fold('count', [Bound('n', IntRange(0, Arith('div_down', 9, $0)))], 0, none)",
    ),
    "what stands in a set": ("Contains(5, 2)", "1"),
    "a number below 0 stands in nothing": ("Contains(5, -1)", "0"),
    "none stands in nothing": (f"Contains(5, {NONE})", "0"),
    "a region may be another one later": ("Cmp('eq', Canon('Region', 3), 3)", "Cmp('eq', Canon('Region', 3), 3)"),
}


@pytest.mark.parametrize("what", BEFORE_AND_AFTER)
def test_folding(what: str) -> None:
    before, after = BEFORE_AND_AFTER[what]
    assert rewritten(before, passes={"folding"}) == after
    assert rewritten(before, passes=()) == before


def test_what_is_handed_over_is_known() -> None:
    queries = "row(n) = IfElse(Cmp('eq', n, 3), Arith('mul', n, 2), Arith('div_down', 1, n))"
    assert rewritten("CallQuery('row', [3])", queries, {"inlining", "folding"}) == "6"


@pytest.mark.parametrize(("kind", "empty"), [("list", ()), ("set", 0), ("int", NONE), ("entity", NONE)])
def test_what_is_printed_on_nothing_is_of_its_type(kind: str, empty: object) -> None:
    table = m.Table("t", "Cell", m.Ty(kind, "Cell"), (1,))  # type: ignore[arg-type]
    assert evaluate(m.Attr("t", m.Const(NONE)), {}, {"t": table}) == empty
