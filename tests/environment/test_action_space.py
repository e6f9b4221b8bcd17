"""Actions: one number for each answer, the same in every position, that tells nothing of what is hidden."""

from __future__ import annotations

import subprocess
import sys

import pytest
from walks import GAMES, loaded, walk

import rulewright as rw
import rulewright_lab as lab


@pytest.mark.parametrize(("name", "players"), GAMES)
def test_each_answer_has_a_number_of_its_own(name: str, players: int) -> None:
    game = loaded(name, players)
    actions = lab.actions(game)
    answers: dict[int, str] = {}
    for state in walk(game, 1, 60):
        if state.decision is None:
            break
        legal = actions.legal(state)
        assert len(set(legal)) == len(legal) == len(state.decision.options)
        question = actions.question_of(state)
        assert question is not None
        assert question.name == state.decision.name
        mask = actions.mask(state)
        assert len(mask) == actions.count
        assert sum(mask) == len(legal)
        for number, (action, option) in enumerate(zip(legal, state.decision.options, strict=True)):
            assert question.first <= action <= question.last
            assert mask[action] == 1
            data = actions.data(action)
            assert data["question"] == state.decision.name
            assert (data.get("word") == option.key) is option.extra
            if number < 3:
                assert actions.option(state, action) == number
            text = actions.text(action)
            assert answers.setdefault(action, text) == text
    assert len(set(answers.values())) == len(answers)


def test_the_numbers_are_the_same_in_another_process() -> None:
    program = (
        "import rulewright as rw, rulewright_lab as lab\n"
        "print([(q.name, q.first, q.count) for q in lab.actions(rw.load('domaine')).questions])"
    )
    found = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True).stdout
    assert found.strip() == str([(q.name, q.first, q.count) for q in lab.actions(loaded("domaine", 2)).questions])


@pytest.mark.parametrize("name", ["leduc-poker", "domaine", "baron", "kings-and-things"])
def test_the_numbers_are_those_of_all_worlds_that_look_the_same(name: str) -> None:
    """Options have the same numbers wherever hidden pieces lie."""
    game = loaded(name, 2)
    states = [state for state in walk(game, 3, 60) if state.seat is not None]
    for state in states[:: max(1, len(states) // 6)]:
        assert state.seat is not None
        world = state.imagine(state.seat, 1)
        assert lab.actions(game).legal(world) == lab.actions(game).legal(state)


def test_words_and_members() -> None:
    actions = lab.actions(loaded("leduc-poker", 2))
    assert [actions.text(n) for n in actions] == ["bet_round.deed fold", "bet_round.deed call", "bet_round.deed raise"]
    actions = lab.actions(loaded("tic-tac-toe", 2))
    assert len(actions) == 9
    assert actions.data(4) == {"question": "turn.cell", "member": "(1, 1)"}
    assert lab.actions(loaded("connect-four", 2)).count == 7


@pytest.mark.parametrize("action", [-1, 9, True, "0", None])
def test_a_number_that_is_no_action_is_told(action: object) -> None:
    actions = lab.actions(loaded("tic-tac-toe", 2))
    with pytest.raises(rw.RulesetError, match="action"):
        actions.text(action)  # type: ignore[arg-type]


def test_an_action_that_is_not_legal_is_told_with_those_that_are() -> None:
    game = loaded("tic-tac-toe", 2)
    state = game.start().choose("(1, 1)")
    with pytest.raises(rw.RulesetError, match="not legal") as refused:
        lab.actions(game).option(state, 4)
    assert "`3`, `5`" in refused.value.diagnostics[0].hint


def test_states_of_other_games_are_refused() -> None:
    with pytest.raises(rw.RulesetError, match="state of this game"):
        lab.actions(loaded("tic-tac-toe", 2)).legal(loaded("connect-four", 2).start())
