"""Monte Carlo tree search where everybody sees everything: it wins what is won, and knows when that is certain."""

from __future__ import annotations

from pathlib import Path

from agent_games import EACH_ENGINE, after, gamble, shipped, written

import rulewright as rw
import rulewright_lab as lab
from rulewright.engine import RootStatistics
from rulewright.search.position_analysis import Effort
from rulewright.search.tree_search import TreeSearch

GAMBLE = gamble(1)
"""To be bold costs the first player an eighth of a game: they win one of four, and lose three of eight."""


def grown(game: rw.Game, state: rw.State, simulations: int, seed: int = 1) -> RootStatistics:
    return TreeSearch(game.stepper(), Effort(simulations)).search(state, rw.playing.Dice(seed, "tests"))


@EACH_ENGINE
def test_a_win_is_taken_and_proven(engine: rw.playing.EngineName) -> None:
    game = shipped("connect-four", engine)
    root = grown(game, after(game, *"303030"), 60)
    assert (root.certain, root.ranked()[0].option) == ((1.0, -1.0), 3)


@EACH_ENGINE
def test_a_threat_is_met_and_what_else_loses_is_proven(engine: rw.playing.EngineName) -> None:
    game = shipped("connect-four", engine)
    root = grown(game, after(game, *"30303"), 300)
    best, *others = root.ranked()
    assert (best.option, best.certain) == (3, None)
    assert [one.certain for one in others] == [(1.0, -1.0)] * 6


def test_a_draw_is_proven() -> None:
    """Nobody is certain to win from the middle of the game: that is known when all has been looked at."""
    game = shipped("tic-tac-toe")
    root = grown(game, game.states(0, [3], [4, 0, 0]).__next__()[1], 20_000)
    assert root.certain == (0.0, 0.0)
    assert root.simulations < 20_000


def test_both_engines_grow_the_same_tree() -> None:
    trees = []
    for game in (shipped("carolus-magnus"), shipped("carolus-magnus", "python")):
        trees.append(grown(game, game.start(4), 40))
    assert trees[0] == trees[1]


def test_chance_is_looked_through(tmp_path: Path) -> None:
    """Outcomes of a die are positions of their own; an option is worth their mean, and is never certain."""
    game = written(tmp_path, GAMBLE)
    visits, total = 0, 0.0
    for seed in range(1, 9):
        found = grown(game, after(game), 800, seed)
        (bold,) = (one for one in found.tried if one.option == 1)
        assert found.ranked()[0] is not bold
        assert bold.certain is None
        visits, total = visits + bold.visits, total + bold.total
    assert -0.3 < total / visits < 0.1


def test_the_seed_of_the_game_is_not_known() -> None:
    """Positions that differ only in what chance is to give lead to one choice."""
    game = shipped("carolus-magnus")
    one = game.start(4)
    other = one.imagine(one.seat or 0, 77)
    assert one != other
    first, second = (grown(game, state, 40) for state in (one, other))
    assert first == second


def test_games_follow_from_the_seed() -> None:
    game = shipped("connect-four")
    seats = [lab.agent(game, "mcts:30"), lab.agent(game, "random")]
    first, second = (game.playout(7, keep=True, policies=seats) for _ in range(2))
    assert first.answers == second.answers
    assert game.playouts(1, 7, policies=seats).places == tuple(
        type(column)("i", [place]) for column, place in zip(game.playouts(1, 7).places, first.places, strict=True)
    )
