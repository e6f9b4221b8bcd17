"""Bounds that results, parameters and lists declare hold while the game runs, on both engines."""

from __future__ import annotations

from pathlib import Path

import pytest
from lockstep import played
from small_rules import loaded

import rulewright as rw

GAME = """game bounds
players 2
field a: 0..20 = 1
field b: 0..20 = 3
procedure play
    first(players) chooses n from {0 .. 5}
    b = n
    test
    if a is 7
        finish with winner first(players)
    finish with winner first(players).left
query from_on(k: 0..9) -> set of 0..9 = {n in {0 .. 9} where n >= k}
"""
LOW = "query low() -> 0..9 = 2 - b\n"
BROKEN = {
    "the result of a query": LOW + "effect test\n    if low() in from_on(0) then a = 7\n",
    "the result of a value": "value low() -> 0..9 = 2\n    less: - b\neffect test\n    if low() < 0 then a = 7\n",
    "the case of a query": """query low() -> 0..9
    2 - b when b > 2
    1 otherwise
effect test
    if low() in from_on(0) then a = 7
""",
    "a set": """query few(n: Int) -> set of 0..3 = {n}
effect test
    if 70 in few(20 * b) then a = 7
""",
    "the parameter of a query": "effect test\n    if size(from_on(2 - b)) is 9 then a = 7\n",
    "the parameter of an effect": """effect go(n: 0..9)
    if n in from_on(0) then a = 7
effect test
    go(2 - b)
""",
    "the result of an effect": """effect go(n: Int) -> 0..9
    return n
effect test
    let x = go(2 - b)
    if x in from_on(0) then a = 7
""",
    "what is added to a list": """field kept: list of 0..9, at most 9
effect test
    kept += 2 - b
    if kept[1] in from_on(0) then a = 7
""",
    "a list": """field kept: list of 0..9, at most 9
effect test
    kept = [2 - b, 3]
    if kept[1] in from_on(0) then a = 7
""",
    "what a reaction makes of a parameter": """effect go(n: 0..9), open clockwise from first(players)
    if n in from_on(0) then a = 7
reaction less before go(n)
    n -= b
effect test
    go(2)
""",
    "a bound below": "query low() -> 0.. = 2 - b\neffect test\n    if low() in from_on(0) then a = 7\n",
}
KEPT = {
    "modifiers that end within": "value low() -> 0..9 = 2 - b\n    least: at least 0\neffect test\n    a = low() + 1\n",
    "a variable that begins with a result": """effect go(n: 0..9) -> 0..9
    return n
effect test
    var x = go(b)
    x -= 4
    if x in from_on(0) then a = 7
""",
}


@pytest.mark.parametrize("rules", BROKEN.values(), ids=BROKEN)
def test_a_value_outside_its_bounds_ends_the_game(rules: str, tmp_path: Path) -> None:
    made = loaded(tmp_path, GAME + rules)
    total = played(made.program, 40)
    assert not total.handed_over
    assert list(total.errors) == ["RUN001"]
    assert 5 < total.errors["RUN001"] < 40
    with pytest.raises(rw.RulesetError, match=r"must be .*(not -?\d+|in all of it)"):
        made.playouts(40)


@pytest.mark.parametrize("rules", KEPT.values(), ids=KEPT)
def test_what_ends_within_is_played(rules: str, tmp_path: Path) -> None:
    total = played(loaded(tmp_path, GAME + rules).program, 40)
    assert not total.errors
    assert not total.handed_over
