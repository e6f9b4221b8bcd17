"""The line on stderr while an experiment runs: how fast, how long still, and what each arm shows so far."""

from __future__ import annotations

import math
import time
from datetime import timedelta

import rulewright_lab as lab
from rulewright_tools.progress import Working
from rulewright_tools.reports.experiment_figures import figure, letter

OFTEN = 2.0
"""Seconds between two looks at what the arms show, which take a moment."""
SHOWN = 6
"""So many arms are shown."""


class ExperimentProgress:
    """Hears how many games are played."""

    def __init__(self, shown: Working, results: lab.experiments.Results, total: int, ends: float = math.inf) -> None:
        self._shown, self._results, self._total, self._ends = shown, results, total, ends
        self._begun = self._looked = time.monotonic()
        self._first: int | None = None
        """The games that were there at first, of a journal."""
        shown.at("playing", total)

    def reached(self, games: int) -> None:
        """So many games are played."""
        self._shown.reached(games)
        now = time.monotonic()
        if self._first is None:
            self._first, self._begun = games, now
        if now - self._looked < OFTEN or now <= self._begun:
            return
        self._looked = now
        rate = (games - self._first) / (now - self._begun)
        self._shown.describe("; ".join(filter(None, (self._speed(rate, games), self._arms()))))

    def _speed(self, rate: float, games: int) -> str:
        if not rate:
            return "playing"
        needed, allowed = (self._total - games) / rate, max(0.0, self._ends - time.monotonic())
        left = timedelta(seconds=round(min(needed, allowed)))
        most = "at most " if self._results.stopping is not None or allowed < needed else ""
        speed = f"{rate:,.0f}" if rate >= 10 else f"{rate:.1f}"
        return f"{speed} games/s, {most}{left} left"

    def _arms(self) -> str:
        """The means of the arms so far, of what is waited for or else of the first measure."""
        results = self._results
        names = list(results.measures)
        if results.stopping is not None:
            names = [name for name, _ in results.stopping.sequences]
        if not names:
            return ""
        means = [(number, one.mean(names[0])) for number, one in enumerate(results.arms[:SHOWN])]
        unit = results.measures[names[0]]
        shown = [f"{letter(number)} {figure(mean, unit)}" for number, mean in means if mean is not None]
        return f"{names[0]} {', '.join(shown)}" if shown else ""
