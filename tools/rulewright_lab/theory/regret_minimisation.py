"""Counterfactual regret minimisation over a sequence form, and how far what it finds is from an equilibrium.

CFR: M. Zinkevich, M. Johanson, M. Bowling, C. Piccione, *Regret minimization in games with incomplete information*,
NIPS 2007. CFR+: O. Tammelin, *Solving large imperfect information games using CFR+*, 2014, here with averages that
weigh iterations by their squares. The value is proved by best responses: an average strategy gives its seat what is
left of it against the best that the other one can do, whatever has led to it.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import inf

from rulewright_lab.theory.sequence_form import InformationSet, SequenceForm


class RegretMinimisation:
    """Regrets and average strategies of both seats."""

    def __init__(self, form: SequenceForm, plus: bool = True) -> None:
        """Of CFR+, or else of plain CFR."""
        self.form, self._plus = form, plus
        self._entries = form.entries, [(theirs, mine, -value) for mine, theirs, value in form.entries]
        """For each seat its sequence, that of the other one, and its payoff; the second counts what the first loses."""
        self._regrets = tuple([0.0] * count for count in form.sequences)
        self._sums = tuple([0.0] * count for count in form.sequences)
        self._plans = self.averages()
        self.iterations = 0

    def iterate(self) -> None:
        """One iteration: each seat in turn meets the strategy of the other."""
        self.iterations += 1
        weight = float(self.iterations**2) if self._plus else 1.0
        for seat in (0, 1):
            self._minimise(seat)
            sums = self._sums[seat]
            for sequence, often in enumerate(self._plans[seat]):
                sums[sequence] += weight * often

    def _minimise(self, seat: int) -> None:
        """Take in the regrets of a seat, from its last decisions to its first, and plan by them."""
        values, regrets, plan = self._against(seat, self._plans[1 - seat]), self._regrets[seat], self._plans[seat]
        least, sets = 0.0 if self._plus else -inf, self.form.sets[seat]
        for one in reversed(sets):
            behind = one.sequences
            gained = [max(0.0, regrets[at]) for at in behind]
            total = sum(gained)
            if total > 0:
                mean = sum([often * values[at] for often, at in zip(gained, behind, strict=True)]) / total
            else:
                mean = sum([values[at] for at in behind]) / one.size
            for at in behind:
                regrets[at] = max(least, regrets[at] + values[at] - mean)
            values[one.parent] += mean
        for one in sets:
            _share(plan, one, [max(0.0, regret) for regret in regrets[one.first : one.first + one.size]])

    def averages(self) -> tuple[list[float], list[float]]:
        """The average strategy of each seat, as weights of its sequences."""
        found = [1.0] * self.form.sequences[0], [1.0] * self.form.sequences[1]
        for plan, sums, sets in zip(found, self._sums, self.form.sets, strict=True):
            for one in sets:
                _share(plan, one, sums[one.first : one.first + one.size])
        return found

    def bounds(self) -> tuple[float, float]:
        """The worth of the game to the first seat, at least and at most, by best responses to the average
        strategies."""
        first, second = self.averages()
        return -self._best_response(1, first), self._best_response(0, second)

    def _best_response(self, seat: int, plan: Sequence[float]) -> float:
        values = self._against(seat, plan)
        for one in reversed(self.form.sets[seat]):
            values[one.parent] += max(values[one.first : one.first + one.size])
        return values[0]

    def _against(self, seat: int, plan: Sequence[float]) -> list[float]:
        """The worth of the ends behind each sequence of a seat against a plan of the other one."""
        values = [0.0] * self.form.sequences[seat]
        for mine, theirs, value in self._entries[seat]:
            values[mine] += value * plan[theirs]
        return values


def _share(plan: list[float], one: InformationSet, weights: Sequence[float]) -> None:
    """Share the weight of an information set among its options; evenly, if these have none."""
    here, total = plan[one.parent], sum(weights)
    for option, weight in enumerate(weights):
        plan[one.first + option] = here * (weight / total) if total > 0 else here / one.size
