"""Conditions on members become sets where they can be had at once; what can be an error stays where it is."""

from __future__ import annotations

import pytest

from program_texts import rewritten
from rulewright.ir.transform.masks import FEW_ZONES

NONE = -(2**31)
CELLS = "Alive('Cell')"
OPEN = "Cmp('eq', FieldGet('owner', [c]), 1)"
WRONG = "Cmp('eq', Arith('div_down', 1, $0), 1)"
BESIDE = "NeighboursOf('Board', d)"
ROW, ROW_OF = "Cmp('eq', Attr('Cell.row', c), $0)", "Preimage('Cell.row', $0)"
FLOOD = "ReachFrom('Board', $2, none, none, none)"
IN, IN_1 = "Contains($0, c)", "Contains($1, c)"


def cells(*conditions: str) -> str:
    """The cells for which some conditions hold."""
    where = conditions[0] if len(conditions) == 1 else f"And([{', '.join(conditions)}])"
    return f"Filter({CELLS}, 'c', {where})"


def both(one: str, other: str) -> str:
    """The members of two sets."""
    return f"SetOp('inter', {one}, {other})"


def less(one: str, other: str) -> str:
    """The members of a set that are not in another one."""
    return f"SetOp('minus', {one}, {other})"


def fold(kind: str, source: str, where: str = "none", body: str = "none") -> str:
    """An aggregate over one set."""
    return f"Fold('{kind}', [Bound('c', {source})], {where}, {body})"


