"""Workspaces: what an editor holds counts, and a warm answer equals a cold one."""

from __future__ import annotations

import gc
import shutil
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import rulewright as rw
from rulewright.ir.model import Program
from sampling import sample

RULES = """\
game small
players 2 to 3

param stones = 3

zone heap: set of Stone, seen by everyone
piece Stone from "stones.json#stones"
    colour: Int
    begins in heap

query left() -> Int = size(heap)

procedure play
    repeat while left() > stones
        each p in players
            p chooses stone from heap
            remove_it(stone)

procedure remove_it(s: Stone)
    move s to heap

end over when left() <= stones
    finish with winner players
"""

WORDS = (
    "left",
    "stones",
    "heap",
    "players",
    "3",
    "99",
    "(",
    ")",
    ":",
    "is",
    "empty",
    "mvoe",
    "Stone",
    '"',
    "@X-1",
    "\n",
    "    ",
    "#",
)


def small(folder: Path) -> Path:
    folder.mkdir(parents=True)
    (folder / "ruleset.json").write_text('{"name": "small", "title": "Small", "rules": ["game.rules"]}', "utf-8")
    (folder / "game.rules").write_text(RULES, "utf-8")
    (folder / "stones.json").write_text('{"stones": [{"colour": 1, "count": 9}]}', "utf-8")
    return folder


def cold(folder: Path) -> list[rw.Diagnostic]:
    try:
        return rw.check(rw.open_ruleset(folder))
    except rw.RulesetError as error:
        return list(error.diagnostics)


def test_what_an_editor_holds_counts(tmp_path: Path) -> None:
    folder = small(tmp_path / "small")
    work = rw.Workspace(tmp_path)
    before = work.check(folder)
    rules = folder / "game.rules"
    work.open(rules, RULES.replace("left() > stones", "lfet() > stones"))
    assert [d.code for d in work.check(folder) if d.is_error] == ["REF001"]
    assert [d.code for d in work.first_look(folder) if d.is_error] == ["REF001"]
    assert rules.read_text("utf-8") == RULES
    assert cold(folder) == before
    work.close(rules)
    assert work.check(folder) == before
    assert work.rulesets() == [folder]
    assert work.ruleset_of(rules) == folder
    assert work.ruleset_of(tmp_path / "elsewhere" / "x.rules") is None


def test_data_and_manifests_may_be_unsaved_too(tmp_path: Path) -> None:
    folder = small(tmp_path / "small")
    work = rw.Workspace(tmp_path)
    work.open(folder / "stones.json", '{"stones": [{"colour": "red", "count": 9}]}')
    assert "DAT011" in {d.code for d in work.check(folder)}
    work.open(folder / "ruleset.json", "{")
    assert [d for d in work.check(folder) if d.is_error and d.span.file.endswith("ruleset.json")]
    work.close(folder / "ruleset.json")
    work.close(folder / "stones.json")
    assert work.check(folder) == cold(folder)


def test_files_that_vanish(tmp_path: Path) -> None:
    folder = small(tmp_path / "small")
    work = rw.Workspace(tmp_path)
    work.check(folder)
    (folder / "game.rules").unlink()
    assert work.check(folder) == cold(folder)
    shutil.rmtree(folder)
    assert work.rulesets() == []


Edits = list[tuple[int, int, str]]


@settings(max_examples=sample(8, 12), suppress_health_check=list(HealthCheck))
@given(st.lists(st.tuples(st.integers(0, len(RULES)), st.integers(0, 12), st.sampled_from(WORDS)), max_size=5))
def test_a_warm_answer_equals_a_cold_one(tmp_path_factory: pytest.TempPathFactory, edits: Edits) -> None:
    """After each of some random edits, the last of which undoes them all."""
    top = tmp_path_factory.mktemp("edits")
    folder, other = small(top / "a" / "small"), small(top / "b" / "small")
    work, text = rw.Workspace(top / "a"), RULES
    for at, length, word in [*edits, (0, 0, "")]:
        text = RULES if not word else text[:at] + word + text[at + length :]
        work.open(folder / "game.rules", text)
        (other / "game.rules").write_text(text, "utf-8")
        warm = [str(d).replace(str(top / "a"), "") for d in work.check(folder)]
        assert warm == [str(d).replace(str(top / "b"), "") for d in cold(other)]
        looked = {str(d) for d in work.first_look(folder) if d.is_error}
        assert looked <= {str(d) for d in work.check(folder)}


def programs_of(*generations: int) -> int:
    """The number of programs among the objects of these ages; to ask a dead proxy for its class would raise."""
    return sum(type(one) is Program for age in generations for one in gc.get_objects(age))


def test_what_is_made_first_is_old_at_once(tmp_path: Path) -> None:
    """A later look through the young objects, which somebody waits for, leaves it out."""
    folder = small(tmp_path / "small")
    work, old = rw.Workspace(tmp_path), programs_of(0, 1, 2)
    work.check(folder)
    assert programs_of(0, 1) == 0
    assert programs_of(2) > old
