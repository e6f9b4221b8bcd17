"""The fuzzer finds nothing in the shipped rulesets: with every number of players, variant and option.

How far it comes in its seconds depends on the machine; that it finds nothing does not.
"""

from __future__ import annotations

import pytest

import rulewright as rw
from rulewright.fuzzing import FuzzOptions
from sampling import sample


@pytest.mark.parametrize("name", [ruleset.name for ruleset in rw.rulesets.shipped_rulesets()])
def test_nothing_is_found(name: str) -> None:
    report = rw.fuzzing.fuzz(name, FuzzOptions(time=sample(3, 120), everything=True, keep_going=True))
    assert [story.trouble.told for story in report.stories] == []
