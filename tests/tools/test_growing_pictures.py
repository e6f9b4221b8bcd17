"""Pictures of maps that grow: what is drawn of them, and where."""

from __future__ import annotations

import json
from collections.abc import Sequence
from math import hypot
from pathlib import Path

import pytest

import rulewright as rw
from rulewright_tools.render.picture import Picture
from rulewright_tools.render.position_picture import picture_of
from rulewright_tools.render.svg import sheet
from rulewright_tools.render.terminal.board import Board
from rulewright_tools.render.theme import palette_of, piece_keys

RULES = """game tiles
players 2
enum Land: sand, water
place Cell
edge Side
map World: growing hexes of Cell, at most 6, edges Side
piece Tile from "tiles.json"
    land: Land
    named "{land} tile"
    begins in supply
piece Pawn from "pawns.json"
    named "pawn"
    begins in pawns
zone supply: set of Tile, seen by everyone
zone pawns: set of Pawn, seen by everyone
zone tile[Cell]: set of Tile, at most 1, seen by everyone
zone on[Cell]: set of Pawn, at most 1, seen by everyone
field fenced[Side]: Bool = false
field fence: Side or none
procedure play
    repeat until supply is empty, at most 6 times
        each p in players
            p chooses t from supply
            then
                p chooses c from Cell
                    forbid taken: tile[c] is not none
                move t to tile[c]
                let other = first(n in c.neighbours where tile[n] is not none)
                fence = c|other
                if fence is not none then fenced[fence] = true
    move 1 of pawns to on[(0, 0)]
    finish with winner players
"""
TILES = {"rows": [{"land": "sand", "count": 4}, {"land": "water", "count": 2}]}


@pytest.fixture
def game(tmp_path: Path) -> rw.Game:
    (tmp_path / "game.rules").write_text(RULES)
    (tmp_path / "tiles.json").write_text(json.dumps(TILES))
    (tmp_path / "pawns.json").write_text(json.dumps({"rows": [{"count": 1}]}))
    draw = {"ground": {"field": "land"}, "shapes": {"pawn": "pawn"}}
    manifest = {"name": "tiles", "title": "Tiles", "rules": ["game.rules"], "draw": draw}
    (tmp_path / "ruleset.json").write_text(json.dumps(manifest))
    return rw.load(tmp_path, 2)


def laid(game: rw.Game, steps: Sequence[tuple[str, str]]) -> Picture:
    """The picture when these tiles lie at these places."""
    state = game.start(1)
    for tile, place in steps:
        for key in (tile, place):
            assert state.decision is not None
            state = state.choose(next(option for option in state.decision.options if option.key == key))
    return picture_of(game, state, None)


def test_nothing_is_laid_yet(game: rw.Game) -> None:
    picture = picture_of(game, game.start(1), None)
    assert [(spot.key, spot.ground) for spot in picture.spots] == [("(0, 0)", "")]


def test_what_is_laid_and_what_is_beside_it(game: rw.Game) -> None:
    picture = laid(game, [("sand tile", "(0, 0)"), ("water tile", "(1, 0)")])
    assert {spot.key: spot.ground for spot in picture.spots if spot.ground} == {"(0, 0)": "sand", "(1, 0)": "water"}
    assert len(picture.spots) == 10
    assert not any(spot.items for spot in picture.spots), "a tile is ground, not a piece on it"
    assert len(picture.links) == len(picture.edges) == 19
    walled = [edge.key for edge in picture.edges if edge.walls]
    assert walled == ["(0, 0)|(1, 0)"]


def test_a_long_row_is_not_torn(game: rw.Game) -> None:
    places = ["(0, 0)", "(1, 0)", "(2, 0)", "(3, 0)", "(-4, 0)"]
    picture = laid(game, [("sand tile" if n < 4 else "water tile", place) for n, place in enumerate(places)])
    at = {spot.key: (spot.x, spot.y) for spot in picture.spots}
    assert [at[place] for place in places] == [(1000 * number, 0) for number in range(5)]
    for one, other in picture.links:
        a, b = picture.spots[one], picture.spots[other]
        assert hypot(a.x - b.x, a.y - b.y) == pytest.approx(1000, abs=1)


def test_pieces_stand_on_the_ground(game: rw.Game) -> None:
    state = game.playout(3).state
    picture = picture_of(game, state, None)
    assert [[item.key for item in spot.items] for spot in picture.spots if spot.items] == [["pawn"]]
    assert sum(spot.ground != "" for spot in picture.spots) == 6
    palette = palette_of(game)
    drawn = sheet.draw(picture, palette)
    assert drawn.count("<title>pawn</title>") == 1
    assert drawn.count(" sand</title>") == 4
    lines = [line.plain for line in Board(palette, piece_keys(game), 100).draw(picture, {picture.place: ["(0, 0)"]})]
    assert sum(line.count("0,0") for line in lines) == 1
