"""Targets: a measure and the mean that it is to have, as an aim names them."""

from __future__ import annotations

import re
from math import inf

from rulewright.diagnostics import listing
from rulewright.foundation import dataclass
from rulewright_lab.agents.words import wrong
from rulewright_lab.experiments.arms import Arm
from rulewright_lab.experiments.columns.measures import SHARE, MeasureReader
from rulewright_lab.experiments.columns.wanted import Wanted

_AIM = re.compile(r"\s*(.+?)\s*=\s*(-?\d+(?:\.\d+)?)\s*(%?)\s*")


@dataclass(frozen=True, slots=True)
class Target:
    """A measure, and the mean that it is to have."""

    measure: str
    value: float

    @staticmethod
    def read(text: str, arm: Arm) -> Target:
        """From words as ``wins(seat 1) = 50%``; RulesetError if the arm has no such measure."""
        found = _AIM.fullmatch(text)
        if found is None:
            raise wrong(f"`{text}` is no aim", "write MEASURE = VALUE, as in wins(seat 1) = 50% or decisions = 80")
        return Target.of(found[1], float(found[2]) / (100 if found[3] else 1), arm, bool(found[3]))

    @staticmethod
    def of(measure: str, value: float, arm: Arm, percent: bool = False) -> Target:
        """An aim that is checked."""
        reader = MeasureReader(arm, Wanted.read((measure,)))
        if measure not in reader.units:
            reader = MeasureReader(arm)
            reader.require(measure)
            ours = [name for name in reader.units if name.startswith(f"{measure}(")]
            raise wrong(f"`{measure}` stands for several measures", f"name one: {listing(ours, 30)}")
        share = reader.units[measure] == SHARE
        if percent and not share:
            raise wrong(f"`{measure}` is no share, so it has no per cents", f"write {measure} = {value * 100:g}")
        least = -1.0 if measure == "first_seat_advantage" else 0.0
        if share and not least <= value <= 1:
            raise wrong(f"a share such as `{measure}` lies between {least:g} and 1", f"write {measure} = 50%")
        return Target(measure, value)

    def away(self, mean: float | None) -> float:
        """The distance of a mean; the largest if there is none."""
        return inf if mean is None else abs(mean - self.value)
