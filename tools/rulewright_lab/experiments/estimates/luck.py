"""Luck: how much of the variance of payoffs comes from chance, and how much from answers.

A payoff is a function of two independent things: what chance gives, and what answers players give (the random ones, or
the dice of agents). Its variance falls into what each explains by itself and what only both together explain: the
indices of I. M. Sobol', *Sensitivity estimates for nonlinear mathematical models*, Mathematical Modelling and
Computational Experiments 1, 1993. For each game one more is played with the same chance and other answers, and one with
the same answers and other chance: the *pick-freeze* estimates of A. Janon, T. Klein, A. Lagnoux, M. Nodet, C. Prieur,
*Asymptotic normality and efficiency of two Sobol index estimators*, ESAIM: Probability and Statistics 18, 2014; those
of several seats are added up as F. Gamboa, A. Janon, T. Klein, A. Lagnoux say (*Sensitivity analysis for
multidimensional and functional outputs*, Electronic Journal of Statistics 8, 2014). What only both explain is shared
equally, which makes the two parts Shapley values: A. B. Owen, *Sobol' indices and Shapley value*, SIAM/ASA Journal on
Uncertainty Quantification 2, 2014.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from typing import TYPE_CHECKING

from rulewright.diagnostics import RulesetError
from rulewright.engine import Stepper
from rulewright_lab.experiments.arms import Arm

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Column = NDArray[np.float64]

GAMES = 1000
"""So many games have two more beside them, at most."""
NAMES = LUCK, BY_CHANCE, BY_ANSWERS = "luck", "luck(chance alone)", "luck(answers alone)"
GAME, SAME_CHANCE, SAME_ANSWERS = "game", "same chance", "same answers"
KINDS = GAME, SAME_CHANCE, SAME_ANSWERS
_OTHER = 0x6C75636B << 32
"""The difference between a seed and the other one that stands beside it."""


class LuckPlayer:
    """Plays the games beside those of an arm."""

    def __init__(self, arm: Arm, most: int) -> None:
        self._arm, self._most = arm, most

    def columns(self, seed: int, payoffs: Sequence[float]) -> dict[str, float]:
        """The payoffs of a game and of both beside it; none if one of them has not come to its end."""
        other = seed ^ _OTHER
        try:
            found = [payoffs, self._payoffs(seed, other), self._payoffs(other, seed)]
        except RulesetError:
            return {}
        if not all(found):
            return {}
        return {
            column_name(kind, seat): value
            for kind, each in zip(KINDS, found, strict=True)
            for seat, value in enumerate(each)
        }

    def _payoffs(self, chance: int, answers: int) -> Sequence[float]:
        agents = self._arm.agents
        if agents:
            played = self._arm.game.playout(chance, most=self._most, policies=agents, answers_seed=answers)
            return tuple(map(float, played.payoffs)) if played.finished else ()
        self._stepper.begin(chance)
        return tuple(map(float, self._stepper.payoffs)) if self._stepper.play_on(answers, self._most) else ()

    @cached_property
    def _stepper(self) -> Stepper:
        return self._arm.game.stepper()


def column_name(kind: str, seat: int) -> str:
    """The name of the column of a payoff."""
    return f"luck: {kind}, seat {seat + 1}"


def columns_of(seats: int) -> tuple[str, ...]:
    """The columns that are estimated from, in the order that the statistics expect."""
    return tuple(column_name(kind, seat) for kind in KINDS for seat in range(seats))


def indices(rows: Column, weights: Column) -> Column:
    """Luck, and the first indices of chance and of answers: from the payoffs of a game in each column, and how often it
    counts in each set of games, a row for each set; NaN where payoffs do not vary."""
    import numpy as np

    y, c, a = np.split(rows, 3)
    parts = [y + c, y * y + c * c, y * c, y + a, y * y + a * a, y * a]
    means = [weights @ part.T / weights.sum(axis=1, keepdims=True) for part in parts]
    chance, answers = _index(*means[:3]).clip(0, 1), _index(*means[3:]).clip(0, 1)
    over = (chance + answers - 1).clip(0)  # they add up to 1 at most: what is certain stays as it is
    room = 2 - chance - answers
    part = np.where(room > 0, (1 - chance) / np.where(room > 0, room, 1), 0.5)
    chance, answers = chance - over * part, answers - over * (1 - part)
    return np.stack(((1 + chance - answers) / 2, chance, answers), axis=1).round(12).clip(0, 1)


def _index(both: Column, squares: Column, products: Column) -> Column:
    """The index of what two games have in common: their covariance over their variance, all seats together."""
    import numpy as np

    middle = (both / 2) ** 2
    variance = (squares / 2 - middle).sum(axis=1)
    shared = (products - middle).sum(axis=1)
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.where(variance > 1e-12, shared / variance, np.nan)
