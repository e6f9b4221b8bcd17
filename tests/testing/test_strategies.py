"""Strategies draw games, states and answers, and shrink them to what is smallest."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from chips import RULES, SMALLEST, written
from hypothesis import Phase, find, given, seed, settings
from hypothesis import strategies as st
from hypothesis.errors import InvalidArgument

import rulewright as rw
from rulewright_lab.testing import answer_sequences, answers, games, states

QUICK = settings(max_examples=300, database=None, deadline=None, phases=(Phase.generate, Phase.shrink))


def keys(state: rw.State) -> list[str]:
    return [entry.key for entry in state.log]


def test_a_planted_fault_shrinks_to_its_smallest_game(tmp_path: Path) -> None:
    drawn = games(written(tmp_path), everything=True).flatmap(lambda game: st.tuples(st.just(game), states(game)))
    game, state = find(drawn, lambda found: found[0].broken_invariants(found[1]) != [], settings=QUICK)
    assert keys(state) == SMALLEST
    assert (game.players, game.variants, game.parameters["quick"]) == (2, (), "false")


def test_games_shrink_to_few_players_and_defaults(tmp_path: Path) -> None:
    written(tmp_path)
    plain = find(games(tmp_path, everything=True), lambda game: True, settings=QUICK)
    assert (plain.players, plain.variants, plain.parameters) == (2, (), {"most": "3", "quick": "false"})
    laid = find(games(tmp_path, everything=True), lambda game: bool(game.variants), settings=QUICK)
    assert (laid.players, laid.variants) == (2, ("More chips",))
    assert find(games(tmp_path, players=(3, 4)), lambda game: True, settings=QUICK).players == 3
    drawn = games(tmp_path, options={"most": st.integers(1, 9), "quick": True})
    found = find(drawn, lambda game: int(game.parameters["most"]) > 3, settings=QUICK)
    assert found.parameters == {"most": "4", "quick": "true"}


def test_answers_shrink_to_first_options() -> None:
    state = rw.load("connect-four").start().choose("3")
    assert find(answers(state), lambda option: True, settings=QUICK) == state.decision.options[0]  # type: ignore[union-attr]
    assert find(answer_sequences(state), lambda given: True, settings=QUICK) == []
    third = find(answer_sequences(state), lambda given: len(given) > 2, settings=QUICK)
    assert [option.key for option in third] == ["0", "0", "0"]
    for option in third:
        state = state.choose(option)


def test_chance_shrinks_to_first_outcomes() -> None:
    found = find(states("pig", ask_chance=True, seed=0), lambda state: len(state.log) > 3, settings=QUICK)
    assert keys(found)[:2] == ["roll", "1"]
    assert len(found.log) == 4


def test_sizes_and_ends() -> None:
    @settings(QUICK, max_examples=25)
    @given(states("tic-tac-toe", over=True), states("tic-tac-toe", over=False), states("pig", min_answers=3))
    def drawn(over: rw.State, going_on: rw.State, third: rw.State) -> None:
        assert over.result is not None
        assert going_on.decision is not None
        assert sum(entry.who.startswith("player") for entry in third.log) >= 3
        with pytest.raises(InvalidArgument, match="the game is over"):
            answers(over)

    drawn()
    with pytest.raises(InvalidArgument, match="at least one number of players"):
        games("pig", players=())
    for wrong in ({"min_answers": 3, "max_answers": 2}, {"min_answers": -1}):
        with pytest.raises(InvalidArgument, match="min_answers"):
            states("pig", **wrong)  # type: ignore[arg-type]


def test_a_long_game_that_is_over() -> None:
    """Hypothesis draws the first answers; the rest of a game that is to be over is played at random."""
    long = find(states("carolus-magnus", over=True), lambda state: state.result is not None, settings=QUICK)
    assert len(long.log) > 50


def test_the_same_seed_gives_the_same_examples(tmp_path: Path) -> None:
    def examples(number: int) -> list[Any]:
        found: list[Any] = []

        @seed(number)
        @settings(QUICK, max_examples=10)
        @given(states(written(tmp_path)))
        def drawn(state: rw.State) -> None:
            found.append((state.engine.program.players, keys(state)))

        drawn()
        return found

    assert examples(1) == examples(1) != examples(2)


def test_errors_are_for_people(tmp_path: Path) -> None:
    """A ruleset that does not check, and one that fails in a game: the text of the commands, and the answers."""
    written(tmp_path / "worded", RULES.replace("chips[p] += n", "chip[p] += n"))
    written(tmp_path / "failing", RULES.replace("0..99 = 0", "0..3 = 0"))
    with pytest.raises(rw.RulesetError) as unread:
        find(states(tmp_path / "worded"), lambda state: True, settings=QUICK)
    assert "game.rules:16:5" in unread.value.__notes__[0]
    assert "^^^^" in unread.value.__notes__[0]

    @settings(QUICK)
    @given(states(tmp_path / "failing"))
    def drawn(state: rw.State) -> None:
        pass

    with pytest.raises(rw.RulesetError) as stopped:
        drawn()
    assert "after the answers 1, 0, 3" in stopped.value.__notes__
