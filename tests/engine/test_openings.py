"""Games begin with their first question, if all come to the same one; they are the same with and without."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from lockstep import Lockstep
from shipped_programs import shipped_game

import rulewright as rw
from rulewright.engine import ALL_PASSES
from rulewright.engine.native.backend import Backend
from rulewright.engine.native.instance import Instance, Trap
from rulewright.ir.model import Program

RULES = """\
game small
players 2
place Cell
map Board: grid 5 by 4 of Cell
field man[Cell]: Player or none
field x[Player]: Int = 0
procedure play
    %s
    repeat 4 times
        each p in players
            turn(p)
    finish ranking p in players by x[p]
procedure turn(p: Player)
    p chooses c from Cell where man[c] is not p
        %s
    man[c] = p
    x[p] += count(d in Cell where man[d] is p) + c.row
procedure prepare
    each p in players
        each c in Cell where c.row is 0 or c.column is 1
            man[c] = p if c.column > 1 else p.left
        x[p] += count(c in Cell where man[c] is p)
procedure roll
    prepare
    chance chooses c from Cell
    man[c] = none
procedure over
    prepare
    finish ranking p in players by x[p]
"""
BEGINNINGS = {
    "cells": ("prepare", "", True),
    "no member where that is wanted": ("prepare", "forbid low: c.row > 1", True),
    "chance": ("roll", "", False),
    "nothing before": ("x[first(players)] = 1", "", False),
    "no question": ("over", "", False),
    "an error": ("prepare\n    x[first(players)] = 1 / (size(Cell) - 20) rounded down", "", False),
}


def program(folder: Path, what: str) -> Program:
    """The program of a game that begins in such a way."""
    (folder / "game.rules").write_text(RULES % BEGINNINGS[what][:2], "utf-8")
    (folder / "ruleset.json").write_text(json.dumps({"name": "small", "title": "Small", "rules": ["game.rules"]}))
    return rw.load(folder).program


@pytest.mark.parametrize("what", BEGINNINGS)
def test_games_are_the_same(tmp_path: Path, what: str) -> None:
    """Also the steps that they take, all cells, and how often each rule was used."""
    both = Lockstep(program(tmp_path, what))
    for seed in range(4):
        tally = both.play(seed)
        assert bool(tally.errors) == (what == "an error")


@pytest.mark.parametrize("what", [what for what in BEGINNINGS if what != "an error"])
def test_many_games_are_the_same(tmp_path: Path, what: str) -> None:
    program(tmp_path, what)
    ends = [rw.load(tmp_path, engine=engine).playouts(9, 3) for engine in ("native", "python")]
    ends += [rw.load(tmp_path, engine="native", passes=passes).playouts(9, 3) for passes in ("-openings", "openings")]
    assert all(end == ends[0] for end in ends)


@pytest.mark.parametrize("what", BEGINNINGS)
def test_openings_are_kept_where_all_are_alike(tmp_path: Path, what: str) -> None:
    assert keeps(program(tmp_path, what)) == BEGINNINGS[what][2]


def test_shipped_games() -> None:
    assert keeps(shipped_game("breakthrough").program)
    assert not keeps(shipped_game("carolus-magnus").program)


def keeps(of: Program) -> bool:
    """True if the third game begins with its first question."""
    backend = Backend(of)
    instance = Instance(backend.native, backend._module)
    at = backend.native.opening
    for seed in range(3):
        try:
            instance.begin(seed)
        except Trap:
            return False
    return bool(at) and instance.number(at) == 1


def test_nothing_is_kept_with_assertions_or_without_the_pass() -> None:
    of = shipped_game("breakthrough").program
    assert not Backend(of, check=True).native.opening
    assert not Backend(of, passes=ALL_PASSES - {"openings"}).native.opening
