"""Questions that are asked again in one condition are asked once; games are the same with and without."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import rulewright as rw
from program_texts import rewritten

OWN = "Cmp('eq', FieldGet('owner', [c]), 1)"
FAR = f"Size(Filter(NeighboursOf('Board', $0), 'c', {OWN}))"
NEXT = f"Towards('Board', $0, $1, {FAR})"
FREE = "Cmp('eq', FieldGet('owner', [{0}]), -2147483648)"
THERE = "Cmp('ne', {0}, -2147483648, true)"
WRONG = "Cmp('eq', Arith('div_down', 1, $0), 1)"
LATER = f"Arith('add', $1, {FAR})"


def once(before: str) -> str:
    """Text of what the pass makes of an expression."""
    return rewritten(before, passes=("repeats",))


def test_what_is_asked_in_any_case_has_a_name() -> None:
    named = f"LetIn('once', {NEXT}, {{0}}([{THERE.format('once')}, {FREE.format('once')}]))"
    for kind in ("And", "Or"):
        assert once(f"{kind}([{THERE.format(NEXT)}, {FREE.format(NEXT)}])") == named.format(kind)
    choice = f"IfElse({THERE.format(NEXT)}, {NEXT}, 0)"
    assert once(choice) == f"LetIn('once', {NEXT}, IfElse({THERE.format('once')}, once, 0))"


def test_what_comes_before_stays_before() -> None:
    found = once(f"And([{OWN}, {THERE.format(NEXT)}, {FREE.format(NEXT)}])")
    assert found == f"And([{OWN}, LetIn('once', {NEXT}, And([{THERE.format('once')}, {FREE.format('once')}]))])"


def test_a_part_of_what_is_asked_has_a_name_too() -> None:
    found = once(f"And([{THERE.format(NEXT)}, {FREE.format(NEXT)}, Cmp('lt', {FAR}, 3)])")
    assert found.count("NeighboursOf") == 1
    assert found.startswith(f"LetIn('once\\'', {FAR}, LetIn('once', ")


def test_a_place_that_a_condition_asks_for_is_not_looked_for_again() -> None:
    there = NEXT.replace("$1", "d")
    found = once(f"Collect(Filter(Alive('Direction'), 'd', {FREE.format(there)}), 'd', {there})")
    choice = f"IfElse({FREE.format('once')}, once, -2147483648)"
    assert found == f"Collect(Alive('Direction'), 'd', LetIn('once', {there}, {choice}))"


def test_a_name_for_a_name_is_left_out() -> None:
    found = once(f"And([LetIn('x', {NEXT}, {THERE.format('x')}), {FREE.format(NEXT)}])")
    assert found == f"LetIn('once', {NEXT}, And([{THERE.format('once')}, {FREE.format('once')}]))"


UNCHANGED = {
    "asked in one case only": f"And([Or([{OWN}, {THERE.format(NEXT)}]), {FREE.format(NEXT)}])",
    "asked of each member only": f"And([Fold('some', [Bound('d', Alive('Cell'))], {THERE.format(NEXT)}, none), "
    f"{FREE.format(NEXT)}])",
    "no work": f"And([{THERE.format('$0')}, {FREE.format('$0')}])",
    "other members": f"Collect(Filter(Alive('Cell'), 'd', {FREE.format('d')}), 'd', {NEXT.replace('$0', 'd')})",
    "another member": f"And([{THERE.format(NEXT.replace('$0', 'e'))}, "
    f"Fold('some', [Bound('e', Alive('Cell'))], {FREE.format(NEXT.replace('$0', 'e'))}, none)])",
    "an error before it": f"And([And([{WRONG}, {THERE.format(NEXT)}]), {FREE.format(NEXT)}])",
}


@pytest.mark.parametrize("what", UNCHANGED)
def test_all_else_stays(what: str) -> None:
    assert once(UNCHANGED[what]) == UNCHANGED[what]


def test_an_error_comes_where_it_came_before() -> None:
    both = f"And([Cmp('eq', {LATER}, 3), Cmp('eq', {LATER}, 4)])"
    assert once(both) == f"LetIn('once', {LATER}, And([Cmp('eq', once, 3), Cmp('eq', once, 4)]))"
    behind = f"And([And([{WRONG}, {OWN}]), Cmp('eq', {LATER}, 3), Cmp('eq', {LATER}, 4)])"
    assert once(behind).startswith(f"And([And([{WRONG}, {OWN}]), LetIn('once', {LATER}, ")
    within = f"And([Cmp('eq', Arith('div_down', 1, $0), {LATER}), Cmp('eq', {LATER}, 4)])"
    assert once(within) == within


RULES = """\
game small
players 2
place Cell
map Board: grid 6 by 5 of Cell with diagonals
field man[Cell]: Player or none
field last: Cell or none
field x[Player]: Int = 0
query men(c: Cell, d: Direction) -> Int = 1 + count(e in ray(c, d) where man[e] is not none)
query target(c: Cell, d: Direction) -> Cell or none = towards(c, d, men(c, d))
query free(c: Cell, d: Direction, p: Player) -> Bool = target(c, d) is not none and man[target(c, d)] is not p
        and no(n in {1 .. men(c, d) - 1} where man[towards(c, d, n)] is p.left)
query blocker(c: Cell, d: Direction) -> Cell or none = first(e in ray(c, d) where man[e] is not none)
effect lay(c: Cell, p: Player)
    man[c] = p
procedure play
    repeat 8 times
        each p in players
            turn(p)
    finish ranking p in players by x[p]
procedure turn(p: Player)
    p chooses c from Cell where man[c] is none
    x[p] += %s
    man[c] = p
    last = c
"""
ASKED = {
    "ways": "count(d in Direction where free(c, d, p)) + size({target(c, d) for d in Direction where free(c, d, p)})",
    "ends": "size({towards(c, d, men(c, d)) for d in Direction where man[towards(c, d, men(c, d))] is none})",
    "rays": "count(d in Direction where man[blocker(c, d)] is p or man[blocker(c, d)] is none"
    " or man[blocker(blocker(c, d), d)] is p.left)",
    "choices": "(men(last, north) if men(last, north) > 1 else men(c, south)) if last is not none else 0",
    "another state": "1 if men(c, east) > 1 and men(c, east) > 2 after lay(c, p) and men(c, east) < 9 else 0",
    "members": "count(d in Cell where size(d.neighbours) > 5 and some(e in Cell where size(d.neighbours) > 5 + x[p]))",
}


@pytest.mark.parametrize("what", ASKED)
def test_games_are_the_same(tmp_path: Path, what: str) -> None:
    (tmp_path / "game.rules").write_text(RULES % ASKED[what], "utf-8")
    (tmp_path / "ruleset.json").write_text(json.dumps({"name": "small", "title": "Small", "rules": ["game.rules"]}))
    ends = [rw.load(tmp_path, engine="python", passes=passes).playouts(6) for passes in ("all", "-repeats")]
    for passes in ("all", "-repeats", "repeats", "-masks"):
        ends.append(rw.load(tmp_path, engine="native", passes=passes).playouts(6))
    assert all(end == ends[0] for end in ends)
