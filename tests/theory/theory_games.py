"""Games of a few rules, of which game theory knows everything."""

from __future__ import annotations

import json
from pathlib import Path

import rulewright as rw


def game_of(folder: Path, rules: str, engine: rw.playing.EngineName = "auto", **options: str) -> rw.Game:
    """The game of some rules, which are written into a folder."""
    (folder / "game.rules").write_text(rules, "utf-8")
    manifest = {"name": "small", "title": "Small", "rules": ["game.rules"]}
    (folder / "ruleset.json").write_text(json.dumps(manifest), "utf-8")
    return rw.load(folder, options=dict(options), engine=engine)


NIM = """\
game nim
players 2
param heap = 7
field stones: 0.. = heap
procedure play
    repeat
        each p in players
            p chooses amount from {1 .. 3}
                forbid too_many: amount > stones
            stones -= amount
            if stones is 0 then finish with winner p
"""

HEX = """\
game hex
players 2
param size = 3
place Cell
map Board: hexes in rhombus size by size of Cell
field mark[Cell]: Player or none = none
query own(p: Player) -> set of Cell = {c in Cell where mark[c] is p}
query one_side(p: Player) -> set of Cell
    {c in Cell where c.q is 0} when p.seat is 1
    {c in Cell where c.r is 0} otherwise
query other_side(p: Player) -> set of Cell
    {c in Cell where c.q is size - 1} when p.seat is 1
    {c in Cell where c.r is size - 1} otherwise
procedure play
    repeat
        each p in players
            turn(p)
procedure turn(p: Player)
    p chooses cell from Cell where mark[cell] is none
    mark[cell] = p
end joined for p in players
        when some(c in reach(from own(p) intersect one_side(p) within own(p)) where c in other_side(p))
    finish with winner p
"""
MORRIS = """\
game morris
players 2
place Point
map Board: grid 3 by 3 of Point with diagonals
field man[Point]: Player or none = none
field placed: 0..6 = 0
query own(p: Player) -> set of Point = {c in Point where man[c] is p}
query row(p: Player) -> Bool = some(c in own(p), d in {north, north_east, east, south_east}
        where man[towards(c, d)] is p and man[towards(c, d, 2)] is p)
procedure play
    repeat
        each p in players
            turn(p)
procedure turn(p: Player)
    if placed < 6
        p chooses c from Point where man[c] is none
        man[c] = p
        placed += 1
    else
        p chooses a from {c in own(p) where some(n in c.neighbours where man[n] is none)}
        then
            p chooses b from {n in a.neighbours where man[n] is none}
            man[a] = none, man[b] = p
        else
            finish with winner p.left
end three for p in players when row(p)
    finish with winner p
"""
