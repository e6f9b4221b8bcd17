"""Machine code for what shipped rules hardly do: parties that are asked, ways of many steps, numbers drawn of none."""

from __future__ import annotations

from pathlib import Path

import pytest
from lockstep import played

import rulewright as rw

RULES = """\
game sides
players 4, teams of 2 with 4 players
party Side: teams
place Cell
map Board: grid 3 by 20 of Cell
field stands[Side]: Cell = (0, 0)
field steps: -20..20 = 1
field drawn[Side]: -20..40 = 0
field out_of_it: Int = 0

procedure play
    repeat 6 times
        each s in Side
            turn(s)
        chance chooses unlucky from players
        if out_of_it < 1 and steps > 10
            out_of_it += 1
            eliminate(unlucky)
    finish ranking p in players by drawn[p.side]

procedure turn(s: Side)
    s chooses way from Direction
    chance chooses n from {0 .. 38}
    steps = n - 19
    if towards(stands[s], way, steps) is not none then stands[s] = towards(stands[s], way, steps)
    let least = 0 if stands[s] is (0, 0) else size(ray(stands[s], way))
    chance chooses number from {least .. 12}
    if number is not none then drawn[s] = min({40, drawn[s] + number})
"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "ruleset.json").write_text('{"name": "sides", "title": "Sides", "rules": ["game.rules"]}', "utf-8")
    (tmp_path / "game.rules").write_text(RULES, "utf-8")
    return tmp_path


def test_both_backends_play_the_same(folder: Path) -> None:
    tally = played(rw.load(folder, players=4).program, 40)
    assert tally.decisions > 200
    assert not tally.errors
    assert not tally.handed_over


def test_whole_games_are_the_same(folder: Path) -> None:
    native, python = (rw.load(folder, players=4, engine=engine) for engine in ("native", "python"))
    assert native.playouts(60) == python.playouts(60)
