"""Counts of earlier positions compare blocks of numbers; games are the same with and without."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest

import rulewright as rw
from node_text import read, written
from program_texts import program_of
from rulewright.ir import model as m
from rulewright.ir.transform.optimizer import Optimizer

NOW = "Fingerprint(['owner'], [])"


def counted(*blocks: int, width: int = 4, kind: str = "count", of: str = "stood") -> str:
    """The count of those blocks of a list whose items are those of another one at such places."""
    alike = ", ".join(
        f"Cmp('eq', Item(known, Arith('add', Arith('mul', Arith('sub', n, 1), {width}), {at})), Item(now, {at}))"
        for at in blocks
    )
    numbers = f"IntRange(1, Arith('div_down', Size(known, true), {width}))"
    fold = f"Fold('{kind}', [Bound('n', {numbers})], And([{alike}]), none)"
    return f"LetIn('known', {of}, LetIn('now', {NOW}, {fold}))"


STOOD, LONG = "FieldGet('stood', [])", "FieldGet('long', [])"
BEFORE_AND_AFTER = {
    "all items": (counted(0, 1, 2, 3, of=STOOD), f"Occurrences({STOOD}, {NOW}, 4)"),
    "narrow blocks": (counted(0, 1, width=2, of=STOOD), f"Occurrences({STOOD}, {NOW}, 2)"),
    "not all items": (counted(0, 1, 3, of=STOOD), counted(0, 1, 3, of=STOOD)),
    "a truth": (counted(0, 1, 2, 3, of=STOOD, kind="some"), counted(0, 1, 2, 3, of=STOOD, kind="some")),
    "more blocks than numbers in a set": (counted(0, 1, width=2, of=LONG), counted(0, 1, width=2, of=LONG)),
}


@pytest.mark.parametrize("what", BEFORE_AND_AFTER)
def test_blocks_that_are_alike_are_counted(what: str) -> None:
    before, after = BEFORE_AND_AFTER[what]
    program = program_of("")
    lists = [
        replace(program.fields[0], name=name, index=(), binders=(), ty=m.Ty("list", capacity=room))
        for name, room in (("stood", 400), ("long", 4_000))
    ]
    optimizer = Optimizer(replace(program, fields=(*program.fields, *lists)), ("records",))
    assert written(optimizer.rewritten("test", read(before))) == after


RULES = """\
game small
players 2
place Cell
map Board: grid 2 by 2 of Cell
field man[Cell]: Player or none
field stood[Player]: positions of man, at most 90
field both: positions of man and total, at most 60
field total: Int = 0
procedure play
    record(both)
    repeat 20 times
        each p in players
            turn(p)
    finish ranking p in players by total
procedure turn(p: Player)
    p chooses c from Cell
        forbid again: seen_before(stood[p]) > 5 after put(p, c)
    put(p, c)
    record(stood[p])
    record(both)
    total = (total + seen_before(stood[p]) + seen_before(both)) mod 4
effect put(p: Player, c: Cell)
    man[c] = none if man[c] is p.left else p
"""


def test_games_are_the_same(tmp_path: Path) -> None:
    (tmp_path / "game.rules").write_text(RULES, "utf-8")
    (tmp_path / "ruleset.json").write_text(json.dumps({"name": "small", "title": "Small", "rules": ["game.rules"]}))
    ends = [rw.load(tmp_path, engine="python", passes=passes).playouts(6) for passes in ("all", "-records")]
    ends += [rw.load(tmp_path, engine="native", passes=passes).playouts(6) for passes in ("all", "-records")]
    assert all(end == ends[0] for end in ends)


def test_a_record_that_is_full_ends_the_game_on_both_engines(tmp_path: Path) -> None:
    (tmp_path / "game.rules").write_text(RULES.replace("at most 60", "at most 30"), "utf-8")
    (tmp_path / "ruleset.json").write_text(json.dumps({"name": "small", "title": "Small", "rules": ["game.rules"]}))
    for engine in ("python", "native"):
        with pytest.raises(rw.RulesetError, match="holds at most 30 positions"):
            rw.load(tmp_path, engine=engine).playouts(1)
