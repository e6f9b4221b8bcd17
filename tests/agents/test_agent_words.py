"""The words of agents: each wrong one is one error that says what can be written."""

from __future__ import annotations

import pytest
from agent_games import shipped

import rulewright as rw


@pytest.mark.parametrize(
    ("word", "message", "hint"),
    [
        ("mcts:0", "the number must be from 1", "mcts:1000"),
        ("mcts:x", "`x` is none", "mcts:50ms"),
        ("mcts", "there is none", "mcts:1000"),
        ("mcts:-3", "`-3` is none", "mcts:1000"),
        ("mcts:1.5", "`1.5` is none", "mcts:1000"),
        ("mcst:100", "no agent `mcst`", "did you mean `mcts`?"),
        ("perfect", "no agent `perfect`", "random, greedy:QUERY, lead:QUERY"),
        ("greedy:nosuch", "no query or value `nosuch`", "there are `"),
        ("random:3", "takes no query", "without"),
    ],
)
def test_wrong_words(word: str, message: str, hint: str) -> None:
    with pytest.raises(rw.RulesetError) as caught:
        shipped("kings-and-things").policy(word)
    (found,) = caught.value.diagnostics
    assert message in found.message
    assert hint in (found.hint or "")


@pytest.mark.parametrize(
    ("word", "said"),
    [("mcts:1000", "mcts:1000"), (" mcts : 50ms ", "mcts:50ms"), ("mcts:2s", "mcts:2000ms")],
)
def test_right_words(word: str, said: str) -> None:
    assert str(shipped("tic-tac-toe").policy(word)) == said
