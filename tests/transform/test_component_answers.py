"""Floods answer for all places to which they come; games are the same with and without."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import rulewright as rw
from rulewright.engine import ALL_PASSES
from rulewright.engine.native.profile import profile

RULES = """\
game small
players 2
place Cell
map Board: grid %d by %d of Cell
field stone[Cell]: Player or none
field x[Player]: Int = 0
query asked(p: Player, c: Cell%s) -> Bool = %s
procedure play
    repeat %d times
        each p in players
            turn(p)
    finish ranking p in players by x[p]
procedure turn(p: Player)
    p chooses c from Cell
    x[p] += count(d in c.neighbours where asked(p, d) after put(c, p))
    put(c, p)
    x[p] += count(d in Cell where d.column < 3 and asked(p, d))
    x[p] += 3 * count(d in c.neighbours where asked(p.left, towards(d, north)))
    if some(d in c.neighbours where asked(p.left, d)) then stone[c] = none
effect put(c: Cell, p: Player)
    stone[c] = none if stone[c] is p else p
"""
OPEN = "reach(from c within {d in Cell where stone[d] is not p})"
ASKED = {
    "the rim": f"no(d in {OPEN} where d.column is 0 or d.row is 0)",
    "one side": f"some(d in {OPEN} where d.row is 0)",
    "one side, downwards": f"some(d in {OPEN} where d.row is 5)",
    "stones of the other one": f"some(d in {OPEN} where stone[d] is p.left)",
    "a property of each place": f"some(d in {OPEN} where d.row is 0 and stone[towards(d, east)] is p)",
    "own stones, from places where there may be none": (
        "every(d in reach(from c within {d in Cell where stone[d] is p}) has d.row > 0 and d.column > 0)"
    ),
    "anywhere": "some(d in reach(from c) where stone[d] is p and d.row is 2)",
    "the start is asked for, too": f"some(d in {OPEN} where d.row is 0 and d is not c)",
}
UNLIKE = {"anywhere", "the start is asked for, too"}


def game(folder: Path, columns: int, what: str, rounds: int = 12) -> Path:
    """The folder of a game that asks where floods come to."""
    optional = " or none" if what == "one side" else ""
    text = RULES % (6, columns, optional, ASKED[what], rounds)
    if not optional:
        text = text.replace("asked(p.left, towards(d, north))", "asked(p.left, d)")
    (folder / "game.rules").write_text(text, "utf-8")
    (folder / "ruleset.json").write_text(json.dumps({"name": "small", "title": "Small", "rules": ["game.rules"]}))
    return folder


@pytest.mark.parametrize("columns", [5, 12])
@pytest.mark.parametrize("what", ASKED)
def test_games_are_the_same(tmp_path: Path, what: str, columns: int) -> None:
    folder = game(tmp_path, columns, what)
    ends = [rw.load(folder, engine="python").playouts(4)]
    ends += [rw.load(folder, engine="native", passes=p).playouts(4) for p in ("all", "-components", "-memo", "-masks")]
    assert all(end == ends[0] for end in ends)


@pytest.mark.parametrize("what", ASKED)
def test_less_is_sought(tmp_path: Path, what: str) -> None:
    program = rw.load(game(tmp_path, 12, what)).program
    passes = (ALL_PASSES, ALL_PASSES - {"components"})
    compiled = [profile(program, 10, passes=one) for one in passes]
    found = [one.profile.instructions for one in compiled]
    assert (found[0] == found[1]) == (what in UNLIKE)
    if what == "the rim":
        assert found[0] < 0.85 * found[1]
