"""Experiments that are killed and gone on with are those that nobody has killed, byte for byte."""

from __future__ import annotations

import os
import signal
import sqlite3
import subprocess
import sys
import time
from contextlib import suppress
from pathlib import Path

import pytest
from test_experiments import FAULTY, asked

import rulewright as rw
import rulewright_lab as lab
from rulewright.host.budgets import STEPS

pytest.importorskip("scipy")

WORDS = ("tic-tac-toe", "connect-four", "--games", "150", "--seats", "mcts:40,random", "--format", "json")
posix = pytest.mark.skipif(os.name != "posix", reason="there is no kill -9")


def begun(*words: str) -> subprocess.Popen[bytes]:
    command = [sys.executable, "-m", "rulewright_tools", "experiment", *words]
    pipe = subprocess.PIPE
    return subprocess.Popen(command, stdout=pipe, stderr=pipe, start_new_session=True, preexec_fn=_hears_interrupts)


def _hears_interrupts() -> None:
    """Let a process hear Ctrl-C also if the tests are a job in the background, which does not."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)


def written(journal: Path) -> int:
    found = 0
    for one in journal.parent.glob(f"{journal.name}*"):
        with suppress(FileNotFoundError):  # SQLite may just have removed it
            found += one.stat().st_size
    return found


def stopped_in_the_middle(journal: Path, number: int, *words: str) -> bool:
    """Run until the journal has grown once more, and stop it; False if it was over before."""
    before, run = written(journal), begun(*words, "--keep", str(journal))
    try:
        while run.poll() is None and written(journal) - before < 1000:
            time.sleep(0.01)
        over = run.poll() is not None
        run.send_signal(number)
        run.communicate()
        return not over
    finally:
        run.kill()
        run.wait()


@posix
@pytest.mark.long
def test_killed_and_resumed_equals_uninterrupted(tmp_path: Path) -> None:
    """With other numbers of jobs, and other engines, each time."""
    whole = asked(*WORDS)
    assert whole[0] == 0
    journal, killed = tmp_path / "games.journal", 0
    for more in (("--jobs", "1"), ("--jobs", "2"), ("--engine", "python"), ("--jobs", "2", "--engine", "native")):
        killed += stopped_in_the_middle(journal, signal.SIGKILL, *WORDS, *more)
    assert killed >= 2
    assert asked(*WORDS, "--keep", str(journal))[1] == whole[1]
    assert asked(*WORDS, "--keep", str(journal), "--jobs", "2")[1] == whole[1]  # nothing is played any more


@posix
def test_interrupted_and_resumed_equals_uninterrupted(tmp_path: Path) -> None:
    whole = asked(*WORDS)
    journal = tmp_path / "games.journal"
    assert stopped_in_the_middle(journal, signal.SIGINT, *WORDS)
    assert asked(*WORDS, "--keep", str(journal))[1] == whole[1]


def test_more_games_of_the_same_experiment(tmp_path: Path) -> None:
    words = ("baron", "--format", "json", "--keep", str(tmp_path / "j"))
    few = asked(*words, "--games", "20")[1]
    whole = asked("baron", "--format", "json", "--games", "60")[1]
    assert few != whole
    assert asked(*words, "--games", "60")[1] == whole
    code, out, err = asked(*words, "--games", "20")
    assert (code, out) == (2, "")
    assert "more than 20 games" in err


def test_what_is_waited_for_is_found_again(tmp_path: Path) -> None:
    words = ("tic-tac-toe", "--until", "ties ± 5%", "--format", "json")
    whole = asked(*words)
    assert asked(*words, "--keep", str(tmp_path / "j"), "--jobs", "2")[1] == whole[1]
    assert asked(*words, "--keep", str(tmp_path / "j"), "--engine", "python")[1] == whole[1]


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (("breakthrough", "--seed", "4"), "seed is 0 there, 4 here"),
        (("breakthrough", "--steps", "999"), f"steps is {STEPS} there, 999 here"),
        (("breakthrough", "--decisions", "9"), "decisions is 20000 there, 9 here"),
        (("breakthrough", ":size=5"), "arm: 1 there, 2 here"),
        (("breakthrough:size=5",), "arm 1, arm is breakthrough there, breakthrough:size=5 here"),
        (("breakthrough", "--seats", "mcts:5"), "arm 1, seats 1 is random there, mcts:5 here"),
        (("breakthrough", "--measure", "ties"), "arm 1, measure"),
        (("breakthrough", "--until", "ties ± 1%"), "until is nothing there"),
    ],
)
def test_a_journal_of_another_experiment(tmp_path: Path, words: tuple[str, ...], told: str) -> None:
    journal = str(tmp_path / "games.journal")
    assert asked("breakthrough", "--games", "3", "--keep", journal)[0] == 0
    code, out, err = asked(*words, "--games", "3", "--keep", journal)
    assert (code, out) == (2, "")
    assert told in " ".join(err.split())
    assert "Traceback" not in err


def test_rules_that_have_changed(tmp_path: Path) -> None:
    (tmp_path / "ruleset.json").write_text('{"name": "faulty", "title": "Faulty", "rules": ["game.rules"]}', "utf-8")
    words = (str(tmp_path), "--games", "3", "--keep", str(tmp_path / "j"))
    (tmp_path / "game.rules").write_text(FAULTY, "utf-8")
    assert asked(*words)[0] == 0
    (tmp_path / "game.rules").write_text(FAULTY.replace(".. 1", ".. 2"), "utf-8")
    code, _, err = asked(*words)
    assert code == 2
    assert "rules' digest" in " ".join(err.split())


def test_files_that_are_no_journals(tmp_path: Path) -> None:
    (tmp_path / "folder").mkdir()
    (tmp_path / "text").write_text("this is a text, and no journal at all\n" * 200, "utf-8")
    with sqlite3.connect(tmp_path / "other") as base:
        base.execute("create table things (name text)")
    base.close()
    whole = tmp_path / "whole"
    assert asked("tic-tac-toe", "--games", "400", "--keep", str(whole))[0] == 0
    raw = whole.read_bytes()
    (tmp_path / "half").write_bytes(raw[: len(raw) // 2])
    (tmp_path / "page").write_bytes(raw[:4096])
    middle = len(raw) - 2000
    (tmp_path / "flipped").write_bytes(raw[:middle] + bytes(byte ^ 0x55 for byte in raw[middle:]))
    for name, told in {
        "folder": "it is a folder",
        "nowhere/file": "there is no folder",
        "text": "damaged, or no journal",
        "other": "something else",
        "half": "damaged",
        "page": "damaged",
        "flipped": "damaged",
    }.items():
        code, out, err = asked("tic-tac-toe", "--games", "400", "--keep", str(tmp_path / name))
        assert (code, out) == (2, ""), name
        assert told in " ".join(err.split()), name
        assert "Traceback" not in err, name


@posix
@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() == 0, reason="root may write everything")
def test_a_file_that_may_not_be_written(tmp_path: Path) -> None:
    (tmp_path / "j").touch()
    (tmp_path / "j").chmod(0o444)
    code, _, err = asked("tic-tac-toe", "--games", "4", "--keep", str(tmp_path / "j"))
    assert code == 2
    assert "permissions" in err


def test_one_process_writes_a_journal(tmp_path: Path) -> None:
    (arm,) = lab.experiments.read_arms(("tic-tac-toe",))
    meant = lab.experiments.Experiment((arm,), 4)
    first = lab.experiments.Journal(tmp_path / "j", meant.identity())
    with pytest.raises(rw.RulesetError, match="another process is writing it"):
        lab.experiments.Journal(tmp_path / "j", meant.identity())
    first.close()
    meant.run(meant.begin(), journal=tmp_path / "j")


def test_a_full_disk_is_told_and_nothing_is_lost(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A database may have no more pages than it has: that is how SQLite tells of a full disk."""
    (arm,) = lab.experiments.read_arms(("tic-tac-toe",))
    meant = lab.experiments.Experiment((arm,), 5000)
    opened = lab.experiments.Journal._open

    def small(self: lab.experiments.Journal) -> None:
        opened(self)
        self._base.execute("pragma max_page_count = 5")

    with monkeypatch.context() as patched:
        patched.setattr(lab.experiments.Journal, "_open", small)
        with pytest.raises(rw.RulesetError, match="cannot be written") as caught:
            meant.run(meant.begin(), journal=tmp_path / "j")
    assert "what was played is kept" in caught.value.diagnostics[0].hint
    played, alone = meant.begin(), meant.begin()
    meant.run(played, journal=tmp_path / "j")
    meant.run(alone)
    assert played.data() == alone.data()
