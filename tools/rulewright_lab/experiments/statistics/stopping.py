"""The end of an experiment as soon as something is known: ``wins(seat 1) ± 1%``.

It is looked for that after fixed numbers of games, never after some time, so an experiment ends with the same game
wherever it is played. The intervals are confidence sequences, which hold the truth at all looks together.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from math import inf
from typing import TYPE_CHECKING

from rulewright.diagnostics import did_you_mean, listing
from rulewright.foundation import dataclass
from rulewright.ir import PAID
from rulewright_lab.agents.words import wrong
from rulewright_lab.experiments.arms import Arm
from rulewright_lab.experiments.columns.measures import SHARE, family
from rulewright_lab.experiments.columns.portion_columns import PortionColumns
from rulewright_lab.experiments.statistics.confidence_sequences import (
    Asymptotic,
    ConfidenceSequence,
    EmpiricalBernstein,
)
from rulewright_lab.experiments.statistics.paired_differences import LEVEL

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Column = NDArray[np.float64]

_WRITTEN = re.compile(r"\s*(?P<name>.+?)\s*(?:±|\+-|\+/-)\s*(?P<number>\d+(?:\.\d*)?|\.\d+)\s*(?P<percent>%?)\s*")
_FIRST, _GROWTH = 50, 20
"""Games between two looks at first; later it is one of so many parts of those that were played."""
_WIDE = 1000
"""Bounds that are so many times as far apart as the wanted half-width are of no use."""
_TENTH = 10
_SHARES = dict.fromkeys(("wins", "ties", "forced", "unfinished", "failed", "used"), (0.0, 1.0))
_SHARES["first_seat_advantage"] = -1.0, 1.0
"""Measures of every ruleset that lie between two bounds."""


@dataclass(frozen=True, slots=True)
class Aim:
    """A measure, or a family of them, to be known so well."""

    text: str
    name: str
    half_width: float
    percent: bool

    @staticmethod
    def read(text: str) -> Aim:
        """The aim that a text means."""
        found = _WRITTEN.fullmatch(text)
        if found is None:
            hint = 'write a measure and a half-width: "wins(seat 1) ± 1%", or "payoff(seat 1) +- 0.05"'
            raise wrong(f"`{text}` does not say what is to be known how well", hint)
        number = float(found["number"])
        if not number:
            raise wrong(f"`{text}`: nothing is ever known to ±0", "take a half-width above 0")
        percent = bool(found["percent"])
        name = found["name"]
        return Aim(f"{name} ± {found['number']}{'%' * percent}", name, number / 100 if percent else number, percent)


class Stopping:
    """Looks whether an aim is reached: by the mean of a single arm, else by the difference of each arm to the first."""

    def __init__(
        self, aim: Aim, arms: Sequence[Arm], units: Sequence[Mapping[str, str]], games: int, seed: int
    ) -> None:
        """`units` are those of the measures of each arm, of which there are so many `games` at most."""
        self.aim = aim
        self._seed, self._count = seed, [0] * len(arms)
        self._others = range(1, len(arms)) if len(arms) > 1 else range(1)
        first = units[0]
        names = [name for name in first if aim.name in (name, family(name))]
        names = [name for name in names if all(name in units[other] for other in self._others)]
        if not names:
            known = [name for name in first if all(name in units[other] for other in self._others)]
            hint = did_you_mean(aim.name, [*known, *map(family, known)]) or f"there are {listing(known, 30)}"
            raise wrong(f"`{aim.name}` is not measured in these arms, so it cannot be waited for", hint)
        if aim.percent and any(first[name] != SHARE for name in names):
            hint = f"its unit is {first[names[0]]}: give the half-width without %"
            raise wrong(f"`{aim.name}` is no share, so `{aim.text}` has no meaning", hint)
        self._names = names
        error = (1 - LEVEL) / (len(names) * len(self._others))
        self.sequences: dict[tuple[str, int], ConfidenceSequence] = {
            (name, other): self._sequence(
                name, first[name], [arms[0], arms[other]] if other else [arms[0]], games, error
            )
            for name in names
            for other in self._others
        }
        """For each measure and arm its interval: of its mean if there is one arm, else of its difference to the first
        arm."""
        self._new: list[dict[str, list[Column]]] = [{name: [] for name in names} for _ in arms]
        self._ends = {name: [inf, -inf] for name in names}
        self._border = self.border(seed)
        self.reached = False

    def _sequence(self, name: str, unit: str, arms: list[Arm], games: int, error: float) -> ConfidenceSequence:
        """The interval of an arm, or of the difference of two."""
        bounds = [_bounds(name, unit, arm) for arm in arms]
        half = self.aim.half_width
        known = [one for one in bounds if one is not None]
        if len(known) == len(bounds):
            low, high = known[0]
            if len(known) > 1:
                low, high = known[1][0] - known[0][1], known[1][1] - known[0][0]
            if high - low <= _WIDE * half:
                return EmpiricalBernstein(low, high, half, error)
        return Asymptotic(games // _TENTH, error)

    def border(self, seed: int) -> int:
        """The seed before which the next look behind the game of a seed is: no portion may go beyond."""
        games, here = seed - self._seed, 0
        while here <= games:
            here += max(_FIRST, here // _GROWTH)
        return self._seed + here

    def take(self, arm: int, portion: PortionColumns) -> bool:
        """Take in games of an arm, in the order of their seeds; True if by now everything is known."""
        for name, columns in self._new[arm].items():
            columns.append(portion.column(name))
        self._count[arm] += len(portion)
        if all(self._seed + count == self._border for count in self._count):
            self._look()
            self._border = self.border(self._border)
            self.reached = all(one.half_width <= self.aim.half_width for one in self.sequences.values())
        return self.reached

    def _look(self) -> None:
        import numpy as np

        for name in self._names:
            columns = [np.concatenate(new[name]) for new in self._new]
            low, high = self._ends[name]
            for values in columns:
                low, high = np.fmin.reduce(values, initial=low), np.fmax.reduce(values, initial=high)
            self._ends[name] = [float(low), float(high)]
            for other in self._others:
                values = columns[other] - columns[0] if other else columns[0]
                self.sequences[name, other].add(values[values == values], max(0.0, float(high - low)) if other else 0.0)
        for new in self._new:
            for waiting in new.values():
                waiting.clear()

    def data(self, rounded: Callable[[float], float]) -> dict[str, object]:
        """Contents as plain data."""
        return {
            "aim": self.aim.text,
            "half_width": self.aim.half_width,
            "reached": self.reached,
            "intervals": [
                {
                    "measure": name,
                    "arm": arm,
                    "games": one.games,
                    "interval": None if one.half_width == inf else [rounded(one.low), rounded(one.high)],
                    "method": one.method,
                }
                for (name, arm), one in self.sequences.items()
            ],
        }


def _bounds(name: str, unit: str, arm: Arm) -> tuple[float, float] | None:
    """The bounds of a measure, if they are known."""
    program, kind = arm.game.program, family(name)
    query = next((one for one in program.queries if one.name == kind), None)
    if query is not None:
        return (float(query.ty.low), float(query.ty.high)) if query.ty.kind == "int" else (0.0, 1.0)
    if unit == "payoff":
        return None if any(field.name == PAID for field in program.fields) else (-1.0, 1.0)
    return _SHARES.get(kind)
