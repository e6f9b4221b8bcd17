"""Payoffs: the table of places, and the same numbers whoever plays."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

import pytest
from shipped_programs import shipped_game

import rulewright as rw
from rulewright.engine.runtime.payoffs import by_place

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
    alone = [[tuple(game.playout(seed).result.payoffs) for seed in seeds] for game in games]  # type: ignore[union-attr]
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
