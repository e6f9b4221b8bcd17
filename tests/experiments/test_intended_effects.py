"""Five variants of each game, each written for one effect: the report's first sentence names it."""

from __future__ import annotations

import pytest
from intended_effects import Effect, Intended, intended, told_of

import rulewright as rw
from rulewright_lab.experiments.importance import importance, most_important_first
from rulewright_lab.experiments.results import Compared
from rulewright_lab.experiments.statistics.paired_differences import Difference
from sampling import thorough

pytest.importorskip("scipy")

GAMES = ("baron", "carolus-magnus", "domaine", "kings-and-things", "loewenherz")


def test_there_are_five_of_each_game() -> None:
    rulesets = [one.ruleset for one in intended()]
    assert {name: rulesets.count(name) for name in GAMES} == dict.fromkeys(GAMES, 5)
    assert len(rulesets) == 25
    for one in intended():
        lines = [line for line in one.file.read_text("utf-8").splitlines() if not line.startswith("#")]
        assert 2 <= len(lines) <= 6, one.file
        assert rw.load(one.file).variants


LARGEST = "kings-and-things"
EACH = [
    pytest.param(one, id=f"{one.ruleset}/{one.file.stem}", marks=() if is_of_each_day else thorough)
    for number, one in enumerate(sorted(intended(), key=lambda one: one.ruleset))
    for is_of_each_day in (number % 5 < 2 and one.ruleset != LARGEST,)
]
"""All variants; each day two of the five of each game but the largest."""


@pytest.mark.parametrize("one", EACH)
def test_the_first_sentence_names_the_effect(one: Intended) -> None:
    told = told_of(one)
    assert told.right, told.sentence


def compared(measure: str, mean: float, effect: float | None, certain: bool = True, arm: int = 1) -> Compared:
    found = Difference(100, 0.0, mean, mean, mean, mean, effect, "Cohen's d", None, "t", 0.0)
    return Compared(measure, "number", arm, found, 0.0 if certain else 1.0)


def test_topics_are_told_once() -> None:
    given = [
        compared("options", 1, 1.5),
        compared("wins(seat 2)", -0.2, -0.4),
        compared("wins(seat 1)", 0.2, 0.4),
        compared("decisions", -9, -0.5),
        compared("moves", -3, -0.45),
        compared("points(seat 1)", 1, 0.2),
        compared("ties", 1, 3.0, certain=False),
        compared("uses(turn.pass)", 2, 0.2),
        compared("used(turn.pass)", 2, 0.1),
        compared("uses(turn.lay)", 2, 0.15),
        compared("wins(seat 1)", 0.2, 0.3, arm=2),
    ]
    told = [(one.measure, one.arm) for one in most_important_first(given)]
    assert told == [
        ("wins(seat 1)", 1),
        ("wins(seat 1)", 2),
        ("decisions", 1),
        ("options", 1),
        ("points(seat 1)", 1),
        ("uses(turn.pass)", 1),
        ("uses(turn.lay)", 1),
    ]


def test_what_does_not_vary_is_a_large_effect() -> None:
    told = list(most_important_first([compared("points", 1, 0.9), compared("points after turn", 2, None)]))
    assert told[0].measure == "points after turn"
    assert importance("wins(seat 3)") > importance("points(seat 1)") > importance("options")


def test_an_effect_has_a_measure_and_a_sign() -> None:
    assert Effect("points", "higher").is_told_by("points(seat 2)", 0.5)
    assert not Effect("points", "higher").is_told_by("points(seat 2)", -0.5)
    assert not Effect("wins(seat 1)", "higher").is_told_by("wins(seat 2)", 0.5)
