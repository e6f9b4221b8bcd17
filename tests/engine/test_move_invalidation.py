"""Memo tables while pieces are moved: machine code finds out while it runs which of them are invalid."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from small_rules import loaded

import rulewright as rw
from sampling import sample

RULES = """
game small
players 2

piece Thing
piece Stone is a Thing from "stones.json"
    worth: 0..3
    begins in bag
piece Coin is a Thing from "coins.json"
    begins in purse

place Cell
map Board: grid 2 by 2 of Cell
zone bag: set of Stone, seen by everyone
zone purse: stack of Coin, seen by everyone
zone row: row of Stone, at most 3, seen by everyone
zone heap: set of Thing, seen by everyone
zone on[Cell]: set of Thing, seen by everyone

procedure play
    repeat 12 times
        each p in players
            turn(p)
    finish with winner everyone

procedure turn(p: Player)
    p chooses either as deed
        option stone
            p chooses s from Stone
                forbid gone: not in_game(s)
            p chooses c from Cell
            put(s, c)
        option coin
            p chooses k from Coin
            p chooses c from Cell
            put(k, c)
        option back
            p chooses s from Stone
                forbid there: s in row
                forbid full: size(row) is 3
            move s to row
        option together
            p chooses c from Cell
            move on[c] to heap
        option away
            p chooses k from Coin
            move k to purse
        option out
            p chooses s from Stone
            move s to box

effect put(x: Thing, c: Cell)
    move x to on[c]
"""
ASSERTIONS = {
    "where kinds lie": "invariant one: count(s in Stone where on_board(s)) < 3 or size(purse) > 1",
    "which lies first": "invariant one: row is empty or row[1].worth < 3 or heap is empty",
    "how many lie somewhere": "invariant one: size(heap) < 3",
    "all coins": "invariant one: count(k in Coin where k in purse) > 0",
    "a query": "invariant one: most() < 3\nquery most -> Int = max(count(s in Stone where s in on[c]) for c in Cell)",
    "before": "property one always: count(s in Stone where on_board(s) and not old(on_board(s))) < 1 or size(heap) < 3",
    "no more": "property one after each turn for s in Stone: not old(s in row) or s in row or size(purse) > 1",
}


@pytest.mark.parametrize("passes", ["all", "-taken-from"])
@pytest.mark.parametrize("what", ASSERTIONS)
def test_what_is_broken_is_the_same(what: str, passes: str, tmp_path: Path) -> None:
    (tmp_path / "stones.json").write_text(json.dumps({"rows": [{"worth": w, "count": 2} for w in range(4)]}), "utf-8")
    (tmp_path / "coins.json").write_text(json.dumps({"rows": [{"count": 3}]}), "utf-8")
    loaded(tmp_path, f"{RULES}\n{ASSERTIONS[what]}\n")
    games = sample(40, 200)
    native, python = rw.load(tmp_path, engine="native", passes=passes), rw.load(tmp_path, engine="python")
    found = native.playouts(games, check=True)
    assert found == python.playouts(games, check=True)
    assert 2 <= len(found.broken) <= games - 2, "some of the games, but not all"
