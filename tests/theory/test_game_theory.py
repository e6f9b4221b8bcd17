"""The kind of game that rules make: what is said to follow from the rules holds in every game that is played."""

from __future__ import annotations

from pathlib import Path

import pytest
from theory_games import NIM, game_of

import rulewright as rw
import rulewright_lab as lab

COINS = """\
game coins
players 2 to 3
enum Side: heads, tails
die Coin: heads, tails
field staked[Player]: 0..4 = 0
procedure play
    each p in players
        p chooses n from {1 .. 4}
        staked[p] = n
    first(players) rolls Coin as side
    finish paying (staked[p] if side is heads else -2 * staked[p]) for p in players
"""
WALK = """\
game walk
players 2
field at: 0..3 = 0
procedure play
    repeat
        each p in players
            p chooses n from {0 .. 3}
            at = n
            if at is 3 then finish with nobody winning
"""
TURN = "procedure play\n    each p in players\n        p chooses n from {0 .. 1}"
HIDDEN = """\
game hidden
players 2
field plan[p: Player]: 0..3 = 0, seen by p
procedure play
    each p in players at once
        p chooses n from {0 .. 3}
        plan[p] = n
    finish ranking p in players by plan[p]
"""


def test_a_small_game_is_known_wholly() -> None:
    found = lab.game_theory(rw.load("tic-tac-toe"))
    assert (found.positions, found.longest.value, found.options.value) == (5478, 9, 9)
    assert found.perfect_information
    assert not found.chance
    assert (found.sum_kind, found.sum.by) == ("zero", "rules")


def test_nim(tmp_path: Path) -> None:
    found = lab.game_theory(game_of(tmp_path, NIM))
    assert (found.longest.value, found.longest.by) == (7, "all positions")
    assert found.options.value == 3


def test_payments_with_chance(tmp_path: Path) -> None:
    """Of all positions also what is not there: nobody gets 0."""
    game = game_of(tmp_path, COINS)
    found = lab.game_theory(game)
    assert (found.chance, found.pays, found.sum_kind) == (True, True, "general")
    assert (found.payoffs.value, found.payoffs.by) == ((-8, 4), "all positions")
    assert (found.sum.value, found.longest.value) == ((-16, 8), 2)
    seen = lab.game_theory(game, positions=0)
    assert (seen.payoffs.value, seen.payoffs.by) == ((-8, 4), "rules")
    assert (seen.sum_kind, seen.sum.by, seen.longest.by) == ("general", "an example", "rules")


def test_positions_that_come_again(tmp_path: Path) -> None:
    found = lab.game_theory(game_of(tmp_path, WALK))
    assert (found.longest.value, found.longest.by) == (None, "all positions")
    assert (found.sum_kind, found.sum.value, found.sum.by) == ("constant", (-2, -2), "rules")


def test_what_is_decided_at_once(tmp_path: Path) -> None:
    found = lab.game_theory(game_of(tmp_path, HIDDEN))
    assert (found.simultaneous, found.perfect_information) == (True, False)


@pytest.mark.parametrize(
    ("rules", "told"),
    [
        ("        reward p: 2\n        finish paying 1 for q in players", None),
        ("        repeat 5 times\n            reward p: 1\n        finish paying 0 for q in players", None),
        ("        finish paying 3 for q in players", (0, 3)),
        ("        finish paying coins[q] for q in players", None),
        ("        finish paying few[q] - 3 for q in players", (-3, 2)),
        ("        finish paying 1 for o in Owner", (0, 1)),
        ("        let payoff = coins[p]\n        reward p: payoff\n        finish with winner p", None),
    ],
)
def test_bounds_by_the_rules(tmp_path: Path, rules: str, told: tuple[int, int] | None) -> None:
    head = "game g\nplayers 2\nparty Owner: players, bank\nfield coins[Player]: Int = 0\nfield few[Player]: 0..5 = 5\n"
    text = f"{head}{TURN}\n        coins[p] += few[p]\n{rules}\n"
    found = lab.game_theory(game_of(tmp_path, text), positions=0, games=3)
    assert (found.payoffs.by == "rules") == (told is not None)
    if told is not None:
        assert found.payoffs.value == told


@pytest.mark.parametrize(
    ("end", "sums"),
    [
        ("finish with winner p", {0}),
        ("finish with winner players", {2}),
        ("finish with winner {q in players where gold[q] > 9}", None),
        ("finish with nobody winning", {-2}),
        ("finish with a draw", {0}),
        ("finish ranking q in players by gold[q]", {0}),
        ("finish ranking q in {q in players where gold[q] > 9} by gold[q]", None),
        ("finish with winner p.side", {0}),
        ("finish ranking s in Side by 1", {0}),
        ("finish ranking o in Owner by 1", None),
        ("eliminate(p)\n        finish ranking q in players by gold[q]", None),
    ],
)
def test_sums_by_the_rules(tmp_path: Path, end: str, sums: set[int] | None) -> None:
    """They are what a game of these rules pays, if anything is said."""
    head = "game g\nplayers 2\nparty Side: teams\nparty Owner: players, bank\nfield gold[Player]: Int = 0\n"
    text = f"{head}{TURN}\n        gold[p] += p.seat\n        {end}\n"
    game = game_of(tmp_path, text)
    found = lab.game_theory(game, positions=0, games=2)
    assert (found.sum.by == "rules") == (sums is not None)
    if sums is not None:
        paid = game.playout().result
        assert paid is not None
        assert found.sum.value == (min(sums), max(sums))
        assert sum(paid.payoffs) in sums
