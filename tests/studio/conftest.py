"""Tests of the studio know no clock by which opponents are measured."""

from itertools import count

import pytest

from rulewright_tools.studio.host.play.strength import Strengths


@pytest.fixture(autouse=True)
def _slow_machine(monkeypatch: pytest.MonkeyPatch) -> None:
    """A search takes a second each time the clock is looked at: a strength is as many simulations as seconds."""
    seconds = map(float, count())
    monkeypatch.setattr(Strengths, "clock", lambda self: next(seconds))
