"""Alpha-beta search: as exact as minimax without pruning, in whatever order it looks."""

from __future__ import annotations

from pathlib import Path

import pytest
from agent_games import EACH_ENGINE, after, gamble, knowing, shipped, written

import rulewright as rw
import rulewright_lab as lab
from rulewright.search.alphabeta import AlphaBeta
from rulewright.search.position_analysis import PositionAnalysis

BETS = gamble(4)
"""To be safe brings more than boldness does on average."""


def analysis(game: rw.Game, state: rw.State, depth: int, query: str = "", seed: int = 1) -> PositionAnalysis:
    return AlphaBeta(knowing(game, *filter(None, [query])), depth, 0, query).analyse(
        state, rw.playing.Dice(seed, "tests")
    )


def minimax(state: rw.State, depth: int, seat: int) -> int:
    """The value of a position for a seat, without any pruning."""
    if state.decision is None:
        payoffs = state.payoffs
        return int(payoffs[seat] - payoffs[1 - seat])
    if depth == 0:
        return 0
    values = [minimax(state.choose(option), depth - 1, seat) for option in state.decision.options]
    return max(values) if state.seat == seat else min(values)


@EACH_ENGINE
def test_a_win_is_taken(engine: rw.playing.EngineName) -> None:
    game = shipped("connect-four", engine)
    found = analysis(game, after(game, *"303030"), 3)
    assert (found.answers[0].option, found.answers[0].certain, found.depth) == (3, True, 1)
    assert found.chances == (1.0, 0.0)


@EACH_ENGINE
def test_a_threat_is_met(engine: rw.playing.EngineName) -> None:
    game = shipped("connect-four", engine)
    best, *others = analysis(game, after(game, *"30303"), 3).answers
    assert (best.option, best.certain, best.value) == (3, False, 0)
    assert all(one.value <= 0 for one in others)


@pytest.mark.parametrize("depth", [2, 5])
@pytest.mark.parametrize("seed", range(6))
def test_values_are_those_without_pruning(seed: int, depth: int) -> None:
    """Every position of a game at random; the best option is worth what minimax says, in any order of looking."""
    game = shipped("tic-tac-toe")
    for _, state in game.states(seed, range(3, 9)):
        seat = state.seat
        if state.decision is None or seat is None:
            continue
        best = analysis(game, state, depth, seed=seed).answers[0]
        expected = minimax(state, depth, seat)
        assert round(best.value) == expected
        assert minimax(state.choose(best.option), depth - 1, seat) == expected


def test_both_engines_find_the_same() -> None:
    found = []
    for game in (shipped("breakthrough"), shipped("breakthrough", "python")):
        (_, state), *_ = game.states(5, [40])
        found.append(analysis(game, state, 3, "pawns"))
    assert found[0] == found[1]
    assert found[0].looked > 100


def test_chance_is_looked_through(tmp_path: Path) -> None:
    game = written(tmp_path, BETS)
    best, other = analysis(game, game.start(0), 1, "wealth", 3).answers
    assert (best.option, best.value) == (0, 4.0)
    assert other.value < 4.0


@pytest.mark.parametrize(("name", "players"), [("baron", 2), ("carolus-magnus", 3)])
def test_games_that_it_cannot_play_are_refused(name: str, players: int) -> None:
    with pytest.raises(rw.RulesetError, match="it looks ahead"):
        lab.agent(rw.load(name, players), "alphabeta:3")
