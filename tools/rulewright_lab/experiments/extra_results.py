"""Results beside the measures of games: curves, estimates from many games together, and answers."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from rulewright.foundation import dataclass
from rulewright_lab.experiments.columns.portion_columns import PortionColumns
from rulewright_lab.experiments.estimates.estimator import Estimate, EstimatorColumns, differences, estimates
from rulewright_lab.experiments.observers.answers import AnswerShare, AnswerStatistics
from rulewright_lab.experiments.observers.curves import CurveStatistics, Point
from rulewright_lab.experiments.playing.extra_columns import ExtraColumns
from rulewright_lab.experiments.statistics.paired_differences import LEVEL, holm, rounded


@dataclass(frozen=True, slots=True)
class EstimateDifference:
    """An estimate of an arm less that of the first."""

    name: str
    unit: str
    arm: int
    found: Estimate
    adjusted: float
    """The chance of such a difference between arms that are alike, corrected for all comparisons of estimates."""

    @property
    def certain(self) -> bool:
        """True if it is no chance."""
        return self.adjusted < 1 - LEVEL


class ExtraResults:
    """All that was requested besides measures, of all arms."""

    def __init__(self, arms: Sequence[ExtraColumns], seed: int) -> None:
        self._seed = seed
        self.series = tuple(dict.fromkeys(name for arm in arms for name in arm.series))
        """The names of the curves."""
        self.curves = CurveStatistics(len(arms), self.series)
        self._estimators = [[EstimatorColumns(one) for one in arm.estimators] for arm in arms]
        self.counts_answers = any(arm.counts_answers for arm in arms)
        self._answers = [AnswerStatistics() for _ in arms] if self.counts_answers else []

    def add(self, arm: int, portion: PortionColumns) -> None:
        """Take in games of an arm, in the order of their seeds."""
        if self.series:
            self.curves.add(arm, portion)
        for one in self._estimators[arm]:
            one.add(portion)
        if self._answers:
            self._answers[arm].add(portion)

    @property
    def units(self) -> dict[str, str]:
        """The estimates by name, each with its unit."""
        return {name: unit for arm in self._estimators for one in arm for name, unit in one.estimator.units.items()}

    def estimates(self, arm: int) -> dict[str, Estimate]:
        """Estimates of an arm, as far as any can be made."""
        found: dict[str, Estimate] = {}
        for one in self._estimators[arm]:
            found |= estimates(one, self._seed)
        return found

    def differences(self) -> list[EstimateDifference]:
        """Every estimate of every arm against the first."""
        units, found = self.units, list[tuple[str, int, Estimate]]()
        for arm, columns in enumerate(self._estimators[1:], 1):
            for first in self._estimators[0]:
                other = next((one for one in columns if one.estimator.units == first.estimator.units), None)
                if other is not None:
                    found += [(name, arm, one) for name, one in differences(first, other, self._seed).items()]
        adjusted = holm([one.chance for _, _, one in found])
        return [
            EstimateDifference(name, units[name], arm, one, chance)
            for (name, arm, one), chance in zip(found, adjusted, strict=True)
        ]

    def answer_shares(self, arm: int) -> list[AnswerShare]:
        """The options of an arm, if they are counted."""
        return self._answers[arm].shares() if self._answers else []

    def data(self) -> dict[str, object]:
        """Results as plain data: only those that were wanted."""
        found: dict[str, object] = {}
        arms = range(len(self._estimators))
        if self.series:
            found["curves"] = [self._curve(name) for name in self.series]
        if units := self.units:
            each = [self.estimates(arm) for arm in arms]
            found["estimates"] = [
                {
                    "estimate": name,
                    "unit": unit,
                    "arms": [{"arm": arm, **_estimate(one[name])} for arm, one in enumerate(each) if name in one],
                }
                for name, unit in units.items()
            ]
            found["estimate_differences"] = [
                {
                    "estimate": one.name,
                    "arm": one.arm,
                    **_estimate(one.found, "difference"),
                    "certain": one.certain,
                    "adjusted_p": rounded(one.adjusted),
                }
                for one in self.differences()
            ]
        if self._answers:
            found["answers"] = [
                {"arm": arm, "options": [_answer(one) for one in self.answer_shares(arm)]} for arm in arms
            ]
        return found

    def _curve(self, name: str) -> dict[str, object]:
        arms = range(len(self._estimators))
        apart = [(arm, self.curves.differences(arm, name)) for arm in arms[1:]]
        return {
            "curve": name,
            "arms": [{"arm": arm, "points": _points(self.curves.points(arm, name))} for arm in arms],
            "differences": [{"arm": arm, "points": _points(points)} for arm, points in apart if points],
        }


def _points(points: Mapping[int, Point]) -> list[dict[str, object]]:
    return [
        {"index": index, "games": one.games, "mean": rounded(one.mean), "interval": _ends(one.low, one.high)}
        for index, one in points.items()
    ]


def _estimate(one: Estimate, name: str = "value") -> dict[str, object]:
    return {"games": one.games, name: rounded(one.value), "interval": _ends(one.low, one.high)}


def _answer(one: AnswerShare) -> dict[str, object]:
    return {
        "question": one.question,
        "option": one.option,
        "games": one.games,
        "offered": one.offered,
        "taken": one.taken,
        "share": rounded(one.share),
        "interval": _ends(one.low, one.high),
    }


def _ends(low: float | None, high: float | None) -> list[float] | None:
    return None if low is None or high is None else [rounded(low), rounded(high)]
