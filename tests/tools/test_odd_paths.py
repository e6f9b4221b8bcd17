"""Names of files and folders that are no UTF-8, files that cannot be written, a working directory that is gone: every
command says what is true, before long work begins."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import xml.etree.ElementTree as ElementTree
from pathlib import Path

import pytest

from .conftest import RULESETS, Run

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="names of files are bytes on Linux alone")
FAILS = '\nscenario "fails"\n    players x, o\n    then no c in Cell where true\n'


@pytest.fixture
def odd(tmp_path: Path) -> Path:
    """A folder with a byte in its name that no text has, with a ruleset whose scenario fails, and one with an error."""
    folder = Path(os.fsdecode(os.fsencode(tmp_path) + b"/odd \xff folder"))
    folder.mkdir()
    for name in ("game", "wrong"):
        shutil.copytree(RULESETS / "tic-tac-toe", folder / name)
    with next((folder / "game" / "scenarios").iterdir()).open("a") as file:
        file.write(FAILS)
    with (folder / "wrong" / "game.rules").open("a") as file:
        file.write("nonsense\n")
    return folder


def test_reports(run: Run, odd: Path) -> None:
    game, wrong = odd / "game", odd / "wrong"
    assert run("check", wrong).code == 1
    assert "folder" in run("check", wrong, "--format", "json").json["diagnostics"][0]["file"]
    assert "%FF" in json.dumps(run("check", wrong, "--format", "sarif").json)
    ElementTree.fromstring(run("test", game, "--format", "junit").out)
    assert run("compare", game, "tic-tac-toe").code in (0, 1)
    assert run("trace", game, "--format", "html").code == 0
    assert run("draw", game, "-o", odd / "board.svg").code == 0
    ElementTree.parse(odd / "board.svg")


def test_experiments(run: Run, odd: Path) -> None:
    for library in ("scipy", "altair", "vl_convert", "drawsvg", "pyarrow"):
        pytest.importorskip(library)
    words = (
        "experiment",
        odd / "game",
        "tic-tac-toe",
        "--games",
        4,
        "--output",
        odd / "csv",
        "--output",
        odd / "tables.parquet",
    )
    assert run(*words, "--output", odd / "page.html", "--keep", odd / "games.journal").code == 0
    assert "odd" in (odd / "page.html").read_text("utf-8")
    assert run(*words[:5], "--output", odd / "one.html", "--format", "json").json


@pytest.mark.parametrize(
    "words",
    [
        ("experiment", "tic-tac-toe", "--games", "10000000", "--output"),
        ("experiment", "tic-tac-toe", "--aim", "ties = 10%", "--over", "size=3..4", "--output"),
        ("tournament", "tic-tac-toe", "mcts:9", "random", "--games", "1000000", "--output"),
        ("simulate", "tic-tac-toe", "--games", "10000000", "--output"),
        ("learn", "tic-tac-toe", "--games", "10000000", "-o"),
        ("fuzz", "tic-tac-toe", "--games", "10000000", "--output"),
    ],
    ids=lambda words: f"{words[0]} {words[-1]}",
)
def test_what_cannot_be_written_is_told_before_the_work(run: Run, tmp_path: Path, words: tuple[str, ...]) -> None:
    (tmp_path / "folder.html").mkdir()
    for place in (tmp_path / "nowhere" / "file.html", tmp_path / "folder.html"):
        outcome = run(*words, place)
        assert outcome.code == 2
        assert f"cannot write {place}" in outcome.err or "no ordinary file" in outcome.err or words[-1] in outcome.err


def test_folders_that_cannot_be(run: Run, tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    for place in (tmp_path / "file" / "corpus", tmp_path / "file"):
        outcome = run("fuzz", "tic-tac-toe", "--games", "1000000", "--keep", place)
        assert outcome.code == 2
        assert str(place) in outcome.err


def test_a_working_directory_that_is_gone(tmp_path: Path) -> None:
    gone, command = tmp_path / "gone", f"{sys.executable} -m rulewright_tools check tic-tac-toe"
    script = f"mkdir {gone} && cd {gone} && rmdir {gone} && exec {command}"
    done = subprocess.run(["sh", "-c", script], capture_output=True, text=True, check=False)
    assert done.returncode == 2
    assert done.stderr == "error: the working directory: No such file or directory\n"
