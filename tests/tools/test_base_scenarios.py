"""``rulewright test --base``: the scenarios of a ruleset with variants of which they know nothing."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from .conftest import Run
from .test_reports import fits
from .test_variant_files import GOOD, MIDDLE_LAST, RULES

MORE = """
scenario "a spot is taken"
    players red, blue
    start turn(red)
    offered red: spot = {left, middle, right}
    when red: spot = left
    then stone[left] is red, stone[right] is none
    then every(s in Spot where s is not left has stone[s] is none)

scenario "anywhere"
    players red, blue
    start turn(red)
    when red: spot = middle
    then stone[middle] is red

scenario "fails anyway"
    players red, blue
    start turn(red)
    then stone[left] is red
"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    made = tmp_path / "stones"
    made.mkdir()
    manifest = {"name": "race-of-stones", "title": "Stones", "rules": ["game.rules"], "scenarios": ["good.rules"]}
    (made / "ruleset.json").write_text(json.dumps(manifest))
    (made / "game.rules").write_text(RULES)
    (made / "good.rules").write_text(GOOD + MORE)
    (tmp_path / "middle.rules").write_text(MIDDLE_LAST)
    return made


def test_each_difference_is_told(folder: Path, run: Run) -> None:
    done = run("test", folder.parent / "middle.rules", "--base")
    assert done.code == 0, done.out
    assert "race-of-stones: 1 scenario, all passed" in done.out
    assert "with Middle last: 3 scenarios of the base: 1 the same, 2 changed" in done.out
    assert 'CHANGED "a spot is taken"' in done.out
    assert "good.rules:10  offered red: spot = {left, middle, right}" in done.out
    assert "changed:  was left, middle, right, is left, right" in done.out
    assert "changed:  was middle, is left, right" in done.out
    assert "fails anyway" not in done.out


def test_as_data(folder: Path, run: Run) -> None:
    done = run("test", folder, "--variant", folder.parent / "middle.rules", "--base", "--format", "json")
    assert done.code == 1, "of the ruleset's own scenarios one fails"
    fits("test-report", done.json)
    carried = done.json["rulesets"][0]["with"]
    assert carried["variants"] == ["Middle last"]
    assert {one["title"]: one["outcome"] for one in carried["scenarios"]} == {
        "a spot is taken once": "same",
        "a spot is taken": "changed",
        "anywhere": "changed",
    }
    [change] = carried["scenarios"][1]["changes"]
    assert (change["was"], change["is"]) == ("left, middle, right", "left, right")


def test_rules_that_fail_are_a_failure(folder: Path, run: Run) -> None:
    file = folder.parent / "middle.rules"
    file.write_text(
        'variant "Nothing goes" of race_of_stones\n    in turn.spot\n        forbid all: spot is spot\n'
        "    remove turn.taken\n"
    )
    done = run("test", file, "--base", "-k", "anywhere")
    assert done.code == 1
    assert 'BROKEN "anywhere"' in done.out
    assert "RUN007" in done.out


def test_scenarios_that_make_no_sense_any_more(folder: Path, run: Run) -> None:
    file = folder.parent / "middle.rules"
    file.write_text('variant "Free" of race_of_stones\n    remove turn.taken\n')
    done = run("test", file, "--base")
    assert done.code == 0
    assert 'NOT APPLICABLE "a spot is taken once"' in done.out


def test_there_must_be_a_variant(folder: Path, run: Run) -> None:
    done = run("test", folder, "--base")
    assert done.code == 2
    assert "--base" in done.err
    assert run("test", folder, "--base", "--format", "junit").code == 2


def test_variants_without_scenarios_are_run_with_those_of_the_base(folder: Path, run: Run) -> None:
    """Nothing was tested before, and that was called passed."""
    file = folder.parent / "middle.rules"
    alone = MIDDLE_LAST.split("\nscenario")[0]
    free = 'variant "Free" of race_of_stones\n    remove turn.taken\n'
    file.write_text(f"{alone}\n{free}")
    done = run("test", file)
    assert done.code == 0, done.all
    assert "0 scenarios" not in done.out
    assert done.out.count("race-of-stones: the variants have no scenario of their own") == 1
    assert "with Middle last: 3 scenarios of the base: 1 the same, 2 changed" in done.out
    assert "with Free: 3 scenarios of the base: 2 the same, 1 not applicable" in done.out
    report = run("test", file, "--format", "json").json
    fits("test-report", report)
    assert [one["with"]["variants"] for one in report["rulesets"]] == [["Middle last"], ["Free"]]
    assert "BROKEN" not in done.out
    file.write_text(
        alone + '\nvariant "Nothing goes" of race_of_stones\n    in turn.spot\n        forbid all: spot is spot\n'
    )
    assert run("test", file).code == 1
    report = run("test", file, "--format", "junit")  # it has no place for differences, but the game cannot begin
    assert (report.code, "nothing can be chosen here" in report.out) == (1, True)
    file.write_text(MIDDLE_LAST)
    assert "of the base" not in run("test", file, "-k", "no such title").out
    assert "of the base" not in run("test", folder, "--variant", file).out


def test_one_reason_is_given_once(folder: Path, run: Run) -> None:
    file = folder.parent / "middle.rules"
    file.write_text('variant "Wrong" of race_of_stones\n    add query wrong -> Int = unknown_one\n')
    done = run("test", file, "--base")
    assert done.out.count("unknown_one") == 1
    assert "scenarios more" in done.out
