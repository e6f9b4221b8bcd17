"""A file of variants in place of its ruleset, in every command; scenarios in it, and scenarios that are wrong."""

from __future__ import annotations

import gc
import json
from pathlib import Path

import pytest

import rulewright as rw

from .conftest import Outcome, Run

MIDDLE_LAST = """\
variant "Middle last" of race_of_stones
    in turn.spot
        forbid late: spot is middle and some(s in Spot where stone[s] is none and s is not middle)

scenario "the middle comes last"
    variant "Middle last"
    players red, blue
    start turn(red)
    refused red: spot = middle because turn.late
"""
RULES = """\
game race_of_stones
players 2

enum Spot: left, middle, right
field stone[Spot]: Player or none = none

procedure play
    repeat
        each p in players
            turn(p)

procedure turn(p: Player)
    p chooses spot from Spot
        forbid taken: stone[spot] is not none
    stone[spot] = p

end full when every(s in Spot has stone[s] is not none)
    finish with winner players
"""
GOOD = """\
scenario "a spot is taken once"
    players red, blue
    given stone[left] = red
    start turn(blue)
    refused blue: spot = left because turn.taken
"""
MISSPELT = """\
scenario "a name that there is not"
    players red, blue
    given stones[left] = red
    start turn(blue)
"""
UNREADABLE = """\
scenario "a line that is none"
    players red, blue
    gvien stone[left] = red
    start turn(blue)
"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A ruleset with one scenario."""
    made = tmp_path / "stones"
    made.mkdir()
    manifest = {"name": "race-of-stones", "title": "Stones", "rules": ["game.rules"], "scenarios": ["good.rules"]}
    (made / "ruleset.json").write_text(json.dumps(manifest))
    (made / "game.rules").write_text(RULES)
    (made / "good.rules").write_text(GOOD)
    return made


@pytest.fixture
def file(folder: Path) -> Path:
    """A file of variants beside the ruleset."""
    made = folder.parent / "middle.rules"
    made.write_text(MIDDLE_LAST)
    return made


FORBID_LEFT = """\
    in turn.spot
        forbid late: spot is left and some(s in Spot where stone[s] is none and s is not left)
"""

COMMANDS = {
    "check": (),
    "play": (
        "--seats",
        "random",
    ),
    "simulate": ("--games", "10"),
    "test": (),
    "draw": (),
    "perft": ("--depth", "3"),
    "fuzz": ("--games", "1"),
    "mutate": (
        "--limit",
        "2",
        "--games",
        "1",
    ),
    "trace": (),
}


@pytest.fixture
def nothing_old() -> None:
    """Keep what other tests have left from being looked through whenever a mutant is thrown away."""
    gc.freeze()


@pytest.mark.usefixtures("nothing_old")
@pytest.mark.parametrize("command", COMMANDS)
def test_every_command_takes_the_file_with_its_ruleset(command: str, folder: Path, file: Path, run: Run) -> None:
    done = run(command, folder, "--variant", file, *COMMANDS[command])
    assert done.code == 0, done.err


@pytest.mark.parametrize("command", COMMANDS)
def test_every_command_knows_the_titles(command: str, folder: Path, run: Run) -> None:
    done = run(command, folder, "--variant", "Middle fist", *COMMANDS[command])
    assert done.code in (1, 2)
    assert "there is no variant `Middle fist`" in done.out + done.err


@pytest.mark.usefixtures("nothing_old")
@pytest.mark.parametrize("command", COMMANDS)
def test_every_command_takes_the_file(command: str, file: Path, run: Run) -> None:
    done = run(command, file, *COMMANDS[command])
    assert done.code == 0, done.err


def test_the_variant_is_played(file: Path, folder: Path, run: Run) -> None:
    assert run("perft", folder, "--depth", 3).out.split()[0] == "6"
    assert run("perft", file, "--depth", 3).out.split()[0] == "2"
    assert "forbid late" in run("compare", folder, file).out
    game = rw.load(file)
    assert game.program.variants == ("Middle last",)
    assert [option.key for option in game.start().decision.options] == ["left", "right"]  # type: ignore[union-attr]


def test_one_variant_of_several(file: Path) -> None:
    """All that stand in the file are meant, unless some are named."""
    file.write_text(
        MIDDLE_LAST + '\nvariant "First is free" of race_of_stones\n    after play\n        stone[left] = none\n'
    )
    assert rw.load(file).program.variants == ("Middle last", "First is free")
    assert rw.load(file, variants=["First is free"]).program.variants == ("First is free",)
    beside = rw.load(file.parent / "stones", variants=["First is free", str(file)])
    assert beside.program.variants == ("First is free",)
    assert rw.load(file, variants=[str(file)]).program.variants == ("Middle last", "First is free")


def test_a_ruleset_that_nobody_may_have_meant_is_named(file: Path, folder: Path, run: Run) -> None:
    """One in a folder above the file's, and one that hides a shipped one; once, and not on stdout."""
    assert run("check", file).err == ""
    below = file.parent / "drafts"
    below.mkdir()
    (below / file.name).write_text(MIDDLE_LAST)
    for command in ("check", "compare", "perft"):
        done = run(command, below / file.name)
        assert done.err.count("changes the ruleset in ") == 1, done.err
        assert str(folder) in done.err
    manifest = json.loads((folder / "ruleset.json").read_text())
    (folder / "ruleset.json").write_text(json.dumps(manifest | {"name": "baron"}))
    file.write_text(MIDDLE_LAST.replace("race_of_stones", "baron"))
    assert "changes the ruleset in " in run("trace", file).err
    file.write_text('variant "Short" of tic_tac_toe\n    remove full_board\n')
    assert run("check", file).err.count("ruleset in") == 0, "the shipped one is meant"


