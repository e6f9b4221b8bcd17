"""Answers that are not offered: listed with the reasons that whoever is asked may know."""

from __future__ import annotations

import pytest

import rulewright as rw


def test_options_of_an_either_are_listed_with_their_condition_and_place() -> None:
    state = rw.load("domaine").start(3)
    while (decision := state.decision) is not None and decision.name != "turn.source":
        state = state.choose(len(state.log) * 7 % len(decision.options))
    refused = {one.key: one.reasons for one in state.refused_answers()}
    assert [*refused] == ["chancery"]
    reason = refused["chancery"][0]
    assert "its condition holds" in reason.text
    assert reason.rule is not None
    assert reason.rule.name == "turn.chancery"
    assert state.why_not("chancery").reasons == refused["chancery"]


def test_numbers_are_listed_if_a_rule_refuses_them() -> None:
    state = rw.load("connect-four").start()
    assert state.refused_answers() == ()
    for _ in range(6):
        state = state.choose(0)
    assert [(one.key, one.reasons[0].label) for one in state.refused_answers()] == [("0", "turn.full")]
    assert state.refused_answers(most=0) == ()
    with pytest.raises(rw.RulesetError, match="number of answers"):
        state.refused_answers(most=-1)


@pytest.mark.parametrize("ruleset", ["domaine", "kings-and-things", "baron"])
def test_the_list_is_the_same_in_positions_that_look_alike(ruleset: str) -> None:
    state, listed = rw.load(ruleset).start(5), 0
    for number in range(60):
        decision = state.decision
        if decision is None or decision.seat is None:
            break
        if number % 6 == 5:
            told = state.refused_answers()
            listed += len(told)
            assert state.imagine(decision.seat, number).refused_answers() == told
        state = state.choose(number * 7 % len(decision.options))
    assert listed or ruleset == "baron"
