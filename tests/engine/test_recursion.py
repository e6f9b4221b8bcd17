"""Queries that ask themselves, on both engines: looked ahead by hand, and what is deeper than it may be."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from lockstep import Lockstep, Tally

import rulewright as rw
from sampling import sample
from verifier import validate

RULES = """game heap
players 2
param deep = 9
field stones: 0.. = 12
effect take(n: Int)
    stones -= n
query lost(n: Int) -> Bool, at most deep times
    false when n is 0
    every(k in {1 .. 3} has k > stones or not (lost(n - 1) after take(k))) otherwise
query way(n: Int) -> list of Int, at most 3 times = [] if n is 0 else way(n - 1)
query chosen(n: Int) -> set of Int, at most deep - 2 times = {n} if n > 6 else chosen(n + 1) + {n}
procedure play
    repeat
        each p in players
            p chooses n from {1 .. 3} where n <= stones and size(way(1)) is 0
                forbid silly: not lost(LOOKS) and some(k in chosen(1) where k <= stones and lost(1) after take(1))
            else
                finish with winner players
            take(n)
            if stones is 0
                finish with winner p
"""


def heap(at: Path, looks: int) -> rw.Game:
    (at / "game.rules").write_text(RULES.replace("LOOKS", str(looks)), encoding="utf-8")
    (at / "ruleset.json").write_text(
        json.dumps({"name": "heap", "title": "Heap", "rules": ["game.rules"]}), encoding="utf-8"
    )
    return rw.load(at)


def test_both_engines_look_ahead(tmp_path: Path) -> None:
    game = heap(tmp_path, 5)
    validate(game.program)
    assert {f"lost {n}" for n in range(1, 10)} < {query.name for query in game.program.queries}
    both, tally = Lockstep(game.program), Tally()
    for seed in range(sample(10, 100)):
        tally.add(both.play(seed))
    assert not tally.handed_over
    assert not tally.errors


def test_more_often_than_it_may_is_an_error(tmp_path: Path) -> None:
    game = heap(tmp_path, 10)
    assert Lockstep(game.program).play(0).errors == {"RUN010": 1}
    with pytest.raises(rw.RulesetError, match="the query `lost` asks itself more than 9 times") as caught:
        game.playout(0)
    assert caught.value.diagnostics[0].span.line > 1
