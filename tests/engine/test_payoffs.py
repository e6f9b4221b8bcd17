"""Payoffs: the table of places, and the same numbers whoever plays."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from pathlib import Path

import pytest
from lockstep import played
from shipped_programs import shipped_game
from small_rules import written

import rulewright as rw
from rulewright.engine.runtime.records import by_place

BY_PLACE = [
    # places, drawn, payoffs
    ((1, 2), False, "1 -1"),
    ((1, 1), True, "0 0"),
    ((1, 1), False, "1 1"),
    ((2, 2), False, "-1 -1"),
    ((1, 2, 3), False, "1 0 -1"),
    ((3, 1, 2), False, "-1 1 0"),
    ((1, 2, 2), False, "1 -1/2 -1/2"),
    ((1, 1, 3), True, "1/2 1/2 -1"),
    ((1, 1, 2), False, "1/2 1/2 -1"),
    ((1, 2, 3, 4), False, "1 1/3 -1/3 -1"),
    ((1, 2, 2, 1), False, "2/3 -2/3 -2/3 2/3"),
    ((2, 2, 3), False, "1/2 1/2 -1"),  # a party that nobody plays is first
    ((1,), False, "1"),
    ((2,), False, "-1"),
]


@pytest.mark.parametrize(("places", "drawn", "payoffs"), BY_PLACE)
def test_payoffs_by_place(places: tuple[int, ...], drawn: bool, payoffs: str) -> None:
    """The table of the language's page, and that nothing is made of nothing."""
    found = by_place(places, drawn)
    assert " ".join(map(str, found)) == payoffs
    assert sum(found) == 0 or len(set(places)) == 1


ENGINES: tuple[rw.playing.EngineName, ...] = ("python", "native")
GAMES = [("tic-tac-toe", 2), ("connect-four", 2), ("carolus-magnus", 4), ("baron", 3), ("loewenherz", 3)]


@pytest.mark.parametrize(("name", "players"), GAMES)
def test_everybody_tells_the_same(name: str, players: int) -> None:
    """Playouts, batches of them and steppers, of both engines."""
    games = [shipped_game(name, players, engine) for engine in ENGINES]
    seeds = range(3)
    alone = [[game.playout(seed).payoffs for seed in seeds] for game in games]
    assert alone[0] == alone[1]
    assert all(len(payoffs) == players and sum(payoffs) == 0 for payoffs in alone[0])
    many = [[column.tolist() for column in game.playouts(len(seeds)).payoffs] for game in games]
    assert many[0] == many[1] == [list(map(float, column)) for column in zip(*alone[0], strict=True)]
    assert _stepped(games[0], 1) == _stepped(games[1], 1)


def _stepped(game: rw.Game, seed: int) -> Sequence[Fraction]:
    stepper = game.stepper(seed)
    assert stepper.payoffs == ()
    while stepper.options:
        stepper.apply(seed % stepper.options)
    result = stepper.state().result
    assert result is not None
    assert stepper.payoffs == result.payoffs
    return stepper.payoffs


def test_games_that_were_stopped_are_worth_nothing() -> None:
    """Nobody gets anything of a game that is not over."""
    for engine in ENGINES:
        game = shipped_game("tic-tac-toe", 2, engine)
        assert [column.tolist() for column in game.playouts(2, most=1).payoffs] == [[0.0, 0.0], [0.0, 0.0]]


PAYING = """\
game coins
players 2 to 4
party Owner: players, bank
field coins[Player]: Int = 0
field luck: 0..3 = 0

procedure play
    repeat 3 times
        each p in players
            p chooses n from {0 .. 3}
            coins[p] += n
            reward p: -n
            chance chooses luck from {0 .. 3}
            if luck > 2 then reward players: 1
            if luck > 1 then reward bank: 100
    if luck is 0 then finish paying 3 * luck for o in Owner
    finish paying 2 * coins[p] for p in players
"""


def test_games_that_pay_are_the_same(tmp_path: Path) -> None:
    """Payments on the way and at the end, by both engines in every way to play; and out of a save."""
    written(tmp_path, PAYING)
    python, native = (rw.load(tmp_path, 3, engine=engine) for engine in ENGINES)
    assert python.playouts(60) == native.playouts(60)
    assert [c.tolist() for c in python.playouts(60).payoffs] == [c.tolist() for c in native.playouts(60).payoffs]
    assert [c.tolist() for c in python.playouts(9, most=4).payoffs] == [
        c.tolist() for c in native.playouts(9, most=4).payoffs
    ]
    for seed in range(5):
        alone = python.playout(seed)
        assert alone.payoffs == native.playout(seed).payoffs
        assert alone.result is not None
        assert alone.result.payoffs == alone.payoffs == alone.state.payoffs
        assert python.load(alone.state.save()).result == alone.result
    tally = played(python.program, 20)
    assert not tally.errors
    assert tally.decisions > 100


def test_what_was_paid_so_far_is_known(tmp_path: Path) -> None:
    """Payments of a state, a stepper and a game of a batch; no player sees it."""
    written(tmp_path, PAYING)
    for engine in ENGINES:
        game = rw.load(tmp_path, 2, engine=engine)
        stepper, batch, state = game.stepper(seed=4), game.batch(2, seed=4), game.start(seed=4)
        while state.decision is not None:
            assert tuple(map(int, state.payoffs)) == tuple(map(int, stepper.payoffs)) == batch.payoffs(0)
            assert "paid so far" not in str(state.view(0))
            option = len(state.decision.options) - 1
            stepper.apply(option)
            batch.apply([option, 0])
            state = state.choose(state.decision.options[option])
        assert state.result is not None
        assert state.result.payoffs == stepper.payoffs == batch.payoffs(0)
        assert any(payoff != 0 for payoff in state.result.payoffs)
