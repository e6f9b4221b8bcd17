"""The line that tells how far an experiment is."""

from __future__ import annotations

import time

import pytest

import rulewright_lab as lab
from rulewright_tools.progress import Working
from rulewright_tools.reports.experiment_progress import ExperimentProgress

pytest.importorskip("scipy")


class Told(Working):
    def __init__(self) -> None:
        super().__init__()
        self.lines: list[str] = []

    def describe(self, what: str) -> None:
        self.lines.append(what)


def test_speed_time_left_and_what_each_arm_shows(monkeypatch: pytest.MonkeyPatch) -> None:
    now = [100.0]
    monkeypatch.setattr(time, "monotonic", lambda: now[0])
    arms = lab.experiments.read_arms(("tic-tac-toe", ":2"))
    meant = lab.experiments.Experiment(arms, 64, until="wins(seat 1) ± 1%")
    results, told = meant.begin(), Told()
    progress = ExperimentProgress(told, results, 128)

    def reached(games: int) -> None:
        now[0] += 1.0
        progress.reached(games)

    meant.run(results, tell=reached)
    assert told.lines
    speed, arms_shown = told.lines[-1].split("; ")
    assert speed.endswith("left")
    assert "games/s, at most 0:00:0" in speed
    assert arms_shown.startswith("wins(seat 1) A ")
    assert ", B " in arms_shown


def test_games_of_a_journal_are_no_speed(monkeypatch: pytest.MonkeyPatch) -> None:
    now = [0.0]
    monkeypatch.setattr(time, "monotonic", lambda: now[0])
    (arm,) = lab.experiments.read_arms(("tic-tac-toe",))
    told = Told()
    progress = ExperimentProgress(told, lab.experiments.Experiment((arm,)).begin(), 3000)
    for second, games in enumerate((1000, 1010, 1020, 1030)):
        now[0] = float(second)
        progress.reached(games)
    assert told.lines == ["10 games/s, 0:03:18 left"]
