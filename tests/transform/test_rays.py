"""Places in one direction are asked as a set where their order does not matter; games are the same with and without."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import rulewright as rw
from program_texts import rewritten
from rulewright.ir.graphs import rays, rising

WAYS = ", ".join(f"Towards('Board', $0, $1, {n})" for n in range(1, 8))
LIST = f"Filter(MakeList([{WAYS}]), 'step', Cmp('ne', step, -2147483648, true), true)"
WRONG = "Cmp('eq', Arith('div_down', 1, c), 1)"
RAY = "Ray('Board', $0, $1)"
OWN = "Cmp('eq', FieldGet('owner', [c]), 1)"
FILTERED = f"Filter({LIST}, 'c', {OWN}, true)"
SOME = f"Filter({RAY}, 'c', {OWN})"
LEADING = f"Leading({LIST}, 'c', {OWN})"
BEFORE = f"Ray('Board', $0, $1, Filter({RAY}, 'c', Not({OWN})))"
STEP = "Towards('Board', $0, $1, 1)"
NEXT = f"Cmp('ne', {STEP}, -2147483648, true)"
SHORT = LIST.replace(", Towards('Board', $0, $1, 7)", "")

BEFORE_AND_AFTER = {
    "a number of places": (f"Size({FILTERED}, true)", f"Size({SOME})"),
    "a count": (
        f"Fold('count', [Bound('c', {LIST}, true)], {OWN}, none)",
        f"Fold('count', [Bound('c', {RAY})], {OWN}, none)",
    ),
    "whether there is any": (
        f"Fold('no', [Bound('step', MakeList([{WAYS}]), true)], Cmp('ne', step, -2147483648, true), none)",
        f"Not({NEXT})",
    ),
    "whether there is one before another": (
        f"Fold('some', [Bound('e', {LEADING}, true)], none, none)",
        f"LetIn('c', {STEP}, And([Cmp('ne', c, -2147483648, true), {OWN}]))",
    ),
    "the place behind": (
        f"Towards('Board', $0, $1, Arith('add', Size({LEADING}, true), 1))",
        f"Nearest('Board', $1, Filter({RAY}, 'c', Not({OWN})))",
    ),
    "a place farther on": (
        f"Towards('Board', $0, $1, Arith('add', Size({LEADING}, true), 2))",
        f"Towards('Board', $0, $1, Arith('add', Size({BEFORE}), 2))",
    ),
    "a place in another direction": (
        f"Towards('Board', $0, $2, Arith('add', Size({LEADING}, true), 1))",
        f"Towards('Board', $0, $2, Arith('add', Size({BEFORE}), 1))",
    ),
    "whether there is such a one": (
        f"Fold('some', [Bound('c', MakeList([{WAYS}]), true)], And([Cmp('ne', c, -2147483648, true), {OWN}]), none)",
        f"Fold('some', [Bound('c', {RAY})], {OWN}, none)",
    ),
    "a sum may be too large": (
        f"Fold('sum', [Bound('c', {LIST}, true)], none, Attr('Cell.row', c))",
        f"Fold('sum', [Bound('c', {LIST}, true)], none, Attr('Cell.row', c))",
    ),
    "the first": (f"First({FILTERED}, true)", f"Nearest('Board', $1, {SOME})"),
    "the first of all": (f"First({LIST}, true)", f"Nearest('Board', $1, {RAY})"),
    "before one for which it does not hold": (f"Size({LEADING}, true)", f"Size({BEFORE})"),
    "the first of those": (f"First({LEADING}, true)", f"Nearest('Board', $1, {BEFORE})"),
    "a set": (f"ToSet({FILTERED})", SOME),
    "its members": (f"Collect({LEADING}, 'c', c, false, true)", BEFORE),
    "what is beside them": (
        f"Collect({LIST}, 'c', NeighboursOf('Board', c), true, true)",
        f"Collect({RAY}, 'c', NeighboursOf('Board', c), true)",
    ),
    "a member": (f"Contains({LEADING}, $2, true)", f"Contains({BEFORE}, $2)"),
    "the list stays a list": (LEADING, LEADING),
    "fewer steps than the map has": (f"Size({SHORT}, true)", f"Size({SHORT}, true)"),
    "what can be an error": (
        f"Size({LEADING.replace(OWN, WRONG)}, true)",
        f"Size({LEADING.replace(OWN, WRONG)}, true)",
    ),
}


@pytest.mark.parametrize("what", BEFORE_AND_AFTER)
def test_order_is_not_kept_where_nobody_asks(what: str) -> None:
    before, after = BEFORE_AND_AFTER[what]
    assert rewritten(before, passes=("rays",)) == after


def test_places_of_a_direction_are_in_the_order_of_their_numbers_or_against_it() -> None:
    """Grids and maps of hexes have such directions only."""
    (board,) = rw.load("breakthrough").program.graphs
    ways = rising(board)
    assert set(ways) == {True, False}
    for direction, up in enumerate(ways):
        for place, there in enumerate(rays(board, direction)):
            assert (there >> place == 0) is not up or not there
            near = board.towards[direction][place]
            assert bool(there) is (near >= 0)
            assert near < 0 or near == ((there & -there) if up else there).bit_length() - 1


RULES = """\
game small
players 2
place Cell
map Board: %s of Cell
field man[Cell]: Player or none
field weight[Cell]: Int = 0
field x[Player]: Int = 0
query seen(c: Cell, d: Direction) -> Cell or none = first(e in ray(c, d) where man[e] is not none)
query open(c: Cell, d: Direction) -> set of Cell = {e in ray(c, d) while man[e] is none}
query line(c: Cell, d: Direction) -> list of Cell = {e in ray(c, d) while man[e] is not none}
procedure play
    repeat 6 times
        each p in players
            turn(p)
    finish ranking p in players by x[p]
