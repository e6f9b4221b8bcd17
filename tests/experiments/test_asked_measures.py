"""Measures that are found only if they are asked for, in rulesets in which they can be computed by hand."""

from __future__ import annotations

import json
from math import log10
from pathlib import Path
from typing import Any

import jsonschema
import pytest
from small_rulesets import ANSWERS, BOTH, BRANCHES, CHANCE, NUMBERS, SCRIPT, SUM, arm
from typer.testing import CliRunner

import rulewright_lab as lab
from rulewright.engine import EngineName
from rulewright_lab.experiments.estimates.game_tree import sizes
from rulewright_lab.experiments.estimates.luck import LuckPlayer
from rulewright_lab.experiments.observers.drama import drama
from rulewright_tools.app import app
from sampling import thorough

pytest.importorskip("scipy")

ROOT = Path(__file__).parents[2]
SCHEMA = json.loads((ROOT / "schemas" / "experiment-report.schema.json").read_text("utf-8"))


def found(*arms: lab.experiments.Arm, words: tuple[str, ...], games: int = 20, jobs: int = 1) -> Any:
    meant = lab.experiments.Experiment(arms, games, measures=words)
    results = meant.begin()
    meant.run(results, jobs)
    data = json.loads(json.dumps(results.data()))
    jsonschema.validate(data, SCHEMA)
    return data


def means(data: Any) -> dict[str, float]:
    return {one["measure"]: one["arms"][0]["mean"] for one in data["measures"]}


def estimated(data: Any, arm_number: int = 0) -> dict[str, tuple[float, list[float]]]:
    return {
        one["estimate"]: (row["value"], row["interval"])
        for one in data["estimates"]
        for row in one["arms"]
        if row["arm"] == arm_number
    }


def points(data: Any, curve: str) -> list[tuple[int, float]]:
    (one,) = [one for one in data["curves"] if one["curve"] == curve]
    return [(point["index"], point["mean"]) for point in one["arms"][0]["points"]]


def test_drama_of_a_script(tmp_path: Path) -> None:
    """The standings before each answer are 0:0, 3:0, 3:5, 4:5, 4:5, and the first seat wins by 8:5."""
    values = means(found(arm(tmp_path, SCRIPT), words=("ties", "drama(lead)")))
    assert values["lead_changes(lead)"] == 2
    assert values["behind(lead)"] == 3 / 5
    assert values["comeback(lead)"] == 2
    assert values["decided_at(lead)"] == 1
    assert set(values) == {"ties", *(f"{name}(lead)" for name in ("lead_changes", "behind", "comeback", "decided_at"))}


def test_drama_of_standings() -> None:
    course = [(0, (0, 0)), (2, (1, 0)), (4, (0, 3)), (6, (2, 1)), (8, (3, 1))]
    assert drama(course, (1, 2), 10) == {"lead_changes": 2, "behind": 1 / 5, "comeback": 3, "decided_at": 0.6}
    assert drama(course, (2, 1), 10) == {"lead_changes": 3, "behind": 3 / 5, "comeback": 2, "decided_at": 1}
    assert drama(course, (1, 1), 10) == {"lead_changes": 2}
    assert drama([(0, (1, 0)), (1, (2, 0))], (1, 2), 2)["decided_at"] == 0
    assert drama([], (1, 2), 10) == {}


def test_drama_by_a_search(tmp_path: Path) -> None:
    """A search sees before the last answer who can still win."""
    one = arm(tmp_path, NUMBERS, ("mcts:100", "random"))
    values = means(found(one, words=("drama(mcts:200)",), games=10))
    assert 0 <= values["behind(mcts:200)"] <= 1
    assert values["comeback(mcts:200)"] < 0.5


def test_curve_after_a_rule(tmp_path: Path) -> None:
    data = found(arm(tmp_path, SCRIPT), words=("lead after turn", "lead after gain", "lead after play"))
    for rule in ("turn", "gain"):
        assert points(data, f"lead(seat 1) after {rule}") == [(1, 3), (2, 3), (3, 4), (4, 4), (5, 8)]
        assert points(data, f"lead(seat 2) after {rule}") == [(1, 0), (2, 5), (3, 5), (4, 5), (5, 5)]
    assert points(data, "lead(seat 1) after play") == [(1, 8)]
    assert "wins(seat 1)" in means(data), "a curve does not replace the measures"


@thorough
def test_curves_are_compared_in_pairs(tmp_path: Path) -> None:
    """The points of a curve are those of the games, and what differs is told from games of equal seeds."""
    arms = lab.experiments.read_arms(("baron", ":3"))
    data = found(*arms, words=("ties", "points after turn"), games=12)
    (curve,) = [one for one in data["curves"] if one["curve"] == "points(seat 1) after turn"]
    (apart,) = curve["differences"]
    first, other = ({row["index"]: row for row in one["points"]} for one in curve["arms"])
    for row in apart["points"]:
        if row["games"] == first[row["index"]]["games"] == other[row["index"]]["games"]:
            expected = other[row["index"]]["mean"] - first[row["index"]]["mean"]
            assert row["mean"] == pytest.approx(expected, abs=1e-4)
    assert apart["points"]
    assert all(one["games"] <= 12 for one in apart["points"])


