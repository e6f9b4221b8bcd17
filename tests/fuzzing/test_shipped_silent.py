"""The fuzzer finds nothing in the shipped rulesets: with every number of players, variant and option.

Its seconds are counted by a clock that each look moves on, so that the same games are played on every machine.
"""

from __future__ import annotations

from itertools import count

import pytest

import rulewright as rw
from rulewright.findings.fuzzing import FuzzOptions
from rulewright.findings.fuzzing.fuzzer import Run
from sampling import sample


@pytest.mark.parametrize("name", [ruleset.name for ruleset in rw.rulesets.shipped_rulesets()])
def test_nothing_is_found(name: str) -> None:
    looks = count()
    options = FuzzOptions(time=sample(3, 120), everything=True, keep_going=True)
    report = Run(name, options, now=lambda: next(looks) / 1_000).run()
    assert report.decisions > 0
    assert [story.trouble.told for story in report.stories] == []
