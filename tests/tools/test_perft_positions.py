"""Sequences of moves from the position that a scenario lays out."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from .conftest import Run

RULES = """game small
players 2
place Cell
map Board: grid 1 by 4 of Cell
field man[Cell]: Player or none

end full when every(c in Cell has man[c] is not none)
    finish with winner players

procedure play
    repeat
        each p in players
            turn(p)

procedure turn(p: Player)
    p chooses a from Cell where man[a] is none
    p chooses b from Cell where man[b] is none or b is a
    man[a] = p

scenario "two are taken"
    players anna, bert
    given man[(0, 0)] = anna, man[(0, 3)] = bert
    start play
    when anna: a = (0, 1)

scenario "one turn of bert"
    players anna, bert
    given man[(0, 0)] = anna, man[(0, 3)] = bert
    start turn(bert)
"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    manifest = {"name": "small", "title": "Small", "rules": ["game.rules"], "move": "turn"}
    (tmp_path / "ruleset.json").write_text(json.dumps(manifest), encoding="utf-8")
    (tmp_path / "game.rules").write_text(RULES, encoding="utf-8")
    return tmp_path


@pytest.mark.parametrize("engine", ["auto", "native", "python"])
def test_moves_are_counted_from_the_position_of_a_scenario(run: Run, folder: Path, engine: str) -> None:
    counts = {("two are taken", 1): 4, ("two are taken", 2): 4, ("two are taken", 3): 0}
    counts |= {("one turn of bert", 1): 4, ("one turn of bert", 2): 0, ("two are taken", 0): 1}
    for (title, depth), count in counts.items():
        found = run("perft", folder, "--depth", depth, "--scenario", title, "--engine", engine)
        assert (found.code, found.out) == (0, f"{count}\n"), (title, depth)
    divided = run("perft", folder, "--depth", "2", "--scenario", "two are taken", "--divide", "--engine", engine).out
    assert divided.splitlines()[0] == "(0, 1) (0, 1): 1"
    steps = run("perft", folder, "--depth", "3", "--scenario", "two are taken", "--unit", "decision").out
    assert steps == "4\n"


def test_what_says_something_else_than_the_scenario_is_refused(run: Run, folder: Path) -> None:
    assert "scenario" in run("perft", folder, "--depth", "1", "--scenario", "two").all
    refused = run("perft", folder, "--depth", "1", "--scenario", "two are taken", "--players", "2")
    assert refused.code == 2
    assert "leave out" in refused.all
