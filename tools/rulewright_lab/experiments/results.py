"""Results of an experiment: statistics of games that are taken in portion by portion, and the report on them.

Whatever the portions are, the results are those of the games in the order of their seeds, and they take no more memory
for a million games than for a thousand.
"""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Hashable, Iterable
from typing import TYPE_CHECKING, Any

from rulewright.foundation import dataclass, table
from rulewright_lab.experiments.arms import Arm
from rulewright_lab.experiments.columns.measures import SHARE
from rulewright_lab.experiments.columns.portion_columns import PortionColumns
from rulewright_lab.experiments.extra_results import ExtraResults
from rulewright_lab.experiments.statistics.column_statistics import (
    BLOCK,
    ColumnStatistics,
    PairStatistics,
    SeveralPairs,
    SeveralStatistics,
)
from rulewright_lab.experiments.statistics.paired_differences import (
    LEVEL,
    Difference,
    difference,
    holm,
    independent_difference,
    mean_interval,
    rounded,
)
from rulewright_lab.experiments.statistics.stopping import Stopping

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Column = NDArray[np.float64]


class ArmResults:
    """The games of an arm so far."""

    def __init__(self, arm: Arm, units: dict[str, str]) -> None:
        import numpy as np

        self.arm = arm
        self.units = units
        self.games: Counter[str] = Counter()
        """The numbers of those that are finished, unfinished, failed."""
        self.endings: Counter[str] = Counter()
        self.used: Counter[int] = Counter()
        """In how many games each rule was used."""
        self.endless: int | None = None
        """The lowest seed of a game that was stopped."""
        self.failures: dict[str, tuple[int, int]] = {}
        """For each fault its number of games, and the lowest seed of one."""
        self.rest: Column = np.zeros((len(units), 0))
        """The last games, which are no whole block yet, a row for each measure."""
        self._whole = SeveralStatistics(tuple(units))
        self._known: dict[str, ColumnStatistics] | None = None

    def add(self, portion: PortionColumns) -> list[Column]:
        """Take in games, in the order of their seeds; gives the blocks that are whole now."""
        import numpy as np

        names = self.arm.game.rule_names
        for status, games in zip(("finished", "unfinished", "failed"), portion.games, strict=True):
            self.games[status] += games
        self.endings.update({names[rule]: games for rule, games in portion.endings.items()})
        self.used.update(portion.used)
        if portion.endless is not None:
            self.endless = portion.endless if self.endless is None else min(self.endless, portion.endless)
        for why, (times, seed) in portion.failures.items():
            before, first = self.failures.get(why, (0, seed))
            self.failures[why] = before + times, min(seed, first)
        columns = [portion.column(name) for name in self.units]
        found = np.hstack((self.rest, np.stack(columns) if columns else np.zeros((0, len(portion)))))
        ends = range(BLOCK, found.shape[1] + 1, BLOCK)
        blocks = [found[:, end - BLOCK : end] for end in ends]
        self.rest = found[:, len(blocks) * BLOCK :].copy()
        for block in blocks:
            self._whole.add(block)
        self._known = None
        return blocks

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

    @property
    def statistics(self) -> dict[str, ColumnStatistics]:
        """Statistics of each measure that has a value in some game."""
        if self._known is None:
            whole = self._whole.copy() if self.rest.size else self._whole
            if self.rest.size:
                whole.add(self.rest)
            self._known = whole.each()
        return self._known

    def mean(self, name: str) -> float | None:
        """The mean of a measure; None if it is undefined in all games, or the arm does not have it."""
        found = self.statistics.get(name)
        return None if found is None else found.mean

    def data(self) -> dict[str, object]:
        """Contents as plain data."""
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


class _Pairing:
    """The games of an arm beside those of the first, whichever come sooner."""

    def __init__(self, first: ArmResults, other: ArmResults) -> None:
        self._arms = first, other
        self.names = tuple(name for name in first.units if name in other.units)
        self._rows = [[list(one.units).index(name) for name in self.names] for one in self._arms]
        self._waiting: tuple[deque[Column], deque[Column]] = deque(), deque()
        self._whole = SeveralPairs(self.names)

    def add(self, which: int, block: Column) -> None:
        """Take in a block of the first arm (0) or of the other one (1)."""
        self._waiting[which].append(block[self._rows[which]])
        while all(self._waiting):
            self._whole.add(self._waiting[0].popleft(), self._waiting[1].popleft())

    def pairs(self) -> dict[str, PairStatistics]:
        """The statistics of all pairs so far."""
        import numpy as np

        found = self._whole.copy()
        left = [
            np.hstack((*waiting, one.rest[rows]))
            for waiting, one, rows in zip(self._waiting, self._arms, self._rows, strict=True)
        ]
        games = min(one.shape[1] for one in left)
        for begin in range(0, games, BLOCK):
            end = min(begin + BLOCK, games)
            found.add(left[0][:, begin:end], left[1][:, begin:end])
        return found.each()


