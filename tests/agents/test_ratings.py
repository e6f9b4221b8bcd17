"""Positions rated by queries: both engines alike, also where a game at random was cut; and what searches make of it."""

from __future__ import annotations

from pathlib import Path

import pytest
from agent_games import EACH_ENGINE, knowing, shipped, written

import rulewright as rw
import rulewright_lab as lab
from rulewright.search.flat_search import FlatSearch
from rulewright.search.information_set_search import InformationSetSearch
from rulewright.search.position_analysis import Effort, PositionAnalysis, chances_of
from rulewright.search.rollouts import Rating

LONG = """game long
players 2
field gold[Player]: 0.. = 0
query wealth(p: Player) -> Int = gold[p]

procedure play
    repeat 3 times
        each p in players
            p chooses n from {1 .. 90}
            gold[p] += 40 - n if n < 40 else (90 if n is 77 else 0)
    finish ranking p in players by gold[p]
"""
"""One option of ninety is better than all others."""


@pytest.mark.parametrize(
    ("name", "query", "most"),
    [("breakthrough", "pawns", 60), ("domaine", "ducat_bonus", 60), ("kings-and-things", "income", 60)],
)
def test_engines_rate_alike(name: str, query: str, most: int) -> None:
    found = []
    for game in (shipped(name), shipped(name, "python")):
        one = knowing(game, query)
        one.begin(3)
        rates = [one.rates(query)]
        for _ in range(12):
            one.apply(one.options // 2)
            rates.append(one.rates(query))
        kept = one.snapshot()
        for seed in range(4):
            one.restore(kept)
            one.play_on(seed, most)
            rates.append(one.rates(query))
        assert one.restore(kept) > 0
        assert one.rates(query) == rates[12]
        found.append(rates)
    assert found[0] == found[1]
    assert len(set(found[0])) > 1


@EACH_ENGINE
def test_long_lists_begin_with_what_is_promising(tmp_path: Path, engine: rw.playing.EngineName) -> None:
    """Of ninety options the best is found in fewer simulations than there are options."""
    game = written(tmp_path, LONG, engine)
    state, dice = game.start(1), rw.playing.Dice(1, "tests")
    options = [option.key for option in state.decision.options] if state.decision else []
    found = [
        InformationSetSearch(knowing(game, "wealth"), Effort(40), rating, hidden=False).analyse(state, dice)
        for rating in (Rating("wealth", 2), None)
    ]
    assert options[found[0].answers[0].option] == "77"
    assert [len(one.answers) for one in found] == [24, 13]


@EACH_ENGINE
def test_flat_search_tries_all_alike(tmp_path: Path, engine: rw.playing.EngineName) -> None:
    game = written(tmp_path, LONG, engine)
    state, dice = game.start(1), rw.playing.Dice(1, "tests")
    found = FlatSearch(knowing(game), Effort(180), hidden=False).analyse(state, dice)
    assert {one.visits for one in found.answers} == {2}
    assert [one.value for one in found.answers] == sorted((one.value for one in found.answers), reverse=True)


@pytest.mark.parametrize(
    ("name", "word"),
    [("baron", "flat:20"), ("baron", "mcts:20"), ("domaine", "mcts:20:score/9"), ("domaine", "flat:9:score")],
)
def test_games_of_secrets_follow_from_the_seed_with_each_engine(name: str, word: str) -> None:
    found = []
    for game in (shipped(name), shipped(name, "python")):
        (_, state), *_ = game.states(4, [19])
        found.append([game.pick(state, lab.agent(game, word), rw.playing.Dice(seed, "tests")) for seed in range(2)])
    assert found[0] == found[1]


def test_chances() -> None:
    assert chances_of((1, -1)) == (1, 0)
    assert chances_of((2, 2, -4)) == (0.5, 0.5, 0)
    assert chances_of((-1, -1)) == (0, 0)
    assert chances_of((1, 1)) == (1, 1)
    assert chances_of((0, 0)) == (0.5, 0.5)
    assert PositionAnalysis((), 0).chances == ()