@pytest.mark.parametrize(("text", "luck"), [(CHANCE, 1), (ANSWERS, 0)])
def test_nothing_but_luck_or_answers(tmp_path: Path, text: str, luck: int) -> None:
    """Of a game without chance, or without answers that matter, it is exact."""
    values = estimated(found(arm(tmp_path, text), words=("luck",), games=40))
    assert values["luck"] == (luck, [luck, luck])
    assert values["luck(chance alone)"] == (luck, [luck, luck])
    assert values["luck(answers alone)"] == (1 - luck, [1 - luck, 1 - luck])


@pytest.mark.parametrize(("text", "alone"), [(BOTH, 0.0), (SUM, 0.5)])
def test_luck_of_both(tmp_path: Path, text: str, alone: float) -> None:
    """Luck is a half where both count alike: each by itself, or only both together."""
    values = estimated(found(arm(tmp_path, text), words=("luck",), games=1000))
    for name, true in (("luck", 0.5), ("luck(chance alone)", alone), ("luck(answers alone)", alone)):
        value, (low, high) = values[name]
        assert value == pytest.approx(true, abs=0.08), name
        assert low - 0.02 <= true <= high + 0.02, name


def test_luck_of_arms_with_different_seats(tmp_path: Path) -> None:
    """It can be compared between any two games; of few games no interval is told."""
    arms = arm(tmp_path, CHANCE), lab.experiments.read_arms(("tic-tac-toe",))[0]
    data = found(*arms, words=("luck",), games=30)
    (apart,) = [one for one in data["estimate_differences"] if one["estimate"] == "luck"]
    assert (apart["difference"], apart["interval"], apart["certain"]) == (-1, [-1, -1], True)
    few = found(*arms, words=("luck",), games=10)
    assert all(row["interval"] is None for one in few["estimates"] for row in one["arms"])
    assert not any(one["certain"] for one in few["estimate_differences"])
    assert not any(one["arms"] for one in found(*arms, words=("luck",), games=1)["estimates"])


def test_answers_have_a_seed_of_their_own() -> None:
    """Chance from one seed and answers from another: both engines play the same game, and equal seeds the known one."""
    (one,) = lab.experiments.read_arms(("baron",))
    game = one.game
    for seed in range(3):
        same = game.playout(seed, keep=True)
        assert game.playout(seed, keep=True, answers_seed=seed).answers == same.answers
        other = game.playout(seed, answers_seed=seed + 100)
        assert LuckPlayer(one, 20_000)._payoffs(seed, seed + 100) == tuple(map(float, other.payoffs))


@thorough
def test_skill_is_nothing_where_chance_decides(tmp_path: Path) -> None:
    pytest.importorskip("choix")
    word = "skill(mcts:20, random) in 12 rounds"
    data = found(arm(tmp_path, CHANCE), arm(tmp_path, NUMBERS), words=("ties", word), games=15)
    assert estimated(data)["skill(mcts:20, random)"][0] == 0
    value, (low, _) = estimated(data, 1)["skill(mcts:20, random)"]
    assert value > 100
    assert low > 0
    (apart,) = [one for one in data["estimate_differences"] if one["estimate"].startswith("skill")]
    assert apart["difference"] == pytest.approx(value, rel=1e-4)
    assert apart["games"] == 12, "so many rounds, although more games are played"
    assert apart["certain"]


def test_game_tree(tmp_path: Path) -> None:
    """Nine leaves: a way has 3 leaves or 12 for Knuth, one and two in three."""
    data = found(arm(tmp_path, BRANCHES), words=("tree", "decisions"), games=900)
    value, (low, high) = estimated(data)["tree_size"]
    long = means(data)["decisions"] - 1
    assert 10**value == pytest.approx(3 + 9 * long, rel=1e-4)
    assert low <= log10(9) <= high
    mean = (3 + 4 * long) / (1 + long)
    assert estimated(data)["tree_complexity"][0] == pytest.approx((1 + long) * log10(mean), rel=1e-4)


def test_game_tree_of_tic_tac_toe() -> None:
    """It has 255,168 leaves."""
    (one,) = lab.experiments.read_arms(("tic-tac-toe",))
    value, (low, high) = estimated(found(one, words=("tree",), games=1000))["tree_size"]
    assert low <= log10(255_168) <= high
    assert value == pytest.approx(log10(255_168), abs=0.02)


def test_large_game_trees() -> None:
    """Figures of trees with more leaves than a machine can count, also where one way outweighs all others."""
    import numpy as np

    ways = np.array([[400.0, 10.0, 700.0], [40, 5, 70], [400, 50, 700]])
    found = sizes(ways, np.array([[1.0, 1, 1], [3, 0, 0], [0, 3, 0], [0, 0, 3]]))
    assert found[:, 0] == pytest.approx([700 - log10(3), 400, 10, 700])
    assert found[1, 1] == pytest.approx(40)