class Results:
    """The arms of an experiment with their games."""

    def __init__(
        self, arms: Iterable[ArmResults], seed: int, extra: ExtraResults, stopping: Stopping | None = None
    ) -> None:
        self.arms = tuple(arms)
        self.seed = seed
        self.extra = extra
        """Curves, estimates and answers, if requested."""
        self.stopping = stopping
        """The look whether what is wanted is known, if that ends it."""
        self._pairings = [_Pairing(self.arms[0], other) for other in self.arms[1:]]

    def add(self, arm: int, portion: PortionColumns) -> None:
        """Take in games of an arm, in the order of their seeds."""
        self.extra.add(arm, portion)
        for block in self.arms[arm].add(portion):
            for number, pairing in enumerate(self._pairings, 1):
                if arm in (0, number) and not self.arms[number].arm.recorded:
                    pairing.add(int(arm > 0), block)

    @property
    def measures(self) -> dict[str, str]:
        """All measures with their units, those of the first arm first."""
        found: dict[str, str] = {}
        for one in self.arms:
            found |= {name: unit for name, unit in one.units.items() if name not in found}
        return found

    def pairs(self, arm: int) -> dict[str, PairStatistics]:
        """The measures of an arm beside those of the first, in games of equal seeds."""
        return self._pairings[arm - 1].pairs()

    def compared(self) -> list[Compared]:
        """Every measure of every arm against the first, where both have it in two games of equal seeds or more; that of
        games that were played before in any two games.

        Measures that are equivalent, such as what both players of two win, are corrected for as one; those of which no
        pair differs as none."""
        found, same = list[tuple[str, str, int, Difference]](), list[Hashable]()
        paired = range(1, sum(not one.arm.recorded for one in self.arms))
        pairs = [self.pairs(number) for number in paired]
        for name, unit in self.arms[0].units.items():
            for number in range(paired.stop, len(self.arms)):
                one, other = (arm.statistics.get(name) for arm in (self.arms[0], self.arms[number]))
                if one is not None and other is not None and min(one.count, other.count) > 1:
                    found.append((name, unit, number, independent_difference(one, other, unit == SHARE)))
                    same.append((number, name))
            for number, of in enumerate(pairs, 1):
                if name in of and of[name].count > 1:
                    found.append((name, unit, number, difference(of[name], unit == SHARE)))
                    same.append((number, of[name].shape) if of[name].differ else None)
        adjusted = holm([one.chance for _, _, _, one in found], same)
        return [Compared(*one, chance) for one, chance in zip(found, adjusted, strict=True)]

    def data(self, complete: bool = True) -> dict[str, object]:
        """The report as plain data."""
        return {
            "seed": self.seed,
            "complete": complete,
            "level": LEVEL,
            **({} if self.stopping is None else {"until": self.stopping.data(rounded)}),
            "arms": [one.data() for one in self.arms],
            "measures": [
                {"measure": name, "unit": unit, "arms": [self._values(number, name) for number in self._having(name)]}
                for name, unit in self.measures.items()
            ],
            "differences": [_compared_data(one) for one in self.compared()],
            **self.extra.data(),
        }

    def _repr_html_(self) -> str:
        apart = {(one.measure, one.arm): one for one in self.compared()}
        rows = []
        for name, unit in self.measures.items():
            for number in self._having(name):
                found, other = self._values(number, name), apart.get((name, number))
                change = None if other is None else f"{other.found.mean:+.4g}{' *' if other.certain else ''}"
                interval: Any = found.get("interval")
                interval_text = f"{interval[0]:.4g} to {interval[1]:.4g}" if interval else None
                rows.append(
                    (name, unit, self.arms[number].arm.name, found["games"], found.get("mean"), interval_text, change)
                )
        head = ("Measure", "Unit", "Arm", "Games", "Mean", "95 %", "Difference")
        return table(head, rows, "* is no chance, however many are compared")

    def _having(self, name: str) -> list[int]:
        return [number for number, one in enumerate(self.arms) if name in one.units]

    def _values(self, number: int, name: str) -> dict[str, object]:
        one = self.arms[number]
        found = one.statistics.get(name)
        if found is None:
            return {"arm": number, "games": 0}
        low, high = mean_interval(found, one.units[name] == SHARE)
        return {
            "arm": number,
            "games": found.count,
            "mean": rounded(found.mean),
            "spread": rounded(found.spread),
            "interval": [rounded(low), rounded(high)],
            "least": rounded(found.least),
            "most": rounded(found.most),
        }


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
