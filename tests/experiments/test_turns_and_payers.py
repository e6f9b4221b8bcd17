"""Turns without a choice, and answers that go with winning: of a game in which both can be counted by hand."""

from __future__ import annotations

from pathlib import Path

import pytest

import rulewright_lab as lab

pytest.importorskip("scipy")


def one_arm(games: int, *measures: str) -> lab.experiments.Results:
    """The results of games at random of pig, which has one question with two answers."""
    arms = lab.experiments.read_arms(("pig",))
    meant = lab.experiments.Experiment(arms, games, 0, measures)
    results = meant.begin()
    meant.run(results)
    return results


def test_every_turn_of_pig_has_a_choice() -> None:
    found = one_arm(20, "turns", "moves").arms[0].statistics
    assert found["dead_turns"].mean == 0
    assert found["turns"].mean == found["moves"].mean  # each player's answers in a row are one turn of the rules


def test_turns_with_one_answer_only_are_dead() -> None:
    """At the end of a game of Othello the mover often has one place left, and white may have to pass black."""
    arms = lab.experiments.read_arms(("othello",))
    meant = lab.experiments.Experiment(arms, 10, 0, ("turns", "forced"))
    results = meant.begin()
    meant.run(results)
    found = results.arms[0].statistics
    assert 0 < found["dead_turns"].mean < 0.5


def test_who_rolls_more_often_wins_more_in_pig_at_random() -> None:
    shares = {one.option: one for one in one_arm(200, "answers").extra.answer_shares(0)}
    rolls = shares["roll"].pays
    assert rolls is not None
    games, more, low, high = rolls
    assert games <= 200
    assert 0 < low < more < high <= 1


def test_portions_change_nothing(tmp_path: Path) -> None:
    arms = lab.experiments.read_arms(("pig",))
    meant = lab.experiments.Experiment(arms, 40, 0, ("answers",))
    whole, parts = meant.begin(), meant.begin()
    meant.run(whole)
    meant.run(parts, 2)
    assert whole.extra.answer_shares(0) == parts.extra.answer_shares(0)
