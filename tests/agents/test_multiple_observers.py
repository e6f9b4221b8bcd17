"""Search with a tree for each seat: others do not act on what they cannot know."""

from __future__ import annotations

from pathlib import Path

import pytest
from agent_games import EACH_ENGINE, shipped, written

import rulewright as rw
import rulewright_lab as lab
from rulewright.engine import Dice, RootStatistics
from rulewright.search.information_set_search import InformationSetSearch
from rulewright.search.multiple_observer_search import MultipleObserverSearch
from rulewright.search.position_analysis import Effort

GUESS = """game guess
players 2
field hidden[p: Player]: 1..3 or none = none, seen by p

procedure play
    each p in players where p.seat is 1
        p chooses number from {1 .. 3}
        hidden[p] = number
        p.left chooses told from {1 .. 3}
        finish paying (1 if (number is told) is (q is p.left) else -1) for q in players
"""
"""One hides a number of three, the other guesses it: a game worth a third to whoever hides it."""

POKERS = pytest.mark.parametrize("name", ["kuhn-poker", "leduc-poker"])


def searched(game: rw.Game, state: rw.State, simulations: int, seed: int = 1) -> RootStatistics:
    return MultipleObserverSearch(game.stepper(), Effort(simulations)).search(state, Dice(seed, "tests"))


def test_who_guesses_does_not_know(tmp_path: Path) -> None:
    """A single observer takes all answers for known to everybody, so that whatever is hidden seems to be found."""
    game = written(tmp_path, GUESS)
    state = game.start(0)
    several = [one.mean for one in searched(game, state, 300).tried]
    single = InformationSetSearch(game.stepper(), Effort(300)).search(state, Dice(1, "tests"))
    assert min(several) > -0.2
    assert max(one.mean for one in single.tried) < -0.6


@POKERS
def test_it_follows_from_what_the_seat_knows(name: str) -> None:
    """The same is found whatever the other one holds, and whichever engine plays."""
    known: dict[str, RootStatistics] = {}
    compared = 0
    for engine in ("native", "python"):
        game = shipped(name, engine)
        for seed in range(5):
            state = game.start(seed)
            state = state.choose(len(state.decision.options) - 1) if state.decision else state
            assert state.seat is not None
            found = searched(game, state, 12)
            key = str(state.history(state.seat))
            compared += key in known
            assert known.setdefault(key, found) == found
    assert compared > 4


@EACH_ENGINE
def test_it_plays_whole_games(engine: rw.playing.EngineName) -> None:
    """It is the search of everybody else where nothing is hidden."""
    game = shipped("leduc-poker", engine)
    seats = [lab.agent(game, "mo-ismcts:8"), lab.agent(game, "random")]
    assert game.playouts(4, 1, policies=seats).places == game.playouts(4, 1, policies=seats).places
    open_game = shipped("tic-tac-toe", engine)
    one, other = (open_game.playout(3, policies=[lab.agent(open_game, word)] * 2, keep=True) for word in WORDS)
    assert list(one.answers or ()) == list(other.answers or ())


WORDS = ("mo-ismcts:20", "mcts:20")


def test_chances_are_told() -> None:
    """Also with a query that says who stands better, where there are many options."""
    game = shipped("kuhn-poker")
    (first, *_) = rw.analysis.analysed(game, game.start(2).choose(1), lab.agent(game, "mo-ismcts:40"))
    assert sum(first.chances) == pytest.approx(1)
    rated = lab.agent(game, "mo-ismcts:12:strength")
    assert str(rated) == "mo-ismcts:12:strength/20"
    assert game.playout(1, policies=[rated] * 2).finished


def test_what_goes_wrong_behind_an_answer_is_worth_nothing(tmp_path: Path) -> None:
    """An error of the rules is met in the search, and told to whoever takes that way in the game."""
    rules = GUESS.replace("hidden[p] = number", "hidden[p] = number + 2")
    game = written(tmp_path, rules)
    found = {one.option: one for one in searched(game, game.start(0), 60).tried}
    assert found[0].visits > 0
    assert found[2].mean == 0
