"""Symmetric positions are one, and nothing is another value for that; what breaks a symmetry is seen."""

from __future__ import annotations

from pathlib import Path

import pytest
from theory_games import HEX, MORRIS, NIM, game_of

import rulewright as rw
import rulewright_lab as lab
from rulewright.engine import engine_of
from rulewright_lab.theory import Solution, solving
from rulewright_lab.theory.symmetry import Symmetries

ROW = """\
game row
players 2
place Cell
map Board: grid 3 by 3 of Cell
field mark[Cell]: Player or none = none
field last: Cell or none = none
query own(p: Player) -> set of Cell = {c in Cell where mark[c] is p}
query joined(c: Cell, p: Player) -> Bool = every(n in c.neighbours has mark[n] is p)
procedure play
    repeat
        each p in players
            turn(p)
procedure turn(p: Player)
    p chooses cell from Cell where mark[cell] is none
        forbid beside: last is not none and cell in last.neighbours and count(c in Cell where mark[c] is none) > 4
    mark[cell] = p
    last = cell
    if joined(cell, p) then finish with winner p
    if every(c in Cell has mark[c] is not none) then finish with a draw
"""
"""The rules hang on no direction, but on which cell was taken last."""
GAMES = {
    "row": ROW,
    "morris": MORRIS,
    "morris without diagonals": MORRIS.replace(" with diagonals", ""),
    "hex": HEX,
    "nim": NIM,
}
ORDER = {"row": 8, "morris": 8, "morris without diagonals": 8, "hex": 1, "nim": 1}
"""The symmetries that each has: hex turns only if players are exchanged, and who has the turn stays."""


def symmetries(game: rw.Game) -> Symmetries:
    return Symmetries(engine_of(game.program))


def told(found: Solution) -> object:
    rated = [(one.key, one.value, one.best) for one in found.options]
    return found.value, rated, found.length, found.total


def both(game: rw.Game, monkeypatch: pytest.MonkeyPatch) -> tuple[Solution, Solution]:
    """The solution with symmetric positions as one, and without."""
    merged = lab.solve(game)
    with monkeypatch.context() as patched:
        patched.setattr(solving, "Symmetries", _none_of)
        return merged, lab.solve(game)


def _none_of(engine: object) -> Symmetries:
    found = Symmetries(engine)  # type: ignore[arg-type]
    found.proved = ()
    return found


@pytest.mark.parametrize("name", GAMES)
def test_values_stay_what_they_are(tmp_path: Path, name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    merged, plain = both(game_of(tmp_path, GAMES[name]), monkeypatch)
    assert told(merged) == told(plain)
    assert merged.symmetries == ORDER[name]
    assert merged.distinct is not None
    assert plain.distinct is not None
    assert merged.distinct[1] == plain.distinct[1] == plain.distinct[0]
    assert (merged.distinct[0] * 4 < plain.distinct[0]) is (ORDER[name] > 1)
    assert merged.line_end == plain.line_end


def test_tic_tac_toe(monkeypatch: pytest.MonkeyPatch) -> None:
    """765 positions are left of 5,478 (without those that go on after three in a row)."""
    merged, plain = both(rw.load("tic-tac-toe"), monkeypatch)
    assert told(merged) == told(plain)
    assert merged.distinct == (765, 5_478)
    assert len(merged.line) == len(plain.line) == 9


def test_a_line_is_one_of_the_game(tmp_path: Path) -> None:
    """It goes on in the position itself, and not in one that is symmetric to it."""
    game = game_of(tmp_path, GAMES["morris without diagonals"])
    found = lab.solve(game)
    state = game.start(0)
    for step in found.line:
        state = state.choose(step.key)
    assert state.decision is None
    assert state.result is not None
    assert state.result.payoffs[0] == found.value.least
    assert found.length == len(found.line)


@pytest.mark.parametrize(
    ("change", "order"),
    [
        (("cell in last.neighbours", "cell in last.neighbours and cell.row is 0"), 2),
        (("cell in last.neighbours", "cell in last.neighbours and cell.row < cell.column"), 2),
        (("cell in last.neighbours", "cell in last.neighbours and cell is not towards(last, north)"), 1),
        (("Cell or none = none\nquery", "Cell or none = none\nfield back: Cell or none = none\nquery"), 8),
        (("last = cell\n", "last = first({c in Cell where mark[c] is p})\n"), 1),
        (("mark[cell] = p\n", "each c in {cell}\n        mark[c] = p\n"), 1),
    ],
)
def test_what_tells_places_apart(tmp_path: Path, change: tuple[str, str], order: int) -> None:
    assert change[0] in ROW
    assert symmetries(game_of(tmp_path, ROW.replace(*change))).order == order


def test_a_named_place_stays_where_it_is(tmp_path: Path) -> None:
    """The middle does not move; a corner moves in all symmetries but for one."""
    rules = ROW.replace("cell in last.neighbours", "cell is not single({c in Cell where c.row is 1 and c.column is N})")
    for column, order in (("1", 8), ("0", 2)):
        assert symmetries(game_of(tmp_path, rules.replace("N", column))).order == order


def test_chance_and_large_games_are_no_trouble() -> None:
    assert symmetries(rw.load("connect-four")).order == 1
    assert symmetries(rw.load("breakthrough")).order == 1
