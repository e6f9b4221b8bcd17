"""Results of an experiment: columns of values that grow game by game, and the report on them."""

from __future__ import annotations

from array import array
from collections import Counter
from collections.abc import Iterable, Iterator
from math import isnan, nan
from statistics import fmean, stdev

from rulewright.experiments.arms import Arm
from rulewright.experiments.game_rows import GameRow
from rulewright.experiments.measures import SHARE
from rulewright.experiments.paired_differences import LEVEL, Difference, difference, holm, mean_interval
from rulewright.foundation.lazy_dataclass import dataclass


class ArmResults:
    """The games of an arm so far."""

    def __init__(self, arm: Arm, units: dict[str, str]) -> None:
        self.arm = arm
        self.units = units
        self.columns = {name: array("d") for name in units}
        """For each measure its values in the order of the seeds; NaN where it says nothing."""
        self.games: Counter[str] = Counter()
        """The numbers of those that are finished, unfinished, failed."""
        self.endings: Counter[str] = Counter()
        self.used: Counter[int] = Counter()
        """In how many games each rule was used."""
        self.endless: int | None = None
        """The lowest seed of a game that was stopped."""
        self.failures: dict[str, tuple[int, int]] = {}
        """For each fault its number of games, and the lowest seed of one."""

    def add(self, rows: Iterable[GameRow]) -> None:
        """Take in games, in the order of their seeds."""
        for row in rows:
            self.games[row.status] += 1
            for column, value in zip(self.columns.values(), row.values, strict=True):
                column.append(nan if value is None else value)
            self.used.update(row.used)
            if row.status == "finished":
                self.endings[row.ending] += 1
            elif row.status == "unfinished":
                self.endless = row.seed if self.endless is None else min(self.endless, row.seed)
            else:
                times, seed = self.failures.get(row.why, (0, row.seed))
                self.failures[row.why] = times + 1, min(seed, row.seed)

    @property
    def played(self) -> int:
        """The number of games."""
        return sum(self.games.values())

    @property
    def never_used(self) -> list[str]:
        """The rules that no game has used, although the parameters allow it."""
        idle = set(self.arm.game.idle_rules)
        names = enumerate(self.arm.game.rule_names)
        return [name for number, name in names if not self.used[number] and name not in idle]

    def known(self, name: str) -> list[float]:
        """The values of a measure where there are any."""
        return [value for value in self.columns[name] if not isnan(value)]

    def data(self) -> dict[str, object]:
        """It as plain data."""
        names = self.arm.game.rule_names
        return {
            **self.arm.data(),
            "games": self.played,
            "finished": self.games["finished"],
            "unfinished": {"games": self.games["unfinished"], "seed": self.endless},
            "failures": [
                {"why": why, "games": times, "seed": seed} for why, (times, seed) in sorted(self.failures.items())
            ],
            "endings": [{"rule": rule, "games": n} for rule, n in sorted(self.endings.items(), key=_often)],
            "rules_used": [{"rule": name, "games": self.used[n]} for n, name in enumerate(names) if self.used[n]],
            "never_used": self.never_used,
            "cannot_be_used": list(self.arm.game.idle_rules),
        }


def _often(item: tuple[str, int]) -> tuple[int, str]:
    return -item[1], item[0]


@dataclass(frozen=True, slots=True)
class Compared:
    """A measure of an arm against that of the first."""

    measure: str
    unit: str
    arm: int
    found: Difference
    adjusted: float
    """The chance of such a difference between arms that are alike, corrected for all comparisons."""

    @property
    def certain(self) -> bool:
        """True if it is no chance, whatever else was compared."""
        return self.adjusted < 1 - LEVEL

    @property
    def weight(self) -> tuple[bool, float]:
        """The size of the effect, to find what differs most: where nothing else varies it is the largest."""
        effect = self.found.effect
        return self.certain, float("inf") if effect is None else abs(effect)


class Results:
    """The arms of an experiment with their games."""

    def __init__(self, arms: Iterable[ArmResults], seed: int) -> None:
        self.arms = tuple(arms)
        self.seed = seed

    @property
    def measures(self) -> dict[str, str]:
        """All measures with their units, those of the first arm first."""
        found: dict[str, str] = {}
        for one in self.arms:
            found |= {name: unit for name, unit in one.units.items() if name not in found}
        return found

    def compared(self) -> list[Compared]:
        """Every measure of every arm against the first, where both have it in two games of equal seeds or more."""
        found = list(self._differences())
        adjusted = holm([one.chance for _, _, _, one in found])
        return [Compared(*one, chance) for one, chance in zip(found, adjusted, strict=True)]

    def _differences(self) -> Iterator[tuple[str, str, int, Difference]]:
        first = self.arms[0]
        for name, unit in first.units.items():
            for number, other in enumerate(self.arms[1:], 1):
                if name not in other.units:
                    continue
                both = zip(first.columns[name], other.columns[name], strict=False)
                pairs = [(x, y) for x, y in both if not isnan(x) and not isnan(y)]
                if len(pairs) > 1:
                    xs, ys = zip(*pairs, strict=True)
                    yield name, unit, number, difference(xs, ys, unit == SHARE, self.seed)

    def data(self, complete: bool = True) -> dict[str, object]:
        """The report as plain data."""
        return {
            "seed": self.seed,
            "complete": complete,
            "level": LEVEL,
            "arms": [one.data() for one in self.arms],
            "measures": [
                {"measure": name, "unit": unit, "arms": [self._values(number, name) for number in self._having(name)]}
                for name, unit in self.measures.items()
            ],
            "differences": [_compared_data(one) for one in self.compared()],
        }

    def _having(self, name: str) -> list[int]:
        return [number for number, one in enumerate(self.arms) if name in one.units]

    def _values(self, number: int, name: str) -> dict[str, object]:
        found = self.arms[number].known(name)
        if not found:
            return {"arm": number, "games": 0}
        summary = Summary.of(found, self.arms[number].units[name] == SHARE)
        return {
            "arm": number,
            "games": len(found),
            "mean": rounded(summary.mean),
            "spread": rounded(summary.spread),
            "interval": [rounded(summary.low), rounded(summary.high)],
            "least": rounded(min(found)),
            "most": rounded(max(found)),
        }


@dataclass(frozen=True, slots=True)
class Summary:
    """The mean of a measure, with its interval and the spread of single games."""

    mean: float
    spread: float
    low: float
    high: float

    @staticmethod
    def of(values: list[float], share: bool = False) -> Summary:
        """From the values of all games, of which there is one at least."""
        spread = stdev(values) if len(values) > 1 else 0.0
        return Summary(fmean(values), spread, *mean_interval(values, share))


def _compared_data(one: Compared) -> dict[str, object]:
    found = one.found
    return {
        "measure": one.measure,
        "arm": one.arm,
        "pairs": found.pairs,
        "difference": rounded(found.mean),
        "interval": [rounded(found.low), rounded(found.high)],
        "effect": {"kind": found.kind, "size": None if found.effect is None else rounded(found.effect)},
        "certain": one.certain,
        "adjusted_p": rounded(one.adjusted),
        "method": found.method,
        "variance_ratio": None if found.variance_ratio is None else rounded(found.variance_ratio),
    }


def rounded(number: float) -> float:
    """A number as reports have it: six digits, so that the last bits of a machine do not show."""
    return float(f"{number:.6g}") + 0.0
