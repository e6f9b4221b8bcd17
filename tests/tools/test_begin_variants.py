"""``rulewright new`` for variants and editions, and shipped rulesets that are extended by their names."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import rulewright as rw
from sampling import thorough

from .conftest import Run


@pytest.mark.parametrize("base", ["tic-tac-toe", pytest.param("carolus-magnus", marks=thorough)])
def test_a_variant_to_begin_with(run: Run, tmp_path: Path, base: str) -> None:
    file = tmp_path / "a" / "b" / "c" / "quick-game.rules"
    assert run("new", "variant", file.with_suffix(""), "--of", base).code == 0
    assert f'variant "Quick game" of {base.replace("-", "_")}\n' in file.read_text()
    assert run("check", file).code == 0
    assert run("test", file).code == 0
    assert run("fmt", file, "--diff").code == 0
    assert run("play", file, "--seats", "random").code == 0
    before = file.read_text()
    again = run("new", "variant", file, "--of", base)
    assert again.code == 2
    assert "exists already" in again.err
    assert file.read_text() == before


@pytest.mark.parametrize("base", ["tic-tac-toe", "carolus-magnus"])
def test_an_edition_to_begin_with(run: Run, tmp_path: Path, base: str) -> None:
    folder = tmp_path / "my-edition"
    assert run("new", "edition", folder, "--of", base).code == 0
    assert json.loads((folder / "ruleset.json").read_text())["extends"] == base
    assert run("check", folder).out == "1 ruleset checked, nothing found\n"
    assert run("test", folder).code == 0
    assert run("fmt", folder, "--diff").code == 0
    assert run("compare", folder).code == 1
    assert rw.load(folder).program.title == "My edition"


def test_an_edition_of_ones_own(run: Run, tmp_path: Path) -> None:
    assert run("new", tmp_path / "pond").code == 0
    assert run("new", "edition", tmp_path / "other", "--of", tmp_path / "pond").code == 0
    assert json.loads((tmp_path / "other" / "ruleset.json").read_text())["extends"] == "../pond"
    assert not [d for d in rw.check(rw.open_ruleset(tmp_path / "other")) if d.is_error]


@pytest.mark.parametrize(
    "given",
    [
        ("variant", "quick"),
        ("quick", "--of", "tic-tac-toe"),
        ("variant", "Quick", "--of", "tic-tac-toe"),
        ("edition", "quick"),
        ("variant", "quick", "--of", "no-such-game"),
        ("edition", "quick", "--of", "no-such-game"),
        ("one", "two"),
    ],
)
def test_what_cannot_be_begun(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, given: tuple[str, ...]
) -> None:
    monkeypatch.chdir(tmp_path)
    assert run("new", *given).code == 2
    assert list(tmp_path.iterdir()) == []


def edition(folder: Path, extends: str) -> Path:
    """An edition that changes something."""
    folder.mkdir()
    manifest = {"name": "other", "title": "Other", "extends": extends, "rules": ["edition.rules"]}
    (folder / "ruleset.json").write_text(json.dumps(manifest))
    (folder / "edition.rules").write_text("game other\n\nset castles_to_win = 4\n")
    return folder


def test_a_shipped_ruleset_is_extended_by_its_name(run: Run, tmp_path: Path) -> None:
    folder = edition(tmp_path / "other", "carolus-magnus")
    assert rw.check(rw.open_ruleset(folder)) == []
    assert rw.check_folder(folder) == rw.check_folder(folder) == []
    assert "10 → 4" in run("compare", folder).out


def test_one_beside_it_goes_first(run: Run, tmp_path: Path) -> None:
    folder = edition(tmp_path / "other", "../pond")
    run("new", tmp_path / "pond")
    (folder / "edition.rules").write_text("game other\n\nset pebbles_a_stone = 4\n")
    base = rw.open_ruleset(folder).base
    assert base is not None
    assert base.folder == tmp_path / "pond"


def test_a_base_that_is_not_there_is_the_only_error(tmp_path: Path) -> None:
    folder = edition(tmp_path / "other", "carolus-magnsu")
    (found,) = [d for d in rw.check(rw.open_ruleset(folder)) if d.is_error]
    assert found.code == "DAT021"
    assert found.hint == "did you mean `carolus-magnus`?"
