"""Bounds of the length of games: what is said to follow from the rules holds in every game that is played."""

from __future__ import annotations

from pathlib import Path

import pytest
from theory_games import game_of

import rulewright as rw
import rulewright_lab as lab
from rulewright_lab.theory.length_bounds import most_answers

STRANGERS = Path(__file__).parents[1] / "benchmarks" / "strangers"
SHIPPED = {
    "tic-tac-toe": 9, "connect-four": 42, "hex": 121, "othello": 64, "kuhn-poker": 4, "leduc-poker": 18,
    "goofspiel": 26, "breakthrough": None, "pig": None, "carolus-magnus": None,
}  # fmt: skip
WRITTEN = {
    "amazons": 300, "dots-and-boxes": 40, "gomoku": 225, "havannah": 169, "y": 190, "loa": None, "oware": None,
    "xiangqi": None,
}  # fmt: skip

BOARD = """\
game board
players 2
place Cell
map Board: grid 2 by 3 of Cell
field disc[Cell]: Player or none = none
field dead[Cell]: Bool
query empty(c: Cell) -> Bool = disc[c] is none
query free() -> set of Cell = {c in Cell where empty(c)}
end full when every(c in Cell has disc[c] is not none)
    finish with a draw
end dead_board when every(c in Cell has dead[c])
    finish with a draw
"""
ROUNDS = "procedure play\n    repeat\n        each p in players\n            turn(p)\n"


@pytest.mark.parametrize(("name", "bound"), SHIPPED.items())
def test_shipped_games(name: str, bound: int | None) -> None:
    assert most_answers(rw.load(name).program) == bound


@pytest.mark.parametrize(("name", "bound"), WRITTEN.items())
def test_no_game_of_strangers_is_longer(name: str, bound: int | None) -> None:
    game = rw.load(STRANGERS / name)
    assert most_answers(game.program) == bound
    assert bound is None or all(game.playout(seed).decisions <= bound for seed in range(3))


TURNS = [
    # A cell that is offered only while it is empty: by a restriction, a condition, a set, a query, a list.
    ("p chooses c from Cell\n        forbid taken: disc[c] is not none\n    disc[c] = p", 6),
    ("p chooses c from Cell where disc[c] is none\n    disc[c] = p", 6),
    ("p chooses c from Cell where not (disc[c] is not none or dead[c])\n    disc[c] = p", 6),
    ("p chooses c from Cell where empty(c)\n    disc[c] = p", 6),
    ("p chooses c from free()\n    disc[c] = p", 6),
    ("p chooses c from {x in Cell where empty(x) and x.row is 0} + {x in Cell where empty(x)}\n    disc[c] = p", 6),
    ("p chooses c from {x for d in Direction, x in ray((0, 0), d) while empty(x)} + free()\n    disc[c] = p", 6),
    # The cell follows from the answer, or from none.
    ("p chooses n from {0 .. 2}\n    disc[first({c in Cell where empty(c)})] = p", 6),
    ("p chooses n from {0 .. 2}\n    let c = first(free())\n    disc[c] = p.left", 6),
    # It is filled in an effect, whether or not that is told which.
    ("p chooses c from free()\n    fill(p, c)", 6),
    ("p chooses n from {0 .. 2}\n    fill(p, first(free()))", 6),
    # Several answers come before a cell is filled; truths are cells too.
    ("p chooses n from {0 .. 2}\n    p chooses c from free()\n    disc[c] = p", 12),
    ("p chooses c from Cell where not dead[c]\n    dead[c] = true", 6),
    ("p chooses either\n        option one\n            disc[first(free())] = p\n        option two\n"
     "            p chooses c from free()\n            disc[c] = p", 12),
    # Nothing is filled: on one way, or ever, or under an exception, or what is filled is emptied.
    ("p may choose c from free()\n    then\n        disc[c] = p", None),
    ("p chooses c from Cell\n    disc[c] = p", None),
    ("p chooses c from free()\n    if c.row is 0 then disc[c] = p", None),
    ("p chooses c from Cell\n        forbid taken: disc[c] is not none\n            unless own: disc[c] is p\n"
     "    disc[c] = p", None),
    ("p chooses c from free()\n    disc[c] = p\n    disc[(0, 0)] = none", None),
    ("p chooses c from free()\n    disc[c] = single({q in players where q is p})", None),
    ("p chooses c from free()\n    disc[(0, 0)] = p\n    disc[c] = p", None),
    ("p chooses c from {x in Cell where empty(x)} + {x in Cell where dead[x]}\n    disc[c] = p", None),
]  # fmt: skip
FILL = "effect fill(q: Player, c: Cell)\n    disc[c] = q\n"


@pytest.mark.parametrize(("turn", "bound"), TURNS)
def test_answers_that_fill_cells(tmp_path: Path, turn: str, bound: int | None) -> None:
    rules = BOARD + ROUNDS + f"procedure turn(p: Player)\n    {turn}\n" + (FILL if "fill(" in turn else "")
    game = game_of(tmp_path, rules)
    assert most_answers(game.program) == bound
    assert bound is None or all(game.playout(seed).decisions <= bound for seed in range(5))


LOOPS = [
    ("repeat 4 times\n        ask(first(players))", 4),
    ("repeat 4 times\n        each p in players\n            ask(p)\n            ask(p)", 16),
    ("each p in players\n        each n in {2 .. 4}\n            ask(p)", 6),
    ("each p in players at once\n        p chooses n from {0 .. 1}\n        told[p] = n", 2),
    ("repeat until told[first(players)] is 1, at most 5 times\n        ask(first(players))", 5),
    ("if told[first(players)] is 1\n        ask(first(players))\n        ask(first(players))\n    else\n"
     "        ask(first(players))", 2),
    ("repeat until told[first(players)] is 1\n        ask(first(players))", None),
    ("again(3)", None),
    ("var n = 3\n    repeat\n        n -= 1\n        if n < 0 then stop\n        ask(first(players))", None),
]  # fmt: skip
ASKING = """\
game loops
players 2
field told[Player]: 0..1 = 0
procedure ask(p: Player)
    p chooses n from {0 .. 1}
    told[p] = n
procedure again(n: 0..9)
    ask(first(players))
    if n > 0 then again(n - 1)
procedure play
    BODY
    finish with a draw
"""


@pytest.mark.parametrize(("body", "bound"), LOOPS)
def test_loops(tmp_path: Path, body: str, bound: int | None) -> None:
    game = game_of(tmp_path, ASKING.replace("BODY", body))
    assert most_answers(game.program) == bound
    assert bound is None or all(game.playout(seed).decisions <= bound for seed in range(5))


def test_it_is_said_how_it_is_known() -> None:
    found = lab.game_theory(rw.load("connect-four"), positions=10, games=1)
    assert (found.longest.value, found.longest.by) == (42, "rules")
    assert found.data()["longest_game"] == {"decisions": 42, "bounded": True, "by": "rules"}
