"""Clauses of a variant that none of its scenarios guards are told, those that one guards are not."""

from __future__ import annotations

from pathlib import Path

import rulewright as rw

from .test_slips import bazaar

__all__ = ["bazaar"]

RULES = """\
variant "Tried" of bazaar
    in turn.buy
        forbid no_votes: votes[p] >= 5
"""
FAR = """
scenario "far above"
    variant "Tried"
    players anna, bert
    given votes[anna] = 9
    start turn(anna)
    refused anna: buy because turn.no_votes
"""
EDGE = """
scenario "just above"
    variant "Tried"
    players anna, bert
    given votes[anna] = 5
    start turn(anna)
    refused anna: buy because turn.no_votes

scenario "just enough"
    variant "Tried"
    players anna, bert
    given votes[anna] = 4
    start turn(anna)
    when anna: buy
    then votes[anna] is 5
"""


def said(bazaar: Path, scenarios: str, seconds: float | None = None) -> rw.examination.Examination:
    file = bazaar.parent / "tried.rules"
    file.write_text(RULES + scenarios)
    return rw.examination.examine(file, players=2, games=1, seconds=seconds)


def unguarded(found: rw.examination.Examination) -> list[rw.examination.Finding]:
    return [one for one in found.findings if one.code == "EXM301"]


def test_a_limit_that_no_scenario_comes_near_is_told_once(bazaar: Path) -> None:
    [found] = unguarded(said(bazaar, FAR))
    assert found.level is rw.examination.Level.NOTABLE
    assert found.span.line == 3
    assert "votes[p] >= 5" in found.message
    assert said(bazaar, FAR).passed


def test_a_limit_that_scenarios_try_on_both_sides_is_not(bazaar: Path) -> None:
    assert unguarded(said(bazaar, EDGE)) == []


def test_nothing_is_said_of_a_variant_without_scenarios_or_with_one_that_fails(bazaar: Path) -> None:
    assert unguarded(said(bazaar, "")) == []
    assert unguarded(said(bazaar, FAR.replace("= 9", "= 1"))) == []


def test_changes_that_had_no_time_are_mentioned(bazaar: Path) -> None:
    found = said(bazaar, FAR, seconds=0.000001)
    assert unguarded(found) == []
    assert "clauses that no scenario guards" in found.ended_early
