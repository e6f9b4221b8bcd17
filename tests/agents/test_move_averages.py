"""Rollouts that go by the averages of moves: both engines find the same, and what was good is preferred."""

from __future__ import annotations

from pathlib import Path

import pytest
from agent_games import shipped, written

import rulewright as rw
import rulewright_lab as lab
from rulewright.engine import ALL_PASSES, RootStatistics
from rulewright.search.position_analysis import Effort
from rulewright.search.rollouts import MoveAverages
from rulewright.search.root_search import RootSearch
from rulewright.search.tree_search import TreeSearch

TURN = """
    each p in players
        p chooses way from Way
        if way is bold
            gold[p] += 5
"""
RISKY = (
    """game risky
players 2
field gold[Player]: 0..12 = 0
enum Way: safe, bold

procedure play
"""
    + 4 * TURN
    + """
    finish ranking p in players by gold[p]
"""
)
"""A game in which whoever is bold three times ends in an error of the rules."""


def found(game: rw.Game, word: str, moves: int = 4) -> list[RootStatistics]:
    """The figures at the first questions of a game, in which the best answer is given."""
    agent = lab.agent(game, word)
    assert not isinstance(agent, rw.Policy)
    search = agent.begin(game.program, game.backend, ALL_PASSES)
    assert isinstance(search, RootSearch)
    state, figures = game.start(3), list[RootStatistics]()
    for number in range(moves):
        if (decision := state.decision) is not None:
            figures.append(search.search(state, rw.playing.Dice(number, "tests")))
            state = state.choose(decision.options[figures[-1].ranked()[0].option])
    return figures


@pytest.mark.parametrize(
    ("name", "word"),
    [
        ("tic-tac-toe", "mcts:300:mast"),
        ("connect-four", "mcts:300:mast"),
        ("breakthrough", "mcts:60:mast"),
        ("breakthrough", "mcts:60:mast:pawns/10"),
        ("kuhn-poker", "mcts:100:mast"),
        ("carolus-magnus", "mcts:20:mast"),
        ("baron", "mcts:30:mast:points/10"),
        ("domaine", "mcts:8:mast"),
        ("kings-and-things", "mcts:8:mast:earnings/20"),
    ],
)
def test_both_engines_find_the_same(name: str, word: str) -> None:
    native, python = (found(shipped(name, engine), word) for engine in ("native", "python"))
    assert native == python


def test_it_is_another_search() -> None:
    game = shipped("connect-four")
    assert found(game, "mcts:300:mast") != found(game, "mcts:300")
    assert found(game, "mcts:300:mast") == found(game, "mcts:300:mast")


def test_errors_of_the_rules_on_the_way(tmp_path: Path) -> None:
    """A game that ends in an error is worth nothing to anybody, and nothing is learnt from it."""
    native, python = (found(written(tmp_path, RISKY, engine), "mcts:200:mast") for engine in ("native", "python"))
    assert native == python
    assert native[0].simulations == 200


def test_moves_that_were_good_are_preferred() -> None:
    """The same move is that of the same seat at the same question, in other positions too."""
    game = shipped("connect-four")
    stepper = game.stepper()
    averages = MoveAverages(stepper)
    state = game.start(0)

    def firsts() -> list[int]:
        """The times that the first seat begins with each column."""
        counts = [0] * 7
        for seed in range(200):
            stepper.load(state)
            averages.play_on(seed, 1)
            ((_, move),) = averages._made
            assert isinstance(move, tuple)
            counts[move[-1]] += 1
        return counts

    assert max(firsts()) < 60
    liked = None
    for seed in range(40):
        stepper.load(state)
        averages.play_on(seed, 1)
        ((_, move),) = averages._made
        assert isinstance(move, tuple)
        averages.note((1.0, -1.0) if move[-1] == 5 else (-1.0, 1.0))
        liked = 5
    assert liked is not None
    assert firsts()[liked] > 100


def test_who_is_certain_needs_no_rollouts() -> None:
    """A draw is proven with averages, too."""
    game = shipped("tic-tac-toe")
    search = TreeSearch(game.stepper(), Effort(20_000), mast=True)
    root = search.search(game.states(0, [3], [4, 0, 0]).__next__()[1], rw.playing.Dice(1, "tests"))
    assert root.certain == (0.0, 0.0)
