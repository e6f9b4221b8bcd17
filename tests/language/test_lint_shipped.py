"""The shipped games are played and proved: what the checker says of them is a false alarm, or should be mended."""

from __future__ import annotations

from pathlib import Path

import pytest

import rulewright as rw
from rulewright.foundation.resources import share

SHIPPED = rw.rulesets.find_rulesets(share("rulesets"))


def test_there_are_games() -> None:
    assert len(SHIPPED) > 3


@pytest.mark.long
@pytest.mark.parametrize("folder", SHIPPED, ids=lambda folder: folder.name)
def test_no_false_alarm(folder: Path) -> None:
    told = [f"{d.span.file}:{d.span.line}: {d.code} {d.message}" for d in rw.check(rw.open_ruleset(folder))]
    assert told == []
