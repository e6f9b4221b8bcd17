"""Files of scenarios, which are read when somebody asks what they say: nobody who plays does."""

from __future__ import annotations

import pickle
import shutil
from pathlib import Path

import pytest

import rulewright as rw
from rulewright.compiler import compile_program, sources
from rulewright.data.source_file import unread
from rulewright.ir.hash_consing import structural_digest

SCENARIO = 'scenario "nothing happens"\n  start\n'


@pytest.mark.parametrize(
    ("text", "alone"),
    [
        (SCENARIO, True),
        ("", True),
        (f"# a comment\n\n{SCENARIO}\n# another\n{SCENARIO}", True),
        (f"\ufeff{SCENARIO}", True),
        (f"\ufeffquery one = 1\n{SCENARIO}", False),
        (f"{SCENARIO}\nquery one = 1\n", False),
        (f"  query one = 1\n{SCENARIO}", False),
        ("scenarios\n", False),
        (f"{SCENARIO}\r\nQuery one\r\n", False),
    ],
)
def test_in_which_files_nothing_else_can_be_declared(text: str, alone: bool) -> None:
    assert unread("one.rules", text, "scenario").holds_scenarios_alone is alone
    assert not unread("one.rules", text, "rules").holds_scenarios_alone


@pytest.mark.parametrize("name", ["baron", "loewenherz", "connect-four"])
def test_who_plays_reads_no_scenarios(name: str) -> None:
    """And plays the game that the whole ruleset tells of, that of a ruleset that extends another included."""
    ruleset = rw.open_ruleset(name)
    game = rw.load(ruleset)
    game.start(1)
    rw.playing.setup_choices(ruleset)
    below = [file for one in (ruleset, ruleset.base) if one is not None for file in one.of_role("scenario")]
    assert below
    assert not any(file.is_read for file in below)
    whole, _ = compile_program(sources(ruleset))
    assert whole is not None
    assert structural_digest(whole) == structural_digest(game.program)
    assert all(file.is_read for file in below)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A ruleset that may be changed."""
    path = tmp_path / "connect-four"
    shutil.copytree(rw.rulesets.find_rulesets("connect-four")[0], path)
    return path


def scenarios_of(folder: Path) -> Path:
    """The first of its files of scenarios."""
    return next(Path(file.path) for file in rw.open_ruleset(folder).of_role("scenario"))


def test_mistakes_in_scenarios_are_found_and_keep_nobody_from_playing(folder: Path) -> None:
    path = scenarios_of(folder)
    twice = path.read_text("utf-8") * 2
    path.write_text(twice, "utf-8")
    assert {one.code for one in rw.check(rw.open_ruleset(folder))} >= {"REF007"}
    path.write_text(f"{twice}scenario )\n", "utf-8")
    ruleset = rw.open_ruleset(folder)
    game = rw.load(ruleset)
    assert game.start(1).decision is not None
    assert ruleset.play_errors == ()
    assert not any(file.is_read for file in ruleset.of_role("scenario"))
    assert ruleset.failed
    assert {Path(one.span.file).name for one in ruleset.diagnostics} == {path.name}


def test_what_else_stands_in_a_file_of_scenarios_counts(folder: Path) -> None:
    path = scenarios_of(folder)
    before = rw.load(folder).digest
    path.write_text(f"{path.read_text('utf-8')}\nquery eleven = 11\n", "utf-8")
    assert rw.load(folder).digest != before


def test_a_pickle_is_read_as_late(folder: Path) -> None:
    path = scenarios_of(folder)
    path.write_text(f"{path.read_text('utf-8')}scenario )\n", "utf-8")
    ruleset = rw.open_ruleset(folder)
    early = pickle.loads(pickle.dumps(ruleset))
    assert not any(file.is_read for file in early.files)
    found = ruleset.diagnostics
    late = pickle.loads(pickle.dumps(ruleset))
    assert found
    assert early.diagnostics == late.diagnostics == found
    assert [file.file for file in late.files] == [file.file for file in ruleset.files]
