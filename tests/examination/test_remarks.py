"""Remarks of the checker about a change are told with the findings of its examination."""

from __future__ import annotations

from pathlib import Path

import pytest

import rulewright as rw

from .test_slips import bazaar as bazaar

LEVEL = rw.examination.Level


def _examined(bazaar: Path, clauses: str, checked: bool = True) -> list[tuple[str, LEVEL]]:
    file = bazaar.parent / "tried.rules"
    lines = [f"    {line}" for line in clauses.strip().splitlines()]
    file.write_text("\n".join(['variant "Tried" of bazaar', *lines]) + "\n")
    found = rw.examination.examine(file, games=0, checked=checked)
    assert found.passed is (not found.findings)
    return [(one.key, one.level) for one in found.findings]


BURNT = "add zone burnt: set of Card, seen by everyone"


def test_a_zone_that_nothing_uses_is_told(bazaar: Path) -> None:
    assert _examined(bazaar, BURNT) == [("REF014/burnt", LEVEL.DOUBTFUL)]
    assert _examined(bazaar, f"{BURNT}\nafter turn.offer\n    move market to burnt") == []
    assert _examined(bazaar, BURNT, checked=False) == []


@pytest.mark.parametrize(
    ("asked", "told"), [("some(c in hand[p.left] where c.family is 1)", True), ("gold[p] > 1", False)]
)
def test_a_question_that_betrays_is_told(asked: str, told: bool, bazaar: Path) -> None:
    clauses = f"before turn.offer\n    if {asked}\n        p chooses next from {{0, 1}}\n        gold[p] += next"
    assert [key.split("/")[0] for key, _ in _examined(bazaar, clauses)] == ["INF328"] * told


def test_of_the_game_that_is_changed_nothing_is_told(bazaar: Path) -> None:
    """The checker warns of the game itself."""
    assert rw.check(rw.open_ruleset(bazaar))
    assert _examined(bazaar, "set fee = 4") == []
    own = rw.examination.examine(bazaar, games=0).findings
    assert "CHN316/deck" in {one.key for one in own}


def test_what_is_suppressed_for_the_checker_is_not_told(bazaar: Path) -> None:
    assert _examined(bazaar, f"{BURNT}  # lint: ignore[REF014] for the pictures") == []


def test_one_cause_is_told_once(bazaar: Path) -> None:
    """The checker knows a value that is never reached as well (TYP231)."""
    beyond = "after turn.offer\n    if some(s in Stall where man[s] is p and s.row is 3) then votes[p] += 1"
    assert [key.split("/")[0] for key, _ in _examined(bazaar, beyond)] == ["EXM111"]
    file = bazaar.parent / "tried.rules"
    assert "TYP231" in {one.code for one in rw.check(rw.open_ruleset(file))}
