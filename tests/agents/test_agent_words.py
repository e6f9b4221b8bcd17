"""The words of agents: each wrong one is one error that says what can be written."""

from __future__ import annotations

import pytest
from agent_games import shipped

import rulewright as rw
import rulewright_lab as lab


@pytest.mark.parametrize(
    ("word", "message", "hint"),
    [
        ("mcts:0", "the number must be from 1", "mcts:1000"),
        ("mcts:x", "`x` is none", "mcts:50ms"),
        ("mcts", "there is none", "mcts:1000"),
        ("mcts:-3", "`-3` is none", "mcts:1000"),
        ("mcts:1.5", "`1.5` is none", "mcts:1000"),
        ("mcts:0x100", "trees must be from 1 to 64", "4x1000"),
        ("mcts:65x100", "trees must be from 1 to 64", "4x1000"),
        ("mcts:4x", "there is none", "mcts:1000"),
        ("flat:4x100", "`4x100` is none", "flat:1000"),
        ("mcst:100", "no agent `mcst`", "did you mean `mcts`?"),
        ("perfect", "no agent `perfect`", "random, greedy:QUERY, lead:QUERY"),
        ("greedy:nosuch", "no query or value `nosuch`", "there are `"),
        ("random:3", "takes no query", "without"),
        ("flat", "there is none", "flat:1000"),
        ("flat:5:nosuch", "no query or value `nosuch`", "there are `"),
        ("mcts:10:", "needs a query", "this game has `"),
        ("mcts:10:income/x", "no query or value `income/x`", ""),
        ("mcts:10:mast:", "needs a query", "this game has `"),
        ("mcts:10:mast:nosuch", "no query or value `nosuch`", "there are `"),
        ("mcts:10:mats", "no query or value `mats`", ""),
        ("flat:10:mast", "no query or value `mast`", ""),
        ("alphabeta:3", "here something is hidden", "mcts:1000"),
        ("alphabeta:0", "the number must be from 1 to 99", "alphabeta:4"),
    ],
)
def test_wrong_words(word: str, message: str, hint: str) -> None:
    with pytest.raises(rw.RulesetError) as caught:
        lab.agent(shipped("kings-and-things"), word)
    (found,) = caught.value.diagnostics
    assert message in found.message
    assert hint in (found.hint or "")


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("random, mcts:10", ["random", "mcts:10"]),
        ('"learnt:a,b.json",random', ["learnt:a,b.json", "random"]),
        ('"learnt:a""b"".json" ', ['learnt:a"b".json']),
        ('pipe:python -c "1",first', ['pipe:python -c "1"', "first"]),
    ],
)
def test_lists_of_words(text: str, words: list[str]) -> None:
    assert lab.agents.split_words(text) == words
    assert lab.agents.split_words(lab.agents.join_words(words)) == words


@pytest.mark.parametrize("text", ['"learnt:a,b.json,random', '"learnt:a".json,random', "random\nrandom"])
def test_quotes_that_do_not_match(text: str) -> None:
    with pytest.raises(rw.RulesetError, match="its quotes do not match"):
        lab.agents.split_words(text)


@pytest.mark.parametrize(
    ("word", "said"),
    [("mcts:1000", "mcts:1000"), (" mcts : 50ms ", "mcts:50ms"), ("mcts:2s", "mcts:2000ms"), ("mcts:4x9", "mcts:4x9")],
)
def test_right_words(word: str, said: str) -> None:
    assert str(lab.agent(shipped("tic-tac-toe"), word)) == said


@pytest.mark.parametrize(
    ("word", "said"),
    [
        ("mcts:100:pawns", "mcts:100:pawns/20"),
        ("mcts:2x100:mast", "mcts:2x100:mast"),
        (" mcts : 9 : mast : pawns/5", "mcts:9:mast:pawns/5"),
        ("flat:9:pawns/5", "flat:9:pawns/5"),
        ("alphabeta:4:pawns", "alphabeta:4:pawns"),
        ("alphabeta:50ms", "alphabeta:50ms"),
    ],
)
def test_words_with_queries(word: str, said: str) -> None:
    assert str(lab.agent(shipped("breakthrough"), word)) == said
