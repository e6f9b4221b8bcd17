"""An invariant of the base that a variant breaks is told with the line of the change that broke it."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import rulewright as rw

from .conftest import Run
from .test_reports import fits

RULES = """\
game purse
players 2

param fee = 2
param wage = 1
field gold[Player]: Int = 3
field rounds: Int = 0

invariant solvent for p in players: gold[p] >= 0
invariant short: rounds <= 50
property patient always: rounds <= 10

procedure play
    repeat
        each p in players
            turn(p)
        rounds += 1
        if rounds is 10 then finish ranking p in players by gold[p]

procedure turn(p: Player)
    p chooses either
        option work: gold[p] += wage
        option pay
            forbid poor: gold[p] < fee
            gold[p] -= fee
"""
VARIANTS = {
    "a restriction that is taken away": (
        "    set wage = 3\n    remove turn.poor\n",
        ["remove turn.poor"],
    ),
    "a statement that is put in": (
        "    set fee = 1\n    before turn\n        if gold[p] > 2 then gold[p] -= 4\n",
        ["before turn"],
    ),
    "a parameter": (
        "    set wage = -9\n    set fee = 1\n",
        ["set wage = -9"],
    ),
    "two that are needed together": (
        "    add param debt = 0\n    add procedure rob(p: Player)\n        gold[p] -= 20 + debt\n"
        "    set wage = 2\n    after turn\n        rob(p)\n",
        ["add param debt = 0", "add procedure rob(p: Player)", "after turn"],
    ),
    "either alone is enough": (
        "    set wage = -20\n    after turn\n        gold[p] -= 20\n",
        ["after turn"],
    ),
    "a restriction that is replaced": (
        "    replace turn.poor: gold[p] < 1\n    replace procedure play\n        turn(first(players))\n"
        "        turn(first(players))\n        turn(first(players))\n        finish with winner players\n",
        ["replace turn.poor: gold[p] < 1"],
    ),
}  # fmt: skip


def folder_of(tmp_path: Path, changes: str, rules: str = RULES) -> tuple[Path, Path]:
    """A ruleset, and a file beside it with one variant."""
    made = tmp_path / "purse"
    made.mkdir()
    manifest = {"name": "purse", "title": "Purse", "rules": ["game.rules"], "move": "turn"}
    (made / "ruleset.json").write_text(json.dumps(manifest), "utf-8")
    (made / "game.rules").write_text(rules, "utf-8")
    file = tmp_path / "other.rules"
    file.write_text(f'variant "Other" of purse\n{changes}', "utf-8")
    return made, file


@pytest.mark.parametrize("kind", VARIANTS)
def test_the_changes_that_are_needed(kind: str, tmp_path: Path) -> None:
    changes, needed = VARIANTS[kind]
    folder, file = folder_of(tmp_path, changes)
    ruleset, _ = rw.rulesets.with_variants(rw.open_ruleset(folder), (str(file),))
    assert not [d for d in rw.check(ruleset) if d.is_error]
    found = rw.fuzzing.fuzz(folder, rw.fuzzing.FuzzOptions(variants=(str(file),), games=4))
    story = next(story for story in found.stories if story.trouble.name == "solvent")
    assert sorted(cause.text for cause in story.causes) == sorted(needed)
    lines = file.read_text("utf-8").split("\n")
    assert all(lines[cause.span.line - 1].strip() == cause.text for cause in story.causes)
    assert {cause.by for cause in story.causes} == {'variant "Other"'}


def test_every_command_names_it(tmp_path: Path, run: Run) -> None:
    story = 'scenario "nobody owes"\n    players a, b\n    variant "Other"\n    given gold[a] = 1\n'
    story += "    start turn(a)\n    when a: pay\n"
    folder, file = folder_of(tmp_path, "    set wage = 2\n    remove turn.poor\n\n" + story)
    told = f'{rw.files.shown(file)}:3  remove turn.poor  (variant "Other")'
    simulated = run("simulate", folder, "--variant", file, "--games", 20)
    assert simulated.code == 1
    assert f"solvent is broken since {told}" in simulated.out
    assert f"since {told}" in run("fuzz", folder, "--variant", file, "--games", 4).out
    tested = run("test", file)
    assert tested.code == 1
    assert f"since     {told}" in tested.out
    cause = {"file": rw.files.shown(file), "line": 3, "by": 'variant "Other"', "text": "remove turn.poor"}
    reports = {
        command: run(command, *words, "--format", "json").json
        for command, words in {
            "simulate": (folder, "--variant", file, "--games", 20),
            "fuzz": (folder, "--variant", file, "--games", 4),
            "test": (file,),
        }.items()
    }
    for command, report in reports.items():
        fits(f"{command}-report", report)
    assert reports["simulate"]["broken_invariants"][0]["causes"] == [cause]
    assert reports["fuzz"]["found"][0]["causes"] == [cause]
    assert reports["test"]["rulesets"][0]["scenarios"][0]["failure"]["causes"] == [cause]


def test_scenarios_of_the_base(tmp_path: Path, run: Run) -> None:
    story = (
        '\nscenario "who is rich pays"\n    players a, b\n    given gold[a] = 2\n    start turn(a)\n    when a: pay\n'
    )
    _, file = folder_of(
        tmp_path, "    set wage = 2\n    set fee = 1\n    after turn\n        gold[p] -= 5\n", RULES + story
    )
    done = run("test", file, "--base")
    assert f'since     {rw.files.shown(file)}:4  after turn  (variant "Other")' in done.out


@pytest.mark.parametrize(
    ("rules", "changes"),
    [
        (RULES.replace("            forbid poor: gold[p] < fee\n", ""), "    set wage = 2\n"),  # the base breaks it
        (RULES, "    remove turn.poor\n    replace invariant solvent for p in players: gold[p] >= -1\n"),  # its own
    ],
)
def test_nothing_is_blamed(rules: str, changes: str, tmp_path: Path) -> None:
    folder, file = folder_of(tmp_path, changes, rules)
    found = rw.fuzzing.fuzz(folder, rw.fuzzing.FuzzOptions(variants=(str(file),), games=4))
    assert [story.trouble.name for story in found.stories] == ["solvent"]
    assert found.stories[0].causes == ()


def test_an_edition_that_changes_its_base(tmp_path: Path) -> None:
    folder_of(tmp_path, "    set wage = 2\n")
    edition = tmp_path / "edition"
    edition.mkdir()
    manifest = {"name": "edition", "title": "Second edition", "rules": ["more.rules"], "extends": "../purse"}
    (edition / "ruleset.json").write_text(json.dumps(manifest), "utf-8")
    (edition / "more.rules").write_text("set wage = 2\n\nremove turn.poor\n", "utf-8")
    found = rw.fuzzing.fuzz(edition, rw.fuzzing.FuzzOptions(games=4))
    (story,) = found.stories
    assert [(cause.by, cause.text, cause.span.line) for cause in story.causes] == [
        ("Second edition", "remove turn.poor", 3)
    ]


def test_what_comes_into_play_last_is_told_first(tmp_path: Path) -> None:
    changes = "    before turn\n        gold[p] -= 2\n    after turn.either_1\n        gold[p] -= 2\n"
    story = '\nscenario "step by step"\n    players a, b\n    variant "Other"\n    given gold[a] = 2\n'
    story += "    start turn(a)\n    when a: work\n"
    folder, file = folder_of(tmp_path, changes + story)
    ruleset, _ = rw.rulesets.with_variants(rw.open_ruleset(folder), (str(file),))
    (result,) = rw.scenarios.run_scenarios(list(rw.scenarios.planned(ruleset)))
    failure = rw.scenarios.with_causes(ruleset, result).failure
    assert failure is not None
    assert failure.assertion == "solvent"
    assert [cause.text for cause in failure.causes] == ["after turn.either_1", "before turn"]
