"""The cache between commands: a warm answer is a cold one, and nothing in it is ever out of date."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import rulewright as rw
from rulewright.findings import check_cache
from rulewright.host import disk_cache

from .conftest import Run

GAME = """\
game small
players 2

param idle = 3

procedure play
    finish with winner players
"""


@pytest.fixture(autouse=True)
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    folder = tmp_path / "cache"
    monkeypatch.setenv(disk_cache.FOLDER, str(folder))
    return folder


@pytest.fixture
def small(tmp_path: Path) -> Path:
    folder = tmp_path / "small"
    folder.mkdir()
    manifest = {"name": "small", "title": "Small", "rules": ["game.rules"]}
    (folder / "ruleset.json").write_text(json.dumps(manifest), encoding="utf-8")
    (folder / "game.rules").write_text(GAME, encoding="utf-8")
    return folder


def worked_out(monkeypatch: pytest.MonkeyPatch) -> list[Path]:
    """The folders that are really checked from now on."""
    found: list[Path] = []
    real = check_cache._check

    def check(folder: Path) -> list[rw.Diagnostic]:
        found.append(folder)
        return real(folder)

    monkeypatch.setattr(check_cache, "_check", check)
    return found


def test_warm_is_as_cold(small: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    cold = rw.check_folder(small)
    assert any(d.fix is not None for d in cold)
    assert {d.code for d in cold} == {"REF014"}
    checked = worked_out(monkeypatch)
    assert rw.check_folder(small) == cold
    assert checked == []
    with rw.disk_cache.without_cache():
        assert rw.check_folder(small) == cold
    assert checked == [small]


@pytest.mark.parametrize("what", ["a rule", "a manifest", "a new file", "a file less", "the program", "the folder"])
def test_whatever_changes_is_checked_again(what: str, small: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (small / "notes.json").write_text("{}", encoding="utf-8")
    rw.check_folder(small)
    checked = worked_out(monkeypatch)
    match what:
        case "a rule":
            (small / "game.rules").write_text(GAME.replace("= 3", "= 4"), encoding="utf-8")
        case "a manifest":
            (small / "ruleset.json").write_text((small / "ruleset.json").read_text("utf-8") + " ", encoding="utf-8")
        case "a new file":
            (small / "table.json").write_text("{}", encoding="utf-8")
        case "a file less":
            (small / "notes.json").unlink()
        case "the program":
            monkeypatch.setattr(check_cache, "_program", lambda: "another version")
        case _:
            monkeypatch.chdir(small)  # messages show paths as seen from here
    rw.check_folder(small)
    assert checked == [small]


def test_what_it_extends_counts(small: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    upper = tmp_path / "upper"
    upper.mkdir()
    manifest = {"name": "upper", "title": "Upper", "extends": "../small", "rules": []}
    (upper / "ruleset.json").write_text(json.dumps(manifest), encoding="utf-8")
    cold = rw.check_folder(upper)
    checked = worked_out(monkeypatch)
    assert rw.check_folder(upper) == cold
    (small / "game.rules").write_text(GAME + "\nprocedure broken\n    x = 1\n", encoding="utf-8")
    assert rw.check_folder(upper) != cold
    assert checked == [upper]


@pytest.mark.parametrize("harm", ["half", "no list", "other findings", "a code less"])
def test_what_is_damaged_is_worked_out_again(harm: str, small: Path, cache: Path) -> None:
    cold = rw.check_folder(small)
    (path,) = cache.glob("check-*.json")
    head, _, body = path.read_text("ascii").partition("\n")
    key = head.split()[0]
    harmed = {"no list": "7", "other findings": '[["REF014","no"]]', "a code less": "[[]]"}.get(harm, "")
    path.write_text(f"{disk_cache._head(key, harmed)}\n{harmed}" if harmed else (head + body)[:40], encoding="ascii")
    path.chmod(0o600)
    assert rw.check_folder(small) == cold


def test_a_link_that_leads_elsewhere_is_not_kept(small: Path, tmp_path: Path, cache: Path) -> None:
    (tmp_path / "elsewhere").mkdir()
    (small / "link").symlink_to(tmp_path / "elsewhere")
    rw.check_folder(small)
    assert not list(cache.glob("check-*.json"))


def test_commands(run: Run, small: Path, cache: Path) -> None:
    first = run("check", small, "--format", "json")
    assert run("check", small, "--format", "json").out == first.out
    assert run("check", small, "--format", "json").out == first.out
    told = json.loads(run("cache", "info", "--format", "json").out)
    assert told["folder"] == str(cache)
    assert told["kinds"]["check"]["files"] == 1
    assert "findings of rulesets" in run("cache").out
    (cache / "mine.txt").write_text("not of the cache", encoding="utf-8")
    count = sum(kind["files"] for kind in told["kinds"].values())
    assert run("cache", "clear").out.strip() == ("1 file removed" if count == 1 else f"{count} files removed")
    assert [path.name for path in cache.iterdir()] == ["mine.txt"]
    assert json.loads(run("cache", "--format", "json").out)["kinds"] == {}
