"""``--watch`` as a process: what is said after a change, what does not end it, and what does."""

from __future__ import annotations

import json
import os
import queue
import signal
import threading
import time
from contextlib import suppress
from pathlib import Path
from typing import IO

import pytest

from rulewright_tools.watching import differences, snapshot

from .conftest import Run
from .test_processes import start

pytestmark = pytest.mark.skipif(os.name == "nt", reason="signals of POSIX")

GAME = """\
game small
players 2

procedure play
    finish with winner players
"""
SCENARIO = """\
scenario "both win"
    players x, o
    start play
    wins x, o
"""
IN_TIME = 20.0


def write(folder: Path, name: str, text: str) -> None:
    """As editors write: a file beside it, which takes its place."""
    beside = folder / f".{name}.swp"
    beside.write_text(text, encoding="utf-8")
    beside.replace(folder / name)


def manifest(folder: Path, **more: object) -> None:
    folder.mkdir(exist_ok=True)
    data = {"name": folder.name, "title": "Small", "rules": ["game.rules"], **more}
    write(folder, "ruleset.json", json.dumps(data))


@pytest.fixture
def small(tmp_path: Path) -> Path:
    folder = tmp_path / "small"
    manifest(folder)
    write(folder, "game.rules", GAME)
    return folder


class Watching:
    """A command that watches, and the lines that it prints, as they come."""

    def __init__(self, *args: object) -> None:
        self.process = start(*args, "--watch")
        assert self.process.stdout is not None
        assert self.process.stderr is not None
        self.out, self.err = self._lines(self.process.stdout), self._lines(self.process.stderr)

    def _lines(self, stream: IO[str]) -> queue.Queue[str]:
        found: queue.Queue[str] = queue.Queue()

        def read() -> None:
            for line in stream:
                found.put(line)

        threading.Thread(target=read, daemon=True).start()
        return found

    def wait_for(self, words: str, of: queue.Queue[str]) -> str:
        """The next line with these words."""
        until = time.monotonic() + IN_TIME
        seen = []
        while True:
            try:
                seen.append(of.get(timeout=max(0.01, until - time.monotonic())))
            except queue.Empty:
                raise AssertionError(f"{words!r} was not said, but {seen}") from None
            assert "Traceback" not in seen[-1]
            if words in seen[-1]:
                return seen[-1]

    def document(self) -> dict[str, object]:
        """The next line of stdout, as JSON."""
        found: dict[str, object] = json.loads(self.wait_for("", self.out))
        return found

    def stop(self) -> int:
        self.wait_for("waiting for changes", self.err)
        os.killpg(self.process.pid, signal.SIGINT)
        return self.process.wait(IN_TIME)

    def __enter__(self) -> Watching:
        return self

    def __exit__(self, *_: object) -> None:
        with suppress(ProcessLookupError):
            os.killpg(self.process.pid, signal.SIGKILL)
        self.process.communicate()


def codes(document: dict[str, object]) -> list[str]:
    found = document["diagnostics"]
    assert isinstance(found, list)
    return [one["code"] for one in found]


def test_a_check_is_repeated(small: Path) -> None:
    """After a change of the rules; whatever is wrong with the files, it goes on."""
    with Watching("check", small) as watching:
        watching.wait_for("1 ruleset checked, nothing found", watching.out)
        write(small, "game.rules", GAME.replace("players 2", "players two"))
        line = watching.wait_for("changed ", watching.err)
        assert line[2] == line[5] == ":", "it begins with the time"
        assert line.endswith("small/game.rules\n")
        watching.wait_for("error[SYN", watching.out)
        watching.wait_for("1 error in 1 file", watching.err)
        (small / "game.rules").unlink()
        watching.wait_for("removed ", watching.err)
        watching.wait_for("error[DAT002]", watching.out)
        write(small, "ruleset.json", "{")
        watching.wait_for("ruleset.json", watching.err)
        watching.wait_for("error[DAT", watching.out)
        write(small, "game.rules", GAME)
        manifest(small)
        watching.wait_for("nothing found", watching.out)
        write(small, "game.rules", GAME + "\nparam idle = 3\n")
        watching.wait_for("warning[REF014]", watching.out)
        watching.wait_for("1 warning", watching.err)
        assert watching.stop() == 1, "the exit code of the last check"
        assert watching.wait_for("stopped", watching.err) == "stopped watching\n"


