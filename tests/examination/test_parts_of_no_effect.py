"""A part of a change without which all games end in the same position is told."""

from __future__ import annotations

import importlib
from pathlib import Path

import pytest

import rulewright as rw
from rulewright.findings.games import SIDE_BY_SIDE

from .test_slips import bazaar

__all__ = ["bazaar"]

DOUBLED = "gold[p] = gold[p] * 2"
ANALYSIS = "parts of no effect"

BONUS = """\
variant "Bonus" of bazaar
    before turn.deed
        {statements}
"""


@pytest.fixture(autouse=True)
def this_analysis_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    """All others would play as well."""
    module = importlib.import_module("rulewright.findings.examination.examine")  # the function has its name
    monkeypatch.setattr(module, "SIDE_BY_SIDE", {ANALYSIS: SIDE_BY_SIDE[ANALYSIS]})


def told(bazaar: Path, rules: str) -> list[rw.examination.Finding]:
    file = bazaar.parent / "parts.rules"
    file.write_text(rules)
    found = rw.examination.examine(file, players=2, games=60, seconds=None, checked=False).findings
    return [one for one in found if one.code == "EXM304"]


@pytest.mark.parametrize(
    ("statements", "part"),
    [
        ("if gold[p] in {5, 999} then votes[p] += 1", "999"),
        ("if gold[p] in {5, 8} then votes[p] += 1", ""),
        ("if gold[p] > 6 and gold[p] > 4 then votes[p] += 1", "and gold[p] > 4"),
        ("if gold[p] < 6 or gold[p] > 400 then votes[p] += 1", "or gold[p] > 400"),
        ("votes[p] += count(q in players where gold[q] > 6 and gold[q] > 4)", "and gold[q] > 4"),
        ("votes[p] += 1 + count(c in hand[p] where c.family > 3)", "+ count(c in hand[p] where c.family > 3)"),
        ("votes[p] += 1", ""),
    ],
)
def test_a_part_of_an_expression_that_makes_no_difference_is_told(bazaar: Path, statements: str, part: str) -> None:
    found = told(bazaar, BONUS.format(statements=statements))
    assert len(found) == bool(part), found
    if part:
        assert f"`{part}` makes no difference" in found[0].message
        line = Path(found[0].span.file).read_text().splitlines()[found[0].span.line - 1]
        marked = line[found[0].span.column - 1 : found[0].span.end_column - 1]
        assert part in marked, "the smallest part that holds it is marked"
        assert len(marked) < len(line.strip())


@pytest.mark.parametrize(("back", "alike"), [(2, True), (3, False)])
def test_two_statements_of_which_one_takes_back_the_other_are_told(bazaar: Path, back: int, alike: bool) -> None:
    """The rules alone do not tell that a half of the double is what it was."""
    found = told(bazaar, BONUS.format(statements=f"{DOUBLED}\n        gold[p] = gold[p] / {back} rounded down"))
    assert len(found) == alike
    if alike:
        assert f"`{DOUBLED} / gold[p] = gold[p] / 2 rounded down` makes no difference" in found[0].message


def test_two_such_statements_beside_another_one_are_told(bazaar: Path) -> None:
    halved = "gold[p] = gold[p] / 2 rounded down"
    found = told(bazaar, BONUS.format(statements=f"votes[p] += 1\n        {DOUBLED}\n        {halved}"))
    assert [one.message.split(" makes")[0] for one in found] == [f"`{DOUBLED} / {halved}`"]


def test_what_a_change_repeats_of_the_base_is_not_told(bazaar: Path) -> None:
    """Nobody ever has too little here: but the change has not brought the restriction."""
    rules = """\
variant "Rich" of bazaar
    set fee = 0
    replace procedure turn(p: Player)
        p chooses either as deed
            option buy
                forbid too_poor: gold[p] < fee
                gold[p] -= fee
                votes[p] += 2
            option wait
                gold[p] += 1
"""
    parts = [one.message for one in told(bazaar, rules)]
    assert not any("too_poor" in one for one in parts), parts


def test_a_parameter_that_is_set_makes_a_difference(bazaar: Path) -> None:
    assert told(bazaar, 'variant "Cheap" of bazaar\n    set fee = 2\n') == []


def test_who_sees_something_makes_no_other_position_and_is_not_told(bazaar: Path) -> None:
    rules = 'variant "Open" of bazaar\n    replace zone hand[p: Player]: set of Card, seen by everyone\n'
    assert told(bazaar, rules) == []
