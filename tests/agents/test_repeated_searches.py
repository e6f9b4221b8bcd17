"""Searches of one position after the other: what is found out does not depend on positions looked at before."""

from __future__ import annotations

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
