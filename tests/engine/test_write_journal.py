"""Stores of imagined effects are noted and put back; games are the same with and without."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from lockstep import Lockstep

import rulewright as rw
from rulewright.engine import ALL_PASSES
from rulewright.engine.native.lowering.lowering_context import LoweringContext
from rulewright.engine.native.passes import parsed
from rulewright.engine.native.profile import profile

RULES = """\
game small
players 2
place Cell
map Board: grid 7 by 6 of Cell
field man[Cell]: Player or none
field held[Player, Cell]: 0 .. 9 = 0
field seen[Player]: set of Cell
field last: Cell or none
field x[Player]: Int = 0
query row(p: Player) -> Bool = some(c in Cell where man[c] is p and man[towards(c, east)] is p)
query worth(p: Player) -> Int = count(c in Cell where man[c] is p) + sum(held[p, c] for c in Cell)
query seen_by(p: Player) -> Int = size(seen[p])
procedure play
    repeat 12 times
        each p in players
            turn(p)
    finish ranking p in players by x[p]
procedure turn(p: Player)
    p chooses c from Cell
        forbid lost: x[p] > 100000 + (worth(p) after put(c, p))
    x[p] += %s
    put(c, p)
    x[p] += worth(p) + seen_by(p) + (1 if last is c else 0)
effect put(c: Cell, p: Player)
    man[c] = p
    held[p, c] = held[p, c] + 1 if held[p, c] < 9 else 9
    last = c
effect turn_over(c: Cell, p: Player)
    each d in c.neighbours where man[d] is not none
        man[d] = p if man[d] is p.left else none
        man[d] = p if d.row > 3 else man[d]
effect look(c: Cell, p: Player)
    seen[p] += {c}
    put(c, p)
effect all_of_it(p: Player)
    repeat 60 times
        each c in Cell
            man[c] = p
effect doubtful(c: Cell, p: Player)
    if row(p) after put(c, p) then man[c] = p.left
    put(c, p.left)
"""
ASKED = {
    "a truth": "count(d in Cell where (row(p) after put(d, p)))",
    "a number": "sum((worth(p) after put(d, p)) for d in c.neighbours)",
    "what is stored twice": "count(d in Cell where (row(p) after turn_over(d, p)))",
    "one after another": "count(d in c.neighbours where ((row(p) after put(d, p)) after turn_over(c, p.left)))",
    "one within another": "count(d in Cell where (row(p.left) after doubtful(d, p)))",
    "a set as well": "sum((worth(p) + seen_by(p) after look(d, p)) for d in Cell)",
    "more than is noted": "1 if (row(p) after all_of_it(p.left)) else 0",
}


def game(folder: Path, what: str) -> Path:
    """The folder of a game that asks what would be."""
    (folder / "game.rules").write_text(RULES % ASKED[what], "utf-8")
    (folder / "ruleset.json").write_text(json.dumps({"name": "small", "title": "Small", "rules": ["game.rules"]}))
    return folder


@pytest.mark.parametrize("passes", ["all", "-journal", "journal", "-value-sets"])
@pytest.mark.parametrize("what", ASKED)
def test_games_are_the_same(tmp_path: Path, what: str, passes: str) -> None:
    """Also all cells at each decision, and how often each rule was used: what is imagined is not counted."""
    both = Lockstep(rw.load(game(tmp_path, what)).program, parsed(passes))
    for seed in range(2):
        tally = both.play(seed)
        assert not tally.errors
        assert bool(tally.handed_over) == (what == "more than is noted" and passes != "-journal")


def test_only_what_is_stored_is_put_back(tmp_path: Path) -> None:
    """Of a set that is stored the whole is kept; of numbers nothing is."""
    program = rw.load(game(tmp_path, "a set as well")).program
    journal = LoweringContext(program).journal
    left = journal.left("look")
    assert left is not None
    assert sum(size for _, size in left) < 100
    assert journal.left("put") == []
    assert journal.functions == {"look", "put"}
    assert LoweringContext(program, passes=ALL_PASSES - {"journal"}).journal.left("put") is None


def test_explain_plan_tells_it(tmp_path: Path) -> None:
    program = rw.load(game(tmp_path, "a truth")).program
    assert profile(program, 1).done["turn", "journal", ""] > 0
