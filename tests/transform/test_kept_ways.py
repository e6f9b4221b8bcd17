"""Ways that floods found are looked at before another flood is made; games are the same with and without."""

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
edge Gap
map Board: grid 6 by %d of Cell, edges Gap
field pawn[Player]: Cell or none
field shut[Gap]: Bool
field key[Gap]: Player or none
field x[Player]: Int = 0
query way(p: Player, c: Cell) -> Bool = %s
procedure play
    repeat 12 times
        each p in players
            turn(p)
    finish ranking p in players by x[p]
procedure turn(p: Player)
    p chooses c from Cell
    pawn[p] = c
    p chooses g from Gap
    x[p] += count(h in c.borders where (way(p, c) after turn_key(h, p)))
    turn_key(g, p)
    x[p] += count(d in Cell where d.column < 2 and way(p, d))
    if pawn[p.left] is c then pawn[p.left] = none
effect turn_key(g: Gap, p: Player)
    shut[g] = not shut[g]
    key[g] = none if key[g] is p else p
"""
ASKED = {
    "a row": "some(d in reach(from c across g where not shut[g]) where d.row is 0)",
    "a row that changes": "some(d in reach(from c across g where not shut[g]) where d.row is x[p] mod 6)",
    "gaps of a player": "some(d in reach(from c across g where key[g] is not p) where d.row is 5)",
    "gaps of two kinds": "some(d in reach(from c across g where not shut[g] and key[g] is none) where d.row is 5)",
    "a place": "pawn[p.left] in reach(from c across g where not shut[g])",
    "a start that may be none": "some(d in reach(from pawn[p] across g where not shut[g]) where d.row is 0)",
    "a place with a property": "some(d in reach(from c across g where not shut[g]) where pawn[p.left] is d)",
    "before something": "some(d in reach(from c across g where not shut[g]) where d.row is 5 and pawn[p] is not d)",
}


def game(folder: Path, columns: int, what: str) -> Path:
    """The folder of a game that asks for a way."""
    (folder / "game.rules").write_text(RULES % (columns, ASKED[what]), "utf-8")
    (folder / "ruleset.json").write_text(json.dumps({"name": "small", "title": "Small", "rules": ["game.rules"]}))
    return folder


@pytest.mark.parametrize("columns", [5, 12])
@pytest.mark.parametrize("what", ASKED)
def test_games_are_the_same(tmp_path: Path, what: str, columns: int) -> None:
    folder = game(tmp_path, columns, what)
    ends = [rw.load(folder, engine="python").playouts(4)]
    ends += [rw.load(folder, engine="native", passes=p).playouts(4) for p in ("all", "-ways", "-memo", "-masks")]
    assert all(end == ends[0] for end in ends)


def test_less_is_sought(tmp_path: Path) -> None:
    program = rw.load(game(tmp_path, 12, "a row")).program
    found = [profile(program, 10, passes=passes).profile.instructions for passes in (ALL_PASSES, ALL_PASSES - {"ways"})]
    assert found[0] < 0.7 * found[1]
