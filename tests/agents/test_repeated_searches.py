"""Searches of one position after the other: what is found out does not depend on positions looked at before."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from agent_games import EACH_ENGINE, gamble, written

import rulewright as rw
import rulewright_lab as lab


@EACH_ENGINE
@pytest.mark.parametrize("word", ["flat:24", "flat:24:wealth/0", "mcts:24", "mcts:24:wealth/0", "alphabeta:2:wealth"])
def test_a_position_is_analysed_alike_after_others(tmp_path: Path, word: str, engine: rw.playing.EngineName) -> None:
    game = written(tmp_path, gamble(3), engine)
    begin = game.start(0)
    later = begin.choose("bold")

    def answers(search: rw.playing.Search, state: rw.State) -> object:
        return search.analyse(state, rw.playing.Dice(5, "tests"))

    used, fresh = game.search(lab.agent(game, word)), game.search(lab.agent(game, word))
    first = answers(used, begin)
    assert answers(used, later) == answers(fresh, later)
    assert answers(used, begin) == first


@EACH_ENGINE
def test_an_agent_that_is_kept_picks_as_a_new_one(tmp_path: Path, engine: rw.playing.EngineName) -> None:
    """A call of `pick` leaves nothing behind that changes another one, also of several threads."""
    game = written(tmp_path, gamble(3), engine)
    kept = lab.agent(game, "mcts:24")
    states = [game.start(seed) for seed in range(4)] + [game.start(seed).choose("bold") for seed in range(4)]

    def picked(state: rw.State, number: int, agent: rw.playing.Agent) -> int:
        return game.pick(state, agent, rw.playing.Dice(number, "tests"))

    new = [picked(state, number, lab.agent(game, "mcts:24")) for number, state in enumerate(states)]
    assert [picked(state, number, kept) for number, state in enumerate(states)] == new
    with ThreadPoolExecutor(4) as pool:
        assert list(pool.map(picked, states * 4, list(range(len(states))) * 4, [kept] * 32)) == new * 4
