"""Turns: answers of one player without one of another in between, and how many of them hold no choice."""

from __future__ import annotations

from rulewright.engine import Stepper
from rulewright_lab.experiments.columns.wanted import DEAD_TURNS, TURNS


class TurnObserver:
    """Counts turns, and those in which each question had one answer only."""

    needs_states = False

    def __init__(self) -> None:
        self._seat: int | None = None
        self._turns = self._dead = 0
        self._chose = True

    def begin(self, at: Stepper, seed: int) -> None:
        """Forget the game before."""
        self._seat, self._turns, self._dead, self._chose = None, 0, 0, True

    def answered(self, at: Stepper, option: int, size: int) -> None:
        """Take note of who answers, and whether there was a choice."""
        if at.seat != self._seat:
            self._close()
            self._seat, self._turns, self._chose = at.seat, self._turns + 1, False
        self._chose = self._chose or size > 1

    def look(self, at: Stepper) -> None:
        """Ignore positions."""

    def end(self, at: Stepper, finished: bool) -> dict[str, float]:
        """The numbers of the game, if it has ended and anything was answered."""
        self._close()
        if not finished or not self._turns:
            return {}
        return {TURNS: float(self._turns), DEAD_TURNS: self._dead / self._turns}

    def _close(self) -> None:
        self._dead += not self._chose
