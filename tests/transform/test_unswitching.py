"""Conditions that do not depend on the members of a set are asked once; games are the same with and without."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import rulewright as rw
from program_texts import rewritten

OPEN = "Cmp('eq', FieldGet('owner', [$0]), 1)"
OWN = "Cmp('eq', FieldGet('owner', [c]), 1)"
WRONG = "Cmp('eq', Arith('div_down', 1, $0), 1)"
NEAR = "NeighboursOf('Board', $0)"
SIZE = "Cmp('eq', Size({0}), 2)"


def some(source: str, where: str = "none", kind: str = "some") -> str:
    """A question about the places of a set."""
    return f"Fold('{kind}', [Bound('c', {source})], {where}, none)"


def test_each_is_asked_what_depends_on_it() -> None:
    unchanged = [
        some(NEAR, OWN),
        some(NEAR, f"And([{WRONG}, {OPEN}])"),
        some(NEAR, f"And([{OWN}, {WRONG}])"),
        f"Fold('count', [Bound('c', {NEAR})], {OPEN}, none)",
        f"Filter(MakeList([$0, $1]), 'c', {OPEN}, true)",
    ]
    for before in unchanged:
        assert rewritten(before, passes=("unswitching",)) == before


def test_all_are_asked_once_what_does_not() -> None:
    anyone = some("Alive('Cell')")
    assert rewritten(some("Alive('Cell')", OPEN), passes=("unswitching",)) == f"And([{anyone}, {OPEN}])"
    both = some("Alive('Cell')", f"And([{OWN}, {OPEN}])", "no")
    own = some("Alive('Cell')", OWN)
    after = f"Not(And([{anyone}, {OPEN}, {own}]))"
    assert rewritten(both, passes=("unswitching",)) == after
    found = rewritten(f"Filter(Alive('Cell'), 'c', And([{OPEN}, {OWN}]))", passes=("unswitching",))
    assert found == f"IfElse(And([{anyone}, {OPEN}]), Filter(Alive('Cell'), 'c', {OWN}), MakeSet([]))"


def test_a_set_that_is_asked_again_has_a_name() -> None:
    found = rewritten(f"Filter({NEAR}, 'c', {SIZE.format(NEAR)})", passes=("unswitching",))
    assert found.count("NeighboursOf") == 1
    assert found.startswith(f"LetIn('cs', {NEAR}, IfElse(And([Fold('some', ")
    inner = f"Fold('some', [Bound('d', Filter({NEAR.replace('$0', 'd')}, 'd', {OWN.replace('c', 'd')}))], none, none)"
    other = f"Filter({NEAR.replace('$0', 'd')}, 'c', {inner})"
    told = rewritten(f"Collect(Alive('Cell'), 'd', {other}, true)", passes=("unswitching",))
    assert told.count("NeighboursOf") == 2, "what has another variable of this name is another set"


RULES = """\
game small
players 2
place Cell
map Board: grid 6 by 5 of Cell with diagonals
field man[Cell]: Player or none
field last: Cell or none
field x[Player]: Int = 0
query between(c: Cell, d: Direction, p: Player) -> set of Cell = {e in ray(c, d) while man[e] is p.left}
query turned(c: Cell, p: Player) -> set of Cell =
    {e for d in Direction, e in between(c, d, p) where man[towards(c, d, size(between(c, d, p)) + 1)] is p}
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
    "lines": "size(turned(c, p)) + count(d in Cell where turned(d, p.left) is not empty)",
    "some": "count(d in Cell where some(e in d.neighbours where man[d] is p and man[e] is not p))",
    "none": "count(d in Cell where no(e in d.neighbours where man[d] is none))",
    "a set": "size({e for d in Cell, e in {f in d.neighbours where man[d] is p and man[f] is none}})",
    "of what may be none": "size({e in last.neighbours where man[last] is p.left})",
    "of earlier members": "count(d in Cell where size({e in d.neighbours where size(d.neighbours) > 5}) > 0)",
}


@pytest.mark.parametrize("what", ASKED)
def test_games_are_the_same(tmp_path: Path, what: str) -> None:
    (tmp_path / "game.rules").write_text(RULES % ASKED[what], "utf-8")
    (tmp_path / "ruleset.json").write_text(json.dumps({"name": "small", "title": "Small", "rules": ["game.rules"]}))
    ends = [rw.load(tmp_path, engine="python", passes=passes).playouts(6) for passes in ("all", "-unswitching")]
    for passes in ("all", "-unswitching", "unswitching", "-masks"):
        ends.append(rw.load(tmp_path, engine="native", passes=passes).playouts(6))
    assert all(end == ends[0] for end in ends)
