"""Agents that think at a terminal: Ctrl-C lets them answer with what they have found; hints tell the best answers."""

from __future__ import annotations

import os
import signal
import threading

import pytest
from agent_games import after, shipped

import rulewright as rw
import rulewright_lab as lab
from rulewright_tools.session.deliberation import deliberate, hints, thinking_seat


@pytest.mark.parametrize(
    ("name", "word"),
    [
        ("connect-four", "mcts:100000000"),
        ("connect-four", "mcts:2x100000000"),
        ("baron", "mcts:100000000"),
        ("baron", "flat:1000s"),
        ("breakthrough", "alphabeta:60"),
    ],
)
def test_ctrl_c_ends_the_thinking(name: str, word: str) -> None:
    """An agent that is interrupted answers with the best that was found; then Ctrl-C means what it meant before."""
    game = shipped(name)
    (_, state), *_ = game.states(1, [9])
    search = game.search(lab.agent(game, word))
    before, shown = signal.getsignal(signal.SIGINT), list[str]()
    press = threading.Timer(1.0, lambda: os.kill(os.getpid(), signal.SIGINT))
    press.start()
    found = deliberate(search, state, rw.playing.Dice(1, "tests"), "they", shown.append)
    press.join()
    assert found.looked > 0
    assert found.answers
    assert signal.getsignal(signal.SIGINT) is before
    assert shown[-1] == ""
    assert all("looked at" in line and "left" in line for line in shown[:-1])


def test_hints_tell_three_answers() -> None:
    game = shipped("connect-four")
    won = hints(game, after(game, *"303030"), lab.agent(game, "mcts:200"), 0, lambda _: None)
    assert won[0] == "1. 3  certain to win"
    begun = hints(game, game.start(0), lab.agent(game, "mcts:200"), 0, lambda _: None)
    assert [line[:2] for line in begun] == ["1.", "2.", "3."]
    assert all("% to win, looked at" in line for line in begun)


def test_hints_tell_that_a_tree_is_full(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("rulewright.engine.kernels.tree.MOST_BRANCHES", 30)
    game = shipped("connect-four", "python")
    told = {
        number: hints(game, game.start(0), lab.agent(game, f"mcts:{number}"), 0, lambda _: None) for number in (20, 200)
    }
    assert [any("full" in line for line in lines) for lines in told.values()] == [False, True]


def test_agents_at_the_table_play_as_elsewhere() -> None:
    """Nothing is changed by being watched."""
    game, agent = shipped("connect-four"), lab.agent(shipped("connect-four"), "mcts:50")
    state = game.start(0)
    seat = thinking_seat(game, agent, 7, lambda _: None)
    assert seat(state, 3) == game.pick(state, agent, rw.playing.Dice(7, "seat, decision 3"))
    with pytest.raises(rw.RulesetError, match="one that searches"):
        game.search(lab.agent(game, "random"))


@pytest.mark.parametrize(
    ("name", "word"),
    [
        ("connect-four", "mcts:400"),
        ("connect-four", "mcts:2x400"),
        ("baron", "mcts:60"),
        ("baron", "mo-ismcts:60"),
        ("baron", "flat:60"),
        ("baron", "oos:400"),
        ("breakthrough", "alphabeta:6"),
    ],
)
def test_to_look_at_a_search_changes_nothing(name: str, word: str) -> None:
    """Findings so far are told while a search goes on, grow, and are not known before and after."""
    game = shipped(name)
    (_, state), *_ = game.states(1, [9])
    search, dice = game.search(lab.agent(game, word)), rw.playing.Dice(1, "tests")
    seen: list[rw.playing.PositionAnalysis | None] = []

    def look(done: int, part: float) -> bool:
        seen.append(search.so_far())
        return True

    found = search.analyse(state, dice, look)
    assert found == game.search(lab.agent(game, word)).analyse(state, rw.playing.Dice(1, "tests"))
    looked = [one.looked for one in seen if one is not None]
    assert looked == sorted(looked)
    assert 0 < looked[0] <= looked[-1] <= found.looked
    assert seen[-1] is not None
    assert seen[-1].answers
    assert search.so_far() is None or word.startswith("alphabeta")
