"""Experiments that stop when something is known: they err no more than they say, and stop wherever they are played."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from test_experiments import asked, report

import rulewright_lab as lab
from rulewright_lab.experiments.statistics.confidence_sequences import (
    Asymptotic,
    ConfidenceSequence,
    EmpiricalBernstein,
)

np = pytest.importorskip("numpy")
pytest.importorskip("scipy")


def errors(
    make: Callable[[], ConfidenceSequence], draw: Callable[[int], Any], mean: float, half: float, times: int
) -> tuple[int, list[int]]:
    """In how many of some experiments an interval at any look is wrong, and the games that they take."""
    wrong, games = 0, []
    for _ in range(times):
        found, out = make(), False
        while found.half_width > half and found.games < 100_000:
            found.add(draw(max(50, found.games // 20)))
            out = out or not found.low <= mean <= found.high
        wrong += out
        games.append(found.games)
    return wrong, games


KINDS: dict[str, tuple[Any, Any, float, float]] = {
    "even": (lambda: EmpiricalBernstein(0, 1, 0.05, 0.05), lambda dice, n: dice.integers(0, 2, n) * 1.0, 0.5, 0.05),
    "seldom": (lambda: EmpiricalBernstein(0, 1, 0.02, 0.05), lambda dice, n: dice.random(n) < 0.02, 0.02, 0.02),
    "differences": (
        lambda: EmpiricalBernstein(-1, 1, 0.05, 0.05),
        lambda dice, n: dice.choice([-1.0, 0.0, 1.0], n, p=[0.1, 0.8, 0.1]),
        0.0,
        0.05,
    ),
    "unbounded": (lambda: Asymptotic(1000, 0.05), lambda dice, n: dice.exponential(3, n), 3.0, 0.2),
}


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("times", [100, pytest.param(1000, marks=pytest.mark.thorough)])
def test_confidence_sequences_err_no_more_than_they_say(kind: str, times: int) -> None:
    make, draw, mean, half = KINDS[kind]
    dice = np.random.default_rng(5)
    wrong, games = errors(make, lambda n: np.asarray(draw(dice, n), float), mean, half, times)
    assert wrong <= 0.05 * times + (3 if times < 1000 else 0)  # of a hundred 5 at most are due, give or take
    assert max(games) < 100_000


def test_parts_of_values_do_not_matter() -> None:
    values = np.random.default_rng(6).random(3000)
    for make in (lambda: EmpiricalBernstein(0, 1, 0.01, 0.05), lambda: Asymptotic(500, 0.05)):
        whole, parts = make(), make()
        whole.add(values)
        for begin in range(0, 3000, 211):
            parts.add(values[begin : begin + 211])
        assert parts.low >= whole.low - 1e-15  # more looks make it narrower, as all hold the mean together
        assert parts.high <= whole.high + 1e-15
        parts.low, parts.high = -np.inf, np.inf
        whole.low, whole.high = -np.inf, np.inf
        parts.add(values[:50])
        whole.add(values[:50])
        assert (parts.low, parts.high, parts.games) == (whole.low, whole.high, whole.games)


@pytest.mark.parametrize("rare", [0, 1, 5])
def test_values_that_are_alike_are_not_certain(rare: int) -> None:
    """Variance of nothing, or of a few values, says nothing; of pairs the share of those that may differ says it."""
    values = np.full(400, 9.0)
    values[:rare] = 60
    alone, pairs = Asymptotic(500, 0.05), Asymptotic(500, 0.05)
    alone.add(values)
    pairs.add(values - 9, 80.0)
    assert alone.half_width == np.inf
    assert 0.9 * 80 * rare / 400 < pairs.half_width < 80 * (rare + 12) / 400
    assert pairs.half_width > 0.3
    many = Asymptotic(500, 0.05)
    values[:40] = 60
    many.add(values)
    assert many.low < values.mean() < many.high < np.inf


def test_values_out_of_their_bounds_are_no_values() -> None:
    with pytest.raises(ValueError, match="bounds"):
        EmpiricalBernstein(0, 1, 0.1, 0.05).add(np.array([0.5, 1.5]))


@pytest.mark.thorough
@pytest.mark.long
def test_equal_arms_differ_nowhere(capsys: pytest.CaptureFixture[str]) -> None:
    """Two equal arms with other seeds, so that they only are equal on average, in a thousand experiments."""
    (arm,) = lab.experiments.read_arms(("tic-tac-toe",))
    units = {"wins(seat 1)": "share"}
    aim = lab.experiments.Aim.read("wins(seat 1) ± 5%")
    from rulewright_lab.experiments.playing.game_player import GamePlayer

    player, wrong, games = GamePlayer(arm, ("wins(seat 1)",)), 0, []
    for number in range(1000):
        begin, other = number * 10_000, 50_000_000 + number * 10_000
        stopping = lab.experiments.Stopping(aim, [arm, arm], [units, units], 10_000, begin)
        at, out, end = begin, False, begin + 10_000
        while at < end and not stopping.reached:
            to = min(stopping.border(at), end)
            stopping.take(0, player.play(range(at, to)))
            stopping.take(1, player.play(range(other + at - begin, other + to - begin)))
            at = to
            (found,) = stopping.sequences.values()
            out = out or not found.low <= 0 <= found.high
        wrong += out
        games.append(at - begin)
    with capsys.disabled():
        print(f"\n{wrong} of 1000 experiments erred at any look; games: median {int(np.median(games))}")
    assert wrong <= 50
    assert max(games) < 10_000


def until(*words: str) -> Any:
    found = report(*words)
    return found, found["until"]


def test_it_stops_as_soon_as_it_is_known_whoever_plays() -> None:
    words = ("tic-tac-toe", "--until", "wins(seat 1) ± 5%")
    found, known = until(*words)
    assert known["reached"]
    (one,) = known["intervals"]
    low, high = one["interval"]
    assert high - low <= 0.1
    assert low <= 0.648 <= high  # 0.585 + 0.127 / 2, which is known of random tic-tac-toe
    assert one["games"] == found["arms"][0]["games"] < 2000
    text = asked(*words, "--format", "json")[1]
    assert asked(*words, "--format", "json", "--jobs", "2")[1] == text
    assert asked(*words, "--format", "json", "--engine", "python")[1] == text


def test_differences_of_several_arms() -> None:
    found, known = until("breakthrough:size=5", ":size=6", ":size=5", "--until", "decisions +- 2", "--games", "3000")
    assert known["reached"]
    larger, same = known["intervals"]
    assert [one["arm"] for one in known["intervals"]] == [1, 2]
    assert larger["method"] == "asymptotic"
    assert larger["interval"][0] > 10
    assert -2 <= same["interval"][0] < 0 < same["interval"][1] <= 2
    assert len({arm["games"] for arm in found["arms"]}) == 1


def test_a_family_is_all_that_belong_to_it() -> None:
    _, known = until("baron:3", "--until", "wins ± 10%", "--measure", "decisions")
    assert [one["measure"] for one in known["intervals"]] == [f"wins(seat {number})" for number in (1, 2, 3)]


def test_what_is_not_reached_is_said() -> None:
    code, out, err = asked("tic-tac-toe", "--until", "wins(seat 1) ± 0.1%", "--games", "200")
    assert code == 0
    assert "not enough" in err
    assert "Stopped as" not in out
    assert re.search(r"wins\(seat 1\): .* after 200 games", out)


@pytest.mark.parametrize(
    ("aim", "told"),
    [
        ("wins(seat 1)", "does not say what is to be known how well"),
        ("wins(seat 1) ± 0%", "nothing is ever known"),
        ("wns(seat 1) ± 1%", "did you mean"),
        ("wins(seat 3) ± 1%", "not measured"),
        ("decisions ± 1%", "is no share"),
        ("± 1%", "does not say"),
        ("wins ± x", "does not say"),
        ("", "does not say"),
    ],
)
def test_wrong_aims_are_one_error(aim: str, told: str) -> None:
    code, out, err = asked("tic-tac-toe", "--until", aim)
    assert (code, out) == (2, "")
    assert told in " ".join(err.split())
    assert "Traceback" not in err


def test_aims_in_files(tmp_path: Path) -> None:
    text = 'until = "ties ± 5%"\n[[arms]]\nrules = "tic-tac-toe"\n'
    (tmp_path / "experiment.toml").write_text(text, "utf-8")
    _, known = until(str(tmp_path / "experiment.toml"))
    assert known["aim"] == "ties ± 5%"
    assert known["reached"]
    (tmp_path / "experiment.toml").write_text(text.replace("ties", "tiez"), "utf-8")
    code, _, err = asked(str(tmp_path / "experiment.toml"))
    assert code == 2
    assert "did you mean" in err
    (tmp_path / "experiment.toml").write_text(text.replace("±", "about"), "utf-8")
    code, _, err = asked(str(tmp_path / "experiment.toml"))
    assert code == 2
    assert "experiment.toml:1:9" in err
