"""A key that several pieces have: what it means in the lines of a scenario."""

from __future__ import annotations

from pathlib import Path

import pytest
from language_helpers import write

import rulewright as rw

MEN = """
    game men
    players 2
    place Cell
    map Board: grid 1 by 3 of Cell
    piece Man from "men.json"
        kind: {knight, tower}
        named "{kind}"
        begins in stock
    zone stock: set of Man, seen by everyone
    zone on[Cell]: set of Man, seen by everyone
    field hurt[Man]: Bool = false
    field chosen: Man or none = none

    procedure play
        turn(first(players))
        finish with winner players

    procedure turn(p: Player)
        p chooses m from on[(0, 0)]
        move m to on[(0, 2)]

    procedure hurt_it(m: Man)
        hurt[m] = true
"""
ROWS = '{"rows": [{"kind": "knight", "count": 5}, {"kind": "tower"}]}'


def result(folder: Path, *lines: str) -> rw.scenarios.ScenarioResult:
    """The result of a scenario in which these lines stand."""
    rules = "\n".join(line[4:] for line in MEN.splitlines())
    rules += '\nscenario "s"\n    players anna, bert\n' + "".join(f"    {line}\n" for line in lines)
    (plan,) = rw.scenarios.plans(rw.open_ruleset(write(folder, rules, {"men.json": ROWS})))
    return rw.scenarios.run_scenario(plan)


TWO = ('put "knight" in on[(0, 0)]', 'put "knight" in on[(0, 1)]')


@pytest.mark.parametrize(
    ("condition", "holds"),
    [
        ('"knight" in on[(0, 0)]', True),
        ('"knight" in on[(0, 1)]', True),
        ('"knight" in stock', True),
        ('"knight" in on[(0, 2)]', False),
        ('"knight" in on', True),
        ('"knight" in on[(0, 0)] + on[(0, 2)]', True),
        ('"knight" not in on[(0, 1)]', False),
        ('"knight" not in stock', False),
        ('"knight" not in on[(0, 2)]', True),
        ('"tower" not in on', True),
        ('some(c in Cell where "knight" in on[c] and c is (0, 1))', True),
    ],
)
def test_in_means_any_of_them(tmp_path: Path, condition: str, holds: bool) -> None:
    found = result(tmp_path, *TWO, f"then {condition}")
    assert found.passed == holds
    if found.failure is not None:
        assert found.failure.message == "this does not hold"


@pytest.mark.parametrize(
    "line",
    [
        'then hurt["knight"]',
        'then not hurt["knight"]',
        'then chosen is not "knight"',
        'then on[(0, 1)] is {"knight"}',
        'given chosen = "knight"',
        'given hurt["knight"] = true',
        'start hurt_it("knight")',
    ],
)
def test_elsewhere_it_must_be_said_which_is_meant(tmp_path: Path, line: str) -> None:
    failure = result(tmp_path, *TWO, line).failure
    assert failure is not None
    assert failure.message == "several pieces have this key, say which is meant"
    assert "on[(0, 0)]" in failure.found
    assert "on[(0, 1)]" in failure.found


@pytest.mark.parametrize("line", ['then not hurt["knight"]', 'given chosen = "knight"', 'start hurt_it("knight")'])
def test_the_one_that_was_laid_out_is_meant(tmp_path: Path, line: str) -> None:
    assert result(tmp_path, TWO[0], line).passed
    assert result(tmp_path, 'put 2 "knight" in on[(0, 1)]', line).passed
    assert result(tmp_path, line).passed  # all of them are in stock


def test_one_that_has_come_into_play_by_the_rules_counts(tmp_path: Path) -> None:
    played = (*TWO, "start turn(anna)", 'when anna: m = "knight"')
    assert result(tmp_path, *played, 'then "knight" in on[(0, 2)], "knight" not in on[(0, 0)]').passed
    assert not result(tmp_path, *played, 'then hurt["knight"]').passed
