"""Several trees for one decision: what is found follows from their number, whatever the number of threads is."""

from __future__ import annotations

from threading import Event

import pytest
from agent_games import EACH_ENGINE, knowing, shipped

import rulewright as rw
import rulewright_lab as lab
from rulewright.engine import OptionStatistics, RootStatistics
from rulewright.search.information_set_search import InformationSetSearch, PythonInformationSetTree
from rulewright.search.position_analysis import Effort
from rulewright.search.rollouts import Rating
from rulewright.search.root_search import RootParallelSearch, RootSearch, merged
from rulewright.search.tree_search import PythonTree, TreeSearch


def tree(name: str, engine: rw.playing.EngineName, effort: int) -> RootSearch:
    game = shipped(name, engine)
    if name == "connect-four":
        return TreeSearch(knowing(game), Effort(effort))
    rating = Rating("final_score", 5) if name == "domaine" else None
    stepper = knowing(game, *([rating.query] if rating is not None else []))
    return InformationSetSearch(stepper, Effort(effort), rating, hidden=name != "breakthrough")


@EACH_ENGINE
@pytest.mark.parametrize(("name", "effort"), [("connect-four", 60), ("kuhn-poker", 60), ("domaine", 6)])
def test_any_number_of_threads(name: str, effort: int, engine: rw.playing.EngineName) -> None:
    state = shipped(name, "native").start(3)
    found = []
    for threads in (1, 2, 5):
        several = RootParallelSearch([tree(name, engine, effort) for _ in range(4)], threads)
        found.append([several.search(state, rw.playing.Dice(seed, "tests")) for seed in range(2)])
    assert found[0] == found[1] == found[2]
    assert [root.simulations for root in found[0]] == [4 * effort] * 2
    assert found[0][0] != found[0][1]


def test_engines_find_the_same() -> None:
    found = []
    for game in (shipped("connect-four"), shipped("connect-four", "python")):
        search, dice = game.search(lab.agent(game, "mcts:3x40")), rw.playing.Dice(1, "tests")
        state = game.start(0)
        found.append((search(state, dice), search.analyse(state, dice), dice.below(1000)))
    assert found[0] == found[1]
    assert found[0][1].looked == 120


def test_three_players() -> None:
    """The chances of all seats are those of all trees."""
    game = rw.load("carolus-magnus", players=3)
    found = game.search(lab.agent(game, "mcts:2x30")).analyse(game.start(0), rw.playing.Dice(1, "tests"))
    assert found.looked == 60
    for one in found.answers:
        assert sum(one.chances) == pytest.approx(1)


def test_figures_are_added_up() -> None:
    def root(*tried: OptionStatistics, certain: tuple[float, ...] | None = None) -> RootStatistics:
        return RootStatistics(1, sum(one.visits for one in tried), tried, certain, certain is not None)

    won = (-1.0, 1.0)
    one = root(OptionStatistics(2, 5, 2.5, None), OptionStatistics(0, 3, -1.0, None))
    other = root(OptionStatistics(0, 4, 3.0, won), OptionStatistics(1, 1, 1.0, None), certain=won)
    found = merged([one, other])
    assert found.tried == (
        OptionStatistics(0, 7, 2.0, won),
        OptionStatistics(1, 1, 1.0, None),
        OptionStatistics(2, 5, 2.5, None),
    )
    assert (found.simulations, found.certain, found.full) == (13, won, True)


def test_a_full_tree_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    """It grows no more: only where nothing was tried there is another option."""
    monkeypatch.setattr("rulewright.engine.kernels.tree.MOST_BRANCHES", 30)
    game = shipped("connect-four", "python")
    searches = ("mcts:200", 200, True), ("mcts:20", 20, False), ("mcts:2x200", 400, True), ("mcts:2x20", 40, False)
    for word, simulations, full in searches:
        found = game.search(lab.agent(game, word)).analyse(game.start(0), rw.playing.Dice(1, "tests"))
        assert found.full is full, word
        assert found.looked == simulations


def test_it_stops_when_it_is_told_to() -> None:
    game = shipped("connect-four")
    told: list[int] = []

    def keep_going(done: int, part: float) -> bool:
        told.append(done)
        return False

    search = game.search(lab.agent(game, "mcts:2x100000000"))
    found = search.analyse(game.start(0), rw.playing.Dice(1, "tests"), keep_going)
    assert len(told) == 1
    assert 0 < found.looked < 200_000_000


def test_a_deadline_holds_in_all_threads() -> None:
    game, cancel = shipped("connect-four"), Event()
    search = game.search(lab.agent(game, "mcts:2x100000000"))
    with pytest.raises(rw.Stopped), rw.limited(rw.Limits(seconds=0.1)):
        search(game.start(0), rw.playing.Dice(1, "tests"))
    cancel.set()
    with pytest.raises(rw.Stopped), rw.limited(rw.Limits(cancel=cancel)):
        search(game.start(0), rw.playing.Dice(1, "tests"))


@pytest.mark.parametrize(("name", "players", "word"), [("carolus-magnus", 3, "mcts:20"), ("leduc-poker", 2, "mcts:20")])
def test_choosing_stays_in_machine_code(name: str, players: int, word: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Only who wants to be told the chances of all seats needs the tree with Python steps."""
    game = rw.load(name, players=players, engine="native")
    search, state = game.search(lab.agent(game, word)), game.start(0)
    expected = search.analyse(state, rw.playing.Dice(1, "tests")).answers[0].option

    def grow(*_: object) -> None:
        raise AssertionError("a tree grows in Python")

    monkeypatch.setattr(PythonTree, "grow", grow)
    monkeypatch.setattr(PythonInformationSetTree, "grow", grow)
    assert search(state, rw.playing.Dice(1, "tests")) == expected
    with pytest.raises(AssertionError, match="in Python"):
        search.analyse(state, rw.playing.Dice(1, "tests"))
