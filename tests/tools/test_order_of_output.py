"""Output and remarks of commands in one pipe stand in the order in which the program says them; nothing twice."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from .conftest import Run
from .test_check_options import GOOD, small
from .test_processes import COMMAND, environment

BROKEN = GOOD.replace("players 2", "playrs 2") + "\nparam b = = 4\n"


def in_one_pipe(*args: object, cwd: Path) -> list[str]:
    done = subprocess.run(
        [*COMMAND, *map(str, args)],
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        stdin=subprocess.DEVNULL,
        text=True,
        cwd=cwd,
        env={name: value for name, value in environment().items() if name != "PYTHONUNBUFFERED"},
        timeout=60,
    )
    assert "Traceback" not in done.stdout
    return done.stdout.splitlines()


def places(lines: list[str], *words: str) -> list[int]:
    """The line of each of some words; none may be missing."""
    return [next(number for number, line in enumerate(lines) if word in line) for word in words]


def test_fmt(tmp_path: Path) -> None:
    for name, text in (("a", GOOD.replace("game ", "game  ")), ("b", BROKEN), ("c", GOOD.replace("game ", "game  "))):
        (tmp_path / f"{name}.rules").write_text(text)
    lines = in_one_pipe("fmt", "--diff", ".", cwd=tmp_path)
    found = places(lines, "+++ a.rules", "b.rules:2:1", "b.rules:7:11", "+++ c.rules", "3 files, 2 to change")
    assert found == sorted(found)
    assert found[-1] == len(lines) - 1


@pytest.mark.parametrize("also", ["b.rules", "./b.rules", "{folder}/b.rules", ".", "{folder}"])
def test_a_file_named_twice_is_told_once(run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, also: str) -> None:
    (tmp_path / "b.rules").write_text(BROKEN)
    monkeypatch.chdir(tmp_path)
    outcome = run("fmt", "b.rules", also.format(folder=tmp_path))
    assert outcome.code == 2
    assert outcome.err.count("error[") == 2
    assert outcome.err.endswith("1 file, 0 changed\n")


def test_check(tmp_path: Path) -> None:
    small(tmp_path, GOOD.replace("game ", "game  "))
    lines = in_one_pipe("check", ".", cwd=tmp_path)
    assert "STY701" in lines[0]
    assert lines[-1] == "1 remark in 1 file; 1 can be fixed with --fix"


def test_simulate(tmp_path: Path) -> None:
    lines = in_one_pipe("simulate", "tic-tac-toe", "--games", "3", cwd=tmp_path)
    assert lines[0] == "Tic-tac-toe, 2 players: 3 games, seed 0"
