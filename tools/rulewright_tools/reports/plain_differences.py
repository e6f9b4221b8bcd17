"""A difference of two versions in plain words: how much there is instead of how much, and what would have been seen."""

from __future__ import annotations

from dataclasses import dataclass

import rulewright_lab as lab

LENGTH = " a game"
"""The end of the name of a measure of the length of games."""


@dataclass(frozen=True, slots=True)
class Row:
    """A measure, or an estimate, of both versions."""

    name: str
    """As people say it."""
    unit: str
    first: float
    other: float
    low: float
    high: float
    sure: bool
    statistics: str = ""
    """The statistician's words."""

    @property
    def apart(self) -> float:
        """By how much the second has more."""
        return self.other - self.first

    @property
    def seen(self) -> float:
        """The smallest difference that these games would have shown."""
        return lab.experiments.detectable(self.low, self.high)

    @property
    def claim(self) -> str:
        """``the first player wins 57 of 100 games instead of 45``, ``games are 3 turns longer: 12 instead of 9``."""
        other, first = self.value(self.other), self.value(self.first)
        if self.name.endswith(LENGTH):
            more = f"{self.value(abs(self.apart))} {self.name.removesuffix(LENGTH)}"
            return f"games are {more} {'longer' if self.apart > 0 else 'shorter'}: {other} instead of {first}"
        if self.name.endswith(" wins"):
            return f"{self.name} {other} games instead of {first}"
        return f"{self.name}: {other} instead of {first}"

    @property
    def unseen(self) -> str:
        """The measure, and what of it would have been seen."""
        if self.in_vain:
            return f"{self.name} (so few games cannot show any difference)"
        return f"{self.name} (a difference of {self.value(self.seen)} would have been seen)"

    @property
    def in_vain(self) -> bool:
        """True if no share can differ by as much as would have been seen."""
        return self.unit == "share" and self.seen >= 1

    def value(self, value: float) -> str:
        """An amount of it."""
        if self.unit == "share":
            return f"{_round(100 * value)} of 100"
        digits = ".0f" if abs(value) >= 20 else ".1f" if abs(value) >= 1 else ".2g"
        return f"{value:{digits}}"


def _round(number: float) -> str:
    return f"{number:.0f}" if number >= 1 or number == 0 else f"{number:.1f}"