def test_time_of_a_game(tmp_path: Path) -> None:
    one = arm(tmp_path, NUMBERS)
    data = found(one, words=("decisions", "time"), games=7)
    assert 0 < means(data)["time"] < 60
    assert means(data)["decisions"] == means(found(one, words=("decisions",), games=7))["decisions"]


def test_answers_are_counted(tmp_path: Path) -> None:
    data = found(arm(tmp_path, NUMBERS), words=("answers",), games=50)
    (row,) = data["answers"]
    for question in ("play.high", "play.low"):
        some = [one for one in row["options"] if one["question"] == question]
        assert sorted(one["option"] for one in some) == [str(number) for number in range(1, 10)]
        assert {one["offered"] for one in some} == {50}
        assert sum(one["taken"] for one in some) == 50
        assert all(one["interval"][0] <= one["share"] <= one["interval"][1] for one in some)


def test_uses_of_rules(tmp_path: Path) -> None:
    values = means(found(arm(tmp_path, SCRIPT), words=("ties", "uses", "used(gain)")))
    assert values == {"ties": 0, "uses(play)": 1, "uses(turn)": 5, "uses(gain)": 5, "used(gain)": 1}


@pytest.mark.parametrize("seats", [(), ("mcts:5", "random")])
def test_the_same_bytes_whoever_plays(tmp_path: Path, seats: tuple[str, ...]) -> None:
    words = ("wins", "drama(lead)", "lead after turn", "luck", "tree", "answers", "drama(mcts:5 every 2)")
    ways: tuple[tuple[EngineName, int], ...] = (("python", 1), ("native", 1), ("auto", 2))
    each = [found(arm(tmp_path, SCRIPT, seats, engine), words=words, games=25, jobs=jobs) for engine, jobs in ways]
    assert each[0] == each[1] == each[2]


@pytest.mark.parametrize(
    ("word", "told"),
    [
        ("pionts after turn", "did you mean `points`?"),
        ("points after trn", "did you mean `turn`?"),
        ("drama", "drama(QUERY)"),
        ("drama(pionts)", "did you mean `points`?"),
        ("drama(greedy:points)", "does not search"),
        ("drama(mcts:x)", "needs a number of simulations"),
        ("skill(random)", "two or more different agents"),
        ("skill(random, rondam)", "did you mean `random`?"),
        ("skill(random, mcts:5) in 0 rounds", "two or more"),
        ("uses(trn)", "did you mean `turn`?"),
        ("lukc", "did you mean `luck`?"),
    ],
)
def test_wrong_words_are_told_before_a_game(word: str, told: str) -> None:
    done = CliRunner().invoke(app, ["experiment", "baron", "--measure", word, "--games", "1000000"])
    assert done.exit_code == 2, done.output
    assert done.stderr.count("error") == 1
    assert told in " ".join(done.stderr.split())


def test_estimates_that_differ_are_told(tmp_path: Path) -> None:
    arm(tmp_path, CHANCE)
    words = ("--games", "30", "--measure", "luck", "--measure", "ties")
    done = CliRunner().invoke(app, ["experiment", "tic-tac-toe", str(tmp_path / "coin"), *words])
    assert done.exit_code == 0, done.output
    assert "luck is higher than in tic-tac-toe: 100.0 % instead of 0.0 %." in done.stdout


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (("--aim", "luck = 50%", "--over", "size=5..6"), "`luck` is not found for single games"),
        (("--over", "size=5..6", "--measure", "drama(pawns)"), "`drama(pawns)` is not found for single games"),
        (("--over", "size=5..6", "--measure", "uses(trn)"), "did you mean `turn`?"),
        (("--until", "luck ± 1%", "--measure", "luck"), "`luck` is not measured"),
    ],
)
def test_what_other_questions_cannot_use(words: tuple[str, ...], told: str) -> None:
    done = CliRunner().invoke(app, ["experiment", "breakthrough", *words])
    assert done.exit_code == 2, done.output
    assert told in " ".join(done.stderr.split())


def test_the_first_seat_that_wins_all_of_few_games(tmp_path: Path) -> None:
    """The interval of its share is that of few games, although nothing varies."""
    arm(tmp_path, SCRIPT)
    done = CliRunner().invoke(app, ["experiment", str(tmp_path / "script"), "--games", "5"])
    assert "(95 % interval 56.6 % to 100.0 %)" in done.stdout


def test_report_as_text(tmp_path: Path) -> None:
    words = ("lead after turn", "luck", "tree", "answers", "drama(lead)")
    arm(tmp_path, SCRIPT)
    asked = [part for word in words for part in ("--measure", word)]
    done = CliRunner().invoke(app, ["experiment", str(tmp_path / "script"), "--games", "5", *asked])
    assert done.exit_code == 0, done.output
    assert "luck" not in done.stdout.split("estimates")[0]
    assert "lead(seat 1) after turn: mean at 1 to 5\n  A  3.00 ▁▁▂▂█ 8.00" in done.stdout
    assert "turn.way: " in done.stdout
