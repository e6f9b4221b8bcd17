"""Records that the native backend keeps beside the zones: the places of a growing map, the only piece of a zone."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from lockstep import played
from small_rules import loaded

import rulewright as rw
from rulewright.engine.cells.layout import layout_of
from rulewright.engine.native.memory_map import find_occupants, single_zones
from rulewright.ir.walk import nodes
from sampling import sample

RULES = """
game small
players 2

piece Tile from "tiles.json"
    worth: 0..3
    begins in bag
piece Flag from "flags.json"
    begins in pole

place Cell
map Land: growing hexes of Cell, at most 14
zone bag: set of Tile, seen by everyone
zone pole: set of Flag, seen by everyone
zone tile[Cell]: set of Tile, at most 1, seen by everyone
zone flag[Cell]: set of Flag, at most 1, seen by everyone
field marks[Player]: Int = 0

procedure play
    repeat 12 times
        each p in players
            turn(p)
    finish ranking p in players by marks[p]

procedure turn(p: Player)
    p chooses either as deed
        option lay
            p chooses c from Cell
                forbid taken: tile[c] is not none
                forbid none_left: bag is empty
            put(c)
            put(first(d in Cell where tile[d] is none))
        option take
            p chooses t from Tile
                forbid elsewhere: not on_board(t)
            move t to bag
        option plant
            p chooses c from Cell
                forbid nothing: pole is empty
            move flag[c] to pole
            move first(pole) to flag[c]
        option change
            p chooses c from Cell
            p chooses d from Cell
            let one = first(tile[c])
            let other = first(tile[d])
            if one is not none and other is not none
                move one to bag
                move other to tile[c]
                move one to tile[d]
        option wait
    marks[p] += size(Cell) + (count(c in Cell where tile[c] is none) after put((0, 0)))
    marks[p] += count(c in Cell where tile[c] is not none and some(d in c.neighbours where tile[d] is none))
    marks[p] += count(c in Cell where flag[c] is not none and tile[c] is not none and tile[c].worth > 1)

effect put(c: Cell)
    if bag is not empty and tile[c] is none
        move 1 of bag to tile[c]
"""


PLAIN = RULES.replace(" + (count(c in Cell where tile[c] is none) after put((0, 0)))", "")
"""The same without a question about what would be: then nobody goes through copies."""


@pytest.fixture(params=[RULES, PLAIN], ids=["what would be", "plain"])
def folder(request: pytest.FixtureRequest, tmp_path: Path) -> Path:
    """A ruleset in which pieces are put down, moved, exchanged and taken away on a growing map."""
    tiles = [{"worth": worth, "count": 3} for worth in range(4)]
    (tmp_path / "tiles.json").write_text(json.dumps({"rows": tiles}), "utf-8")
    (tmp_path / "flags.json").write_text(json.dumps({"rows": [{"count": 3}]}), "utf-8")
    loaded(tmp_path, request.param)
    return tmp_path


def test_answer_by_answer_it_is_found_anew(folder: Path) -> None:
    """Each answer begins with a state that the machine code does not know."""
    tally = played(rw.load(folder).program, sample(20, 40))
    assert not tally.errors
    assert not tally.handed_over


@pytest.mark.parametrize("passes", ["all", "-grown-maps", "-occupants", "-grown-maps,-occupants"])
def test_in_whole_games_it_is_kept_up_to_date(folder: Path, passes: str) -> None:
    games = sample(20, 60)
    native = rw.load(folder, engine="native", passes=passes)
    assert native.playouts(games) == rw.load(folder, engine="python").playouts(games)


def test_zones_of_one_piece_are_kept(folder: Path) -> None:
    program = rw.load(folder).program
    found = find_occupants(layout_of(program), single_zones(nodes(program)))
    assert [one.zone for one in found] == ["tile", "flag"]
    assert not find_occupants(layout_of(program), ())
