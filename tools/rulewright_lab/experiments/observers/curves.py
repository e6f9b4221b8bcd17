"""Curves: a query that is asked each time that a rule has been used and is over."""

from __future__ import annotations

from rulewright.engine import Stepper
from rulewright.play import Game
from rulewright_lab.experiments.columns.wanted import Curve
from rulewright_lab.experiments.observers.course_walk import keeps_memories

MOST_POINTS = 500
"""Points of a curve at most."""


class CurveObserver:
    """Asks a query of the whole game, or about each player."""

    def __init__(self, game: Game, curve: Curve, about_players: bool) -> None:
        self.needs_states = keeps_memories(game)
        self._curve = curve
        self._rule = game.rule_names.index(curve.rule)
        self._seats: tuple[str | None, ...] = game.seats if about_players else (None,)
        self._found: dict[str, float] = {}
        self._points = 0

    def begin(self, at: Stepper, seed: int) -> None:
        """Forget the game before."""
        self._found, self._points = {}, 0

    def answered(self, at: Stepper, option: int, size: int) -> None:
        """Nothing is of interest."""

    def look(self, at: Stepper) -> None:
        """Ask, if the rule has been used once more; as often as it has, where that was several times at once."""
        begun = at.uses(self._rule)
        if begun <= self._points:
            return
        over = min(begun - at.running(self._curve.rule), MOST_POINTS)
        if over <= self._points:
            return
        state, query = at.state(), self._curve.query
        for number, seat in enumerate(self._seats):
            value = float(state.ask(query) if seat is None else state.ask(query, seat))
            for point in range(self._points, over):
                self._found[point_name(self._curve, number if seat is not None else None, point + 1)] = value
        self._points = over

    def end(self, at: Stepper, finished: bool) -> dict[str, float]:
        """The points of the game, of one that was stopped those that there are."""
        return self._found


def point_name(curve: Curve, seat: int | None, index: int) -> str:
    """The name of the column of a point: ``points(seat 1) after turn #3``."""
    return f"{series_name(curve, seat)} #{index}"


def series_name(curve: Curve, seat: int | None) -> str:
    """The name of a curve: ``points(seat 1) after turn``."""
    about = "" if seat is None else f"(seat {seat + 1})"
    return f"{curve.query}{about} after {curve.rule}"
