"""The shipped games are played and proved: what the linter says of their values, flow and choices is a false alarm."""

from __future__ import annotations

import pytest

import rulewright as rw
from rulewright.lint import bounds, chance, choices, conditions, flow, pieces, printed, reactions, types
from rulewright.resources import share

TOPICS = (types, conditions, flow, choices, chance, pieces, reactions, bounds, printed)
CODES = {rule.code for topic in TOPICS for rule in topic.RULES}
SHIPPED = sorted(path.parent.name for path in share("rulesets").glob("*/ruleset.json"))


def test_there_are_games_and_rules() -> None:
    assert len(SHIPPED) > 3
    assert len(CODES) > 30


@pytest.mark.parametrize("name", SHIPPED)
def test_no_false_alarm(name: str) -> None:
    told = [f"{d.span.file}:{d.span.line}: {d.code} {d.message}" for d in rw.check(rw.open_ruleset(name))]
    assert [line for line in told if any(f" {code} " in line for code in CODES)] == []
