"""Questions whether a set or list has a member are asked of that from which it would be made; errors come as before."""

from __future__ import annotations

import pytest

from program_texts import rewritten

NONE = -(2**31)
CELLS = "Alive('Cell')"
OWN = "Cmp('eq', FieldGet('owner', [c]), 1)"
WRONG = "Cmp('eq', Arith('div_down', 1, $0), 1)"
PLACES = "PlaceOf('Cell', $0)", "PlaceOf('Cell', $1)"
STEP, ROW, OWNER = "Towards('Board', c, 0, 1)", "Attr('Cell.row', c)", "FieldGet('owner', [c])"
LIKE = f"Filter({CELLS}, 'c', Cmp('eq', {ROW}, Attr('Cell.row', d)))"
OWNED = f"Filter({CELLS}, 'c', {OWN})"
NOBODY = f"Fold('no', [Bound('c', {CELLS})], {OWN}, none)"
SOMEBODY = f"Fold('some', [Bound('c', {CELLS})], {OWN}, none)"


def best(where: str, key: str = "Cell.row") -> str:
    """The only best one by what is printed of the cells for which something holds, or none."""
    return f"Single(Best(Filter({CELLS}, 'c', {where}), 'd', Attr('{key}', d)))"


def is_none(e: str) -> str:
    """The question whether something is none."""
    return f"Cmp('eq', {e}, {NONE}, true)"


def is_some(e: str) -> str:
    """The opposite."""
    return f"Cmp('ne', {e}, {NONE}, true)"


BEFORE_AND_AFTER = {
    "no member": (f"Cmp('eq', Size({OWNED}), 0)", NOBODY),
    "less than one": (f"Cmp('lt', Size({OWNED}), 1)", NOBODY),
    "at most none": (f"Cmp('le', Size({OWNED}), 0)", NOBODY),
    "one or more": (f"Cmp('ge', Size({OWNED}), 1)", SOMEBODY),
    "more than none": (f"Cmp('gt', Size({OWNED}), 0)", SOMEBODY),
    "another number than 0": (f"Cmp('ne', Size({OWNED}), 0)", SOMEBODY),
    "with the number before": (f"Cmp('lt', 0, Size({OWNED}))", SOMEBODY),
    "two or more": (f"Cmp('ge', Size({OWNED}), 2)", f"Cmp('ge', Size({OWNED}), 2)"),
    "a count": (f"Cmp('gt', Fold('count', [Bound('c', {CELLS})], {OWN}, none), 0)", SOMEBODY),
    "the same as no set": (f"SetEq({OWNED}, MakeSet([]))", NOBODY),
    "a set that is there": ("Cmp('eq', Size($0), 0)", "Fold('no', [Bound('member', $0)], none, none)"),
    "a list": ("Cmp('eq', Size($0, true), 0)", "Fold('no', [Bound('member', $0, true)], none, none)"),
    "members of a list": (
        f"Cmp('gt', Size(Filter($0, 'c', {OWN}, true), true), 0)",
        f"Fold('some', [Bound('c', $0, true)], {OWN}, none)",
    ),
    "members of members": (
        f"Cmp('eq', Size(Filter({OWNED}, 'd', Contains($0, d))), 0)",
        f"Fold('no', [Bound('d', {CELLS})], And([{OWN.replace('[c]', '[d]')}, Contains($0, d)]), none)",
    ),
    "members of members, of which a name would hide another one": (
        f"Fold('some', [Bound('d', $1)], Cmp('eq', Size(Filter({LIKE}, 'd', Contains($0, d))), 0), none)",
        f"Fold('some', [Bound('d', $1)], Fold('no', [Bound('d', {LIKE})], Contains($0, d), none), none)",
    ),
    "either of two sets": (
        f"Cmp('eq', Size(SetOp('union', {OWNED}, $0)), 0)",
        f"And([{NOBODY}, Fold('no', [Bound('member', $0)], none, none)])",
    ),
    "what sets have in common is made": (
        f"Cmp('eq', Size(SetOp('inter', {OWNED}, $0)), 0)",
        f"Fold('no', [Bound('member', SetOp('inter', {OWNED}, $0))], none, none)",
    ),
    "some things, which may be no members": (
        "Cmp('gt', Size(MakeSet([$0, $1])), 0)",
        "Fold('some', [Bound('member', MakeSet([$0, $1]))], none, none)",
    ),
    "some places": (
        f"Cmp('gt', Size(MakeSet([{', '.join(PLACES)}])), 0)",
        f"Or([{is_some(PLACES[0])}, {is_some(PLACES[1])}])",
    ),
    "what members give": (
        f"Cmp('eq', Size(Collect({OWNED}, 'c', {STEP})), 0)",
        f"Fold('no', [Bound('c', {CELLS})], And([{OWN}, {is_some(STEP)}]), none)",
    ),
    "all that members give": (
        "Cmp('gt', Size(Collect($0, 'c', NeighboursOf('Board', c), true)), 0)",
        "Fold('some', [Bound('c', $0)], Fold('some', [Bound('member', NeighboursOf('Board', c))], none, none), none)",
    ),
    "the best": (
        f"Cmp('gt', Size(Best({OWNED}, 'c', Attr('Cell.row', c))), 0)",
        f"Fold('some', [Bound('c', {CELLS})], And([{OWN}, {is_some(ROW)}]), none)",
    ),
    "a sorted list": (f"Cmp('eq', Size(Sort({OWNED}, 'c', c), true), 0)", NOBODY),
    "a name for it": (
        f"Cmp('eq', Size(LetIn('x', Size($0), {OWNED})), 0)",
        f"LetIn('x', Size($0), {NOBODY})",
    ),
    "one of two": (
        f"Cmp('eq', Size(IfElse($0, {OWNED}, $1)), 0)",
        f"IfElse($0, {NOBODY}, Fold('no', [Bound('member', $1)], none, none))",
    ),
    "the first": (is_none(f"First({OWNED})"), NOBODY),
    "the first of a list may be none": (is_none("First($0, true)"), is_none("First($0, true)")),
    "the highest": (
        is_none(f"Fold('max', [Bound('c', {CELLS})], {OWN}, FieldGet('owner', [c]))"),
        f"Fold('no', [Bound('c', {CELLS})], And([{OWN}, {is_some(OWNER)}]), none)",
    ),
    "the only best where all differ": (is_none(best("Cmp('eq', Attr('Cell.column', c), $0)")), None),
    "but there may be two": (is_none(best(OWN)), is_none(best(OWN))),
    "an error comes late": (
        f"Cmp('gt', Size(Filter({CELLS}, 'c', {WRONG})), 0)",
        f"Fold('some', [Bound('member', Filter({CELLS}, 'c', {WRONG}))], none, none)",
    ),
    "an error of a count": (
        f"Cmp('gt', Fold('count', [Bound('c', {CELLS})], {WRONG}, none), 0)",
        f"Cmp('gt', Fold('count', [Bound('c', {CELLS})], {WRONG}, none), 0)",
    ),
}  # fmt: skip


@pytest.mark.parametrize("what", BEFORE_AND_AFTER)
def test_emptiness(what: str) -> None:
    before, after = BEFORE_AND_AFTER[what]
    if after is None:
        after = f"Fold('no', [Bound('c', {CELLS})], Cmp('eq', Attr('Cell.column', c), $0), none)"
    assert rewritten(before, passes={"emptiness"}) == after
    assert rewritten(before, passes=()) == before