def test_files_elsewhere_count(small: Path, tmp_path: Path) -> None:
    """Rulesets that are extended, and files of variants; each report is one line."""
    derived = tmp_path / "derived"
    manifest(derived, extends="../small", rules=[])
    variant = tmp_path / "v.rules"
    write(tmp_path, "v.rules", 'variant "V" of small\n    set idle = 4\n')
    with Watching("check", derived, "--variant", variant, "--format", "json") as watching:
        assert codes(watching.document()) == ["VAR401"]
        write(small, "game.rules", GAME + "\nparam idle = 3\n")
        watching.wait_for("small/game.rules", watching.err)
        assert "VAR401" not in codes(watching.document())
        write(tmp_path, "v.rules", 'variant "V" of small\n    set idle = = 4\n')
        watching.wait_for("v.rules", watching.err)
        assert "SYN001" in codes(watching.document())
        variant.unlink()
        assert codes(watching.document()) == ["DAT002"]
        watching.wait_for("removed ", watching.err)
        assert watching.stop() == 2


def test_scenarios_are_run_again(small: Path) -> None:
    manifest(small, scenarios=["s.rules"])
    write(small, "s.rules", SCENARIO)
    with Watching("test", small, "--format", "json") as watching:
        first = watching.document()
        assert (first["scenarios"], first["failed"]) == (1, 0)
        write(small, "s.rules", SCENARIO.replace("wins x, o", "wins x"))
        second = watching.document()
        assert (second["scenarios"], second["failed"]) == (1, 1)
        write(small, "s.rules", SCENARIO.replace("start", "strat"))
        third = watching.document()
        assert (third["scenarios"], third["failed"]) == (1, 1), "a scenario that cannot be read has failed"
        assert "[SYN001]" in json.dumps(third)
        write(small, "game.rules", GAME.replace("players 2", "players two"))
        assert "SYN001" in codes(watching.document())
        write(small, "game.rules", GAME)
        assert watching.document()["failed"] == 1
        write(small, "s.rules", SCENARIO)
        assert watching.document()["failed"] == 0
        for _ in range(5):
            watching.wait_for("waiting for changes", watching.err)
        assert watching.stop() == 0


def test_what_cannot_be_watched(run: Run, small: Path) -> None:
    assert run("check", small / "nowhere", "--watch").code == 2
    for options in (("check", small, "--fix"), ("check", small, "--diff"), ("test", small, "--format", "junit")):
        outcome = run(*options, "--watch")
        assert (outcome.code, "--watch" in outcome.err) == (2, True)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    for name in "abcd":
        (tmp_path / f"{name}.rules").write_text(name)
    return tmp_path


def test_differences(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(folder)
    before = snapshot([folder])
    (folder / "a.rules").write_text("longer")
    (folder / "b.rules").unlink()
    (folder / ".c.rules").write_text("of an editor")
    (folder / "notes.txt").write_text("of a person")
    assert differences(before, snapshot([folder])) == "changed a.rules, removed b.rules"
    for name in "cd":
        (folder / f"{name}.rules").unlink()
    assert differences(before, snapshot([folder])) == "changed a.rules, removed b.rules, removed c.rules, and 1 more"
    (folder / "e.csv").write_text("")
    assert snapshot([folder / "e.csv"]).keys() == {folder / "e.csv"}
    assert differences({}, snapshot([folder / "e.csv", folder / "nothing.json"])) == "new e.csv"
