"""Games of rules in which queries are written where they are asked: both engines play the same, with and without it."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import rulewright as rw

RULES = """\
game small
players 2
place Cell
map Board: grid 4 by 4 of Cell
field man[Cell]: Player or none
field x[Player]: Int = 0
query own(c: Cell, p: Player) -> Bool = man[c] is p
query leads(p: Player) -> Bool = x[p] > x[p.left] or count(c in Cell where own(c, p)) > 3 and x[p] > 1
query crowded(n: Int) -> Bool = n > 2 and count(d in Cell where man[d] is not none) > n and n < 9
query beside(c: Cell) -> set of Cell = {d in Cell where d in c.neighbours and man[d] is not none}
query twice(n: Int) -> Int = n + n
query nearest(c: Cell) -> Cell or none = first(d in beside(c) where d.row >= c.row)
procedure play
    repeat 6 times
        each p in players
            turn(p)
    finish ranking p in players by x[p]
procedure turn(p: Player)
    p chooses c from Cell where man[c] is none
    man[c] = p
    x[p] += %s
"""
ASKED = {
    "a condition that no loop changes": "count(c in Cell where own(c, p) and leads(p))",
    "one that can be an error": "count(c in Cell where crowded(x[p] + 1000) or own(c, p.left))",
    "a condition in two loops": "count(a in Cell, b in a.neighbours where own(a, p) and own(b, p) and not leads(p))",
    "a set with the name of its loop": "count(d in Cell where c in beside(d))",
    "a set of what a set gives": "size({nearest(d) for d in Cell where own(d, p)})",
    "a number that is asked twice": "twice(twice(count(c in Cell where own(c, p))))",
    "a chain that may be none": "1 if nearest(c) is not none and own(nearest(c), p) else 0",
    "after something": "count(c in Cell where own(c, p)) after change(c)",
    "all of them": "1 if every(c in Cell where own(c, p) has c in beside(c) or leads(p)) else 2",
}
EFFECT = """\
effect change(c: Cell)
    man[c] = first(players)
    x[first(players)] = 7
"""


@pytest.mark.parametrize("what", ASKED)
def test_games_are_the_same(tmp_path: Path, what: str) -> None:
    (tmp_path / "game.rules").write_text(RULES % ASKED[what] + EFFECT, "utf-8")
    (tmp_path / "ruleset.json").write_text(json.dumps({"name": "small", "title": "Small", "rules": ["game.rules"]}))
    ends = [rw.load(tmp_path, engine="python").playouts(20)]
    ends += [rw.load(tmp_path, engine="native", passes=passes).playouts(20) for passes in ("all", "-inlining", "none")]
    assert all(end == ends[0] for end in ends)
    assert rw.load(tmp_path, engine="native").stepper(1).options