def test_all_that_are_named_are_checked_together(file: Path, run: Run) -> None:
    """The file in place of the ruleset, too, if more variants are laid over it."""
    other = file.parent / "other.rules"
    other.write_text(f'variant "Left last" of race_of_stones\n{FORBID_LEFT}')
    assert run("check", file, other).code == 0
    done = run("check", file, "--variant", other)
    assert (done.code, "VAR402" in done.out) == (1, True), done.out


@pytest.mark.usefixtures("nothing_old")
def test_mutants_of_the_rules_as_the_variant_has_them(file: Path, folder: Path, run: Run) -> None:
    """Games are played with the variant alone, and other variants are not changed."""
    file.write_text(MIDDLE_LAST + '\nvariant "Left last" of race_of_stones\n' + FORBID_LEFT.replace("late", "later"))
    done = run(
        *("mutate", folder, "--variant", file, "--variant", "Middle last", "--all"),
        *(
            "--limit",
            4,
            "--games",
            1,
        ),
    )
    assert "Stones, Middle last: " in done.out
    report = rw.mutation.mutate(
        folder, rw.mutation.MutationOptions(variants=(str(file), "Middle last"), games=0, fuzz=0)
    )
    lines = {
        verdict.mutant.span.line for verdict in report.verdicts if verdict.mutant.span.file.endswith("middle.rules")
    }
    assert lines == {2, 3}  # of the first variant alone


def test_statements_that_a_variant_cites(file: Path, folder: Path, run: Run) -> None:
    """A variant that is not meant stands for no statement."""
    (folder / "rulebook.json").write_text('{"statements": []}')
    statement = {
        "id": "ST-1",
        "section": "1",
        "kind": "restriction",
        "statement": "The middle is last.",
        "normative": True,
    }
    manifest = json.loads((folder / "ruleset.json").read_text())
    (folder / "ruleset.json").write_text(json.dumps(manifest | {"rulebook": "rulebook.json"}))
    assert "the key `game` is missing" in run("trace", folder).err
    book = {"game": "Stones", "statements": [statement]}
    (folder / "rulebook.json").write_text(json.dumps(book))
    file.write_text(MIDDLE_LAST.replace("is not middle)\n", "is not middle)  @ST-1\n"))
    other = folder.parent / "other.rules"
    other.write_text(f'variant "Left last" of race_of_stones\n{FORBID_LEFT}')
    assert run("trace", folder, "--format", "json").json["covered"] == 0
    assert run("trace", folder, "--variant", file, "--format", "json").json["covered"] == 1
    titled = run("trace", file, "--variant", other, "--variant", "Left last", "--format", "json").json
    assert titled["covered"] == 1
    only = run("trace", folder, "--variant", other, "--format", "json").json
    assert only["covered"] == 0


def test_scenarios_in_the_file(file: Path, folder: Path, run: Run) -> None:
    """Those in the file alone, or with those of the ruleset that is named, too."""
    assert [one["title"] for one in titles(run("test", file, "--format", "json"))] == ["the middle comes last"]
    both = titles(run("test", folder, "--variant", file, "--format", "json"))
    assert [one["title"] for one in both] == ["a spot is taken once", "the middle comes last"]
    assert all(one["passed"] for one in both)


def titles(done: Outcome) -> list[dict[str, object]]:
    return done.json["rulesets"][0]["scenarios"]  # type: ignore[no-any-return]


@pytest.mark.parametrize(("wrong", "line"), [(MISSPELT, "stones[left]"), (UNREADABLE, "gvien")])
def test_a_scenario_that_is_wrong_stops_nothing_else(folder: Path, run: Run, wrong: str, line: str) -> None:
    (folder / "good.rules").write_text(wrong + "\n" + GOOD)
    assert run("simulate", folder, "--games", 5).code == 0
    done = run("test", folder)
    assert done.code == 1
    assert "2 scenarios, 1 failed" in done.out
    assert line in done.out
    assert "REF" in done.out or "SYN" in done.out
    with pytest.raises(rw.RulesetError):
        rw.scenarios.plans(rw.open_ruleset(folder))
    assert rw.Game.of_scenario(folder, "a spot is taken once")[1].decision is not None
    assert run("check", folder).code == 1


@pytest.mark.parametrize("line", ["start", "given stone[ = red", "then stone is ("])
def test_a_scenario_in_the_file_that_cannot_be_read_stops_nothing_else(file: Path, run: Run, line: str) -> None:
    broken = f'scenario "broken"\n    variant "Middle last"\n    {line}\n\n'
    file.write_text(MIDDLE_LAST.replace("scenario", broken + "scenario"))
    done = run("test", file)
    assert "2 scenarios, 1 failed" in done.out
    assert 'FAILED "broken"' in done.out
    assert run("simulate", file, "--games", 5).code == 0
    assert run("compare", file).code == 1
    assert run("check", file).code == 1


def test_a_variant_that_cannot_be_read_does_stop(file: Path, run: Run) -> None:
    """A declaration behind a scenario is none of its lines."""
    file.write_text(MIDDLE_LAST + '\nvariant "Other" of race_of_stones\n    set = 3\n')
    assert run("simulate", file, "--games", 5).code == 2
