"""No pass makes a game slower: machine instructions are counted, with the pass and without it."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import rulewright as rw
from rulewright.engine import ALL_PASSES
from rulewright.engine.native.profile import profile

RULES = """\
game lines
players 2
place Point
map Board: grid 10 by 9 of Point
field owner[Point]: Player or none = none
field kind[Point]: 0..6 = 0
query straight -> set of Direction = {north, east, south, west}
query home(p: Player) -> set of Point = {x in Point
        where x.column in {3 .. 5} and (x.row >= 7 if p is first(players) else x.row <= 2)}
query blocker(a: Point, d: Direction) -> Point or none = first(x in ray(a, d) where owner[x] is not none)
query hostile(x: Point or none, p: Player, n: Int) -> Bool = kind[x] is n and owner[x] is p.left
query steps(a: Point, p: Player) -> set of Point = {towards(a, d) for d in straight() where towards(a, d) in home(p)}
query attacked(a: Point, p: Player) -> Bool = some(d in straight()
        where hostile(blocker(a, d), p, 1) or hostile(blocker(a, d), p, 2) or hostile(blocker(blocker(a, d), d), p, 3))
procedure play
    repeat 10 times
        each p in players
            turn(p)
    finish ranking p in players by count(x in Point where owner[x] is p)
procedure turn(p: Player)
    p chooses x from Point where owner[x] is none
    owner[x] = p
    kind[x] = (x.row + x.column) mod 4
    each y in Point where owner[y] is not none and %s
        kind[y] = 0
"""


def instructions(game: rw.Game, left_out: str) -> int:
    """The machine instructions of some games without a pass."""
    return profile(game.program, 10, passes=ALL_PASSES - {left_out}).profile.instructions


ASKED = {
    "a loop over a list, asked where passes are counted": "not attacked(y, owner[y])",
    "a set that is the same for each of a few members": "size(steps(y, owner[y])) < 9",
}


@pytest.mark.parametrize("name", ["inlining", "unrolling", "hoisting"])
@pytest.mark.parametrize("what", ASKED)
def test_no_pass_makes_lines_slower(tmp_path: Path, what: str, name: str) -> None:
    (tmp_path / "game.rules").write_text(RULES % ASKED[what], "utf-8")
    (tmp_path / "ruleset.json").write_text(json.dumps({"name": "lines", "title": "Lines", "rules": ["game.rules"]}))
    game = rw.load(tmp_path)
    assert instructions(game, "") <= 1.005 * instructions(game, name)


@pytest.mark.parametrize("name", ["inlining", "unrolling", "hoisting"])
@pytest.mark.parametrize("ruleset", ["tic-tac-toe", "connect-four", "breakthrough", "carolus-magnus"])
def test_no_pass_makes_a_game_slower(ruleset: str, name: str) -> None:
    game = rw.load(ruleset)
    assert instructions(game, "") <= 1.005 * instructions(game, name)


def test_what_is_asked_about_something_else_is_asked_once_for_all_members(tmp_path: Path) -> None:
    """The body of a query is bound to what it is asked about where it is written; both are worked out once."""
    total = "query total(p: Player) -> Int = sum(kind[x] for x in Point where owner[x] is p)\nprocedure play\n"
    rules = RULES.replace("procedure play\n", total) % "count(z in Point where kind[z] > 2 or total(p.left) < 9) > 3"
    (tmp_path / "game.rules").write_text(rules, "utf-8")
    (tmp_path / "ruleset.json").write_text(json.dumps({"name": "lines", "title": "Lines", "rules": ["game.rules"]}))
    game = rw.load(tmp_path)
    assert instructions(game, "") < 0.9 * instructions(game, "hoisting")


def test_what_pays_is_worked_out_once_for_all_members(tmp_path: Path) -> None:
    """A query that pays whenever it is asked costs its steps for each member, and machine time once."""
    pairs = "query pairs -> Int = count(x in Point, y in Point where kind[x] > kind[y])\nprocedure play\n"
    rules = RULES.replace("procedure play\n", pairs) % "count(z in Point where kind[z] < pairs()) > 3"
    (tmp_path / "game.rules").write_text(rules, "utf-8")
    (tmp_path / "ruleset.json").write_text(json.dumps({"name": "lines", "title": "Lines", "rules": ["game.rules"]}))
    game = rw.load(tmp_path)
    assert instructions(game, "") < 0.1 * instructions(game, "hoisting")
