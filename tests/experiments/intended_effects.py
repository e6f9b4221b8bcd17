"""Variants that were written for one effect each, and what reports on them say first."""

from __future__ import annotations

import re
from pathlib import Path
from typing import NamedTuple

import rulewright_lab as lab
from rulewright_lab.experiments.columns.measures import family

VARIANTS = Path(__file__).parent / "variants"
GAMES = 200
_EXPECTED = re.compile(r"^# expected: (.+)$", re.MULTILINE)


class Effect(NamedTuple):
    """A measure that is to be higher or lower; without a seat that of any seat."""

    measure: str
    way: str

    def is_told_by(self, measure: str, difference: float) -> bool:
        """True if a difference of a measure is this effect."""
        return self.measure in (measure, family(measure)) and (difference > 0) is (self.way == "higher")


class Intended(NamedTuple):
    """A variant, with the effects one of which its author wants to see named first."""

    file: Path
    effects: tuple[Effect, ...]

    @property
    def ruleset(self) -> str:
        return self.file.parent.name


class Told(NamedTuple):
    """The first words of a report on a variant: the measure, the sentence, and whether that is what was intended."""

    measure: str
    sentence: str
    right: bool


def intended() -> list[Intended]:
    """All variants, in the order of their names."""
    found = []
    for file in sorted(VARIANTS.glob("*/*.rules")):
        (expected,) = _EXPECTED.findall(file.read_text("utf-8"))
        effects = (one.rpartition(" ") for one in expected.split(" or "))
        found.append(Intended(file, tuple(Effect(measure, way) for measure, _, way in effects)))
    return found


def told_of(one: Intended, games: int = GAMES, seed: int = 0) -> Told:
    """Play a variant against its ruleset, and read the first sentence of the report."""
    from rulewright_tools.reports import experiment_text
    from rulewright_tools.reports.names_for_people import PeopleNames

    arms = lab.experiments.read_arms((one.ruleset, str(one.file)))
    experiment = lab.experiments.Experiment(arms, games, seed)
    results = experiment.begin()
    experiment.run(results)
    compared = results.compared()
    sentence = next(iter(experiment_text.sentences(results, compared)))
    first = next(iter(lab.experiments.most_important_first(compared)), None)
    if first is None:
        return Told("", sentence, False)
    assert PeopleNames(results.arms[0].arm.game).measure(first.measure) in sentence
    right = any(effect.is_told_by(first.measure, first.found.mean) for effect in one.effects)
    return Told(first.measure, sentence, right)
