"""Rollouts that go by the averages of moves: both engines find the same, and what was good is preferred."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest
from agent_games import shipped, written

import rulewright as rw
import rulewright_lab as lab
from rulewright.engine import ALL_PASSES, RootStatistics
from rulewright.search.position_analysis import Effort
from rulewright.search.rollouts import SteppedGame
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
    stepped = SteppedGame(game.stepper(), rw.playing.Dice(0, "tests"), mast=True)
    averages, state = stepped.rollouts.averages, game.start(0)

    def first(seed: int) -> int:
        """The column with which the first seat begins in a rollout."""
        stepped.stepper.load(state)
        stepped.open_stream(seed)
        averages.play_on(1, True)
        (made,) = averages.made
        return made.number

    def most_often() -> tuple[int, int]:
        """The column that is taken most often, and how often that is."""
        ((column, times),) = Counter(map(first, range(200))).most_common(1)
        return column, times

    assert most_often()[1] < 60
    for seed in range(40):
        averages.note((1.0, -1.0) if first(seed) == 5 else (-1.0, 1.0))
    column, times = most_often()
    assert column == 5
    assert times > 100


def test_who_is_certain_needs_no_rollouts() -> None:
    """A draw is proven with averages, too."""
    game = shipped("tic-tac-toe")
    search = TreeSearch(game.stepper(), Effort(20_000), mast=True)
    root = search.search(game.states(0, [3], [4, 0, 0]).__next__()[1], rw.playing.Dice(1, "tests"))
    assert root.certain == (0.0, 0.0)