procedure turn(p: Player)
    p chooses c from Cell where man[c] is none
    man[c] = p
    weight[c] = x[p] mod 5
    x[p] += %s
effect lift(c: Cell)
    man[c] = none
"""
ASKED = {
    "first": "count(d in Direction where seen(c, d) is not none and man[seen(c, d)] is p)",
    "first of a first": "count(d in Direction where seen(seen(c, d), d) is not none)",
    "while": "size({e for d in Direction, e in open(c, d)})",
    "while and what comes then": "count(d in Direction where man[towards(c, d, size(line(c, d)) + 1)] is none)",
    "any while": "count(d in Direction where open(c, d) is not empty)",
    "any while two hold": "count(d in Direction where {e in ray(c, d) while man[e] is none and weight[e] < 2}"
    " is empty)",
    "what comes behind them": "size({e for d in Direction, e in open(c, d)"
    " where man[towards(c, d, size(open(c, d)) + 1)] is p.left})",
    "count": "sum(count(e in ray(c, d) where man[e] is p) for d in Direction)",
    "empty": "count(d in Direction where ray(c, d) is empty)",
    "member": "count(e in Cell, d in Direction where e in ray(c, d) and man[e] is p)",
    "greatest": "max(weight[e] for d in Direction, e in ray(c, d))",
    "sum": "sum(weight[e] for d in Direction, e in ray(c, d))",
    "without a set": "count(d in Direction where some(e in ray(c, d) where weight[e] + 1 > 2 and man[e] is p))",
    "last": "count(d in Direction where last(ray(c, d)) is not none and man[last(ray(c, d))] is p)",
    "from what may be none": "count(d in Direction where ray(towards(c, d, 2), d) is not empty)",
    "in one direction": "size({e in ray(c, north) while man[e] is none}) + count(e in ray(c, south) where man[e] is p)",
    "after something": "count(d in Direction where seen(c, d) is not none) after lift(c)",
    "a list of places": "count(e in line(c, north) where e.row > 1)",
}


@pytest.mark.parametrize("board", ["grid 5 by 4", "hexes of radius 5"])
@pytest.mark.parametrize("what", ASKED)
def test_games_are_the_same(tmp_path: Path, what: str, board: str) -> None:
    asked = ASKED[what]
    if board.startswith("hexes"):
        asked = asked.replace("north", "east").replace("south", "west").replace("e.row", "e.q")
    (tmp_path / "game.rules").write_text(RULES % (board, asked), "utf-8")
    (tmp_path / "ruleset.json").write_text(json.dumps({"name": "small", "title": "Small", "rules": ["game.rules"]}))
    ends = [rw.load(tmp_path, engine="python", passes=passes).playouts(6) for passes in ("all", "-rays")]
    ends += [rw.load(tmp_path, engine="native", passes=p).playouts(6) for p in ("all", "-rays", "rays", "-masks")]
    assert all(end == ends[0] for end in ends)