LEFT = f"Filter({both(CELLS, '$0')}, 'c', {OPEN})"
BEFORE_AND_AFTER = {
    "a set": (cells(IN), both(CELLS, "$0")),
    "what is in no set": (cells(f"Not({IN})"), less(CELLS, "$0")),
    "a set of each member": (cells("Contains(NeighboursOf('Board', c), c)"), None),
    "a list": (cells("Contains($0, c, true)"), None),
    "what is printed": (cells(ROW), both(CELLS, ROW_OF)),
    "another value that is printed": (
        cells("Cmp('ne', $0, Attr('Cell.row', c))"), less(CELLS, "Preimage('Cell.row', $0, true)")
    ),
    "none as a value": (
        cells(f"Cmp('eq', Attr('Cell.row', c), {NONE}, true)"), both(CELLS, f"Preimage('Cell.row', {NONE}, true)")
    ),
    "two things that are printed": (cells("Cmp('eq', Attr('Cell.row', c), Attr('Cell.column', c))"), None),
    "a value that is higher": (cells("Cmp('gt', Attr('Cell.row', c), $0)"), None),
    "a number": (cells("Cmp('eq', c, 3)"), both(CELLS, "8")),
    "another number": (cells("Cmp('ne', c, 3)"), less(CELLS, "8")),
    "lower numbers": (cells("Cmp('lt', c, 3)"), both(CELLS, "7")),
    "numbers up to one": (cells("Cmp('ge', 3, c)"), both(CELLS, "15")),
    "higher numbers": (cells("Cmp('gt', c, 3)"), less(CELLS, "15")),
    "numbers from one on": (cells("Cmp('ge', c, 3)"), less(CELLS, "7")),
    "a number that is not known": (cells("Cmp('lt', c, $0)"), None),
    "both": (cells(IN, ROW), both(both(CELLS, "$0"), ROW_OF)),
    "either": (cells(f"Or([{IN}, {ROW}])"), both(CELLS, f"SetOp('union', $0, {ROW_OF})")),
    "either not": (cells(f"Or([Not({IN}), {ROW}])"), less(CELLS, less("$0", ROW_OF))),
    "neither": (cells(f"Not(Or([{IN}, {ROW}]))"), less(CELLS, f"SetOp('union', $0, {ROW_OF})")),
    "either of which one is no set": (cells(f"Or([{IN}, {OPEN}])"), None),
    "earlier": (cells(f"Old({IN})"), both(CELLS, "Old($0)")),
    "a name": (cells(f"LetIn('s', $0, {IN.replace('$0', 's')})"), both(CELLS, "LetIn('s', $0, s)")),
    "with others": (cells(OPEN, IN), LEFT),
    "behind an error": (cells(WRONG, IN), None),
    "before an error": (cells(IN, WRONG), f"Filter({both(CELLS, '$0')}, 'c', {WRONG})"),
    "what is the same for all": (cells("Contains($0, $1)"), None),
    "a count": (fold("count", CELLS, IN), fold("count", both(CELLS, "$0"))),
    "a sum": (fold("sum", CELLS, IN, "c"), fold("sum", both(CELLS, "$0"), "none", "c")),
    "every": (fold("every", CELLS, "none", IN), fold("no", less(CELLS, "$0"))),
    "every but some": (fold("every", CELLS, IN, f"Or([Not({IN_1}), {OPEN}])"),
                       fold("no", both(both(CELLS, "$0"), "$1"), f"Not({OPEN})")),
    "every that is no set": (fold("every", CELLS, "none", OPEN), None),
    "every of some": (fold("every", CELLS, IN, OPEN), fold("every", both(CELLS, "$0"), "none", OPEN)),
    "of a second member": (
        f"Fold('count', [Bound('d', $1), Bound('c', {CELLS})], And([{OPEN}, Contains({BESIDE}, c)]), none)",
        f"Fold('count', [Bound('d', $1), Bound('c', {both(CELLS, BESIDE)})], {OPEN}, none)",
    ),
    "of the first of two members": (
        f"Fold('count', [Bound('c', {CELLS}), Bound('d', $1)], {IN}, none)",
        f"Fold('count', [Bound('c', {both(CELLS, '$0')}), Bound('d', $1)], none, none)",
    ),
    "before members that can be an error": (
        f"Fold('count', [Bound('c', {CELLS}), Bound('d', IntRange(0, Arith('div_down', 1, $1)))], {IN}, none)", None
    ),
    "either, of which one is about another member": (
        f"Fold('count', [Bound('d', $1), Bound('c', {CELLS})], Or([{IN}, Cmp('eq', d, 3)]), none)", None
    ),
    "either, of which one is about another printed thing": (
        f"Fold('count', [Bound('d', $1), Bound('c', {CELLS})], Or([{IN}, {ROW.replace('c)', 'd)')}]), none)", None
    ),
    "a number of another member": (
        f"Fold('count', [Bound('d', $1), Bound('c', {CELLS})], Cmp('lt', d, 3), none)",
        f"Fold('count', [Bound('d', SetOp('inter', $1, 7)), Bound('c', {CELLS})], none, none)",
    ),
    "a flood that comes to what is in no set": (f"Reaches({FLOOD}, 'c', Not({IN}))", None),
    "a flood that comes to what is in no set, and more": (
        f"Reaches({FLOOD}, 'c', And([{OPEN}, Not({IN}), {IN_1}]))",
        f"Reaches({FLOOD}, 'c', And([Contains(SetOp('minus', $1, $0), c), {OPEN}]))",
    ),
    "items of a list": (f"Filter($0, 'c', {IN_1}, true)", None),
}  # fmt: skip


@pytest.mark.parametrize("what", BEFORE_AND_AFTER)
def test_masks(what: str) -> None:
    before, after = BEFORE_AND_AFTER[what]
    assert rewritten(before, passes={"masks"}) == (before if after is None else after)
    assert rewritten(before, passes=()) == before


def test_pieces_where_they_lie() -> None:
    """Of few zones what lies there is asked at once, not of many."""
    there = "Filter(Kind('knights'), 'c', InZone(['{}'], c))"
    middle, land = there.format("middle"), there.format("land")
    assert rewritten(middle, passes={"masks"}, game="carolus-magnus") == both(
        "Kind('knights')", "ZoneGet('middle', [])"
    )
    assert FEW_ZONES < 15
    assert rewritten(land, passes={"masks"}, game="carolus-magnus") == land
