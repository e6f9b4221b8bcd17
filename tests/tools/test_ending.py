"""Ends of commands that are told to stop, that are killed, or that nobody listens to: as processes."""

from __future__ import annotations

import os
import signal
import subprocess
import time
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import pytest

from sampling import thorough

from .test_processes import COMMAND, ROOT, environment, finish, start

pytestmark = pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="looks for processes as Linux tells them")


def parents() -> Iterator[tuple[int, int]]:
    """Every process that is alive, with the one that has begun it."""
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit():
            with suppress(OSError):
                state, parent = entry.joinpath("stat").read_text().rpartition(")")[2].split()[:2]
                if state != "Z":
                    yield int(entry.name), int(parent)


def below(process: int) -> set[int]:
    """All that a process has begun."""
    found = {process}
    for _ in range(4):
        found |= {one for one, parent in parents() if parent in found}
    return found - {process}


def worker_pool(process: subprocess.Popen[str]) -> set[int]:
    """Wait until the workers are there."""
    until = time.monotonic() + 60
    while time.monotonic() < until:
        # Two workers, and the process that Python keeps for what they share.
        if len(found := below(process.pid)) >= 3:
            time.sleep(0.2)
            return found
        assert process.poll() is None, process.communicate()
        time.sleep(0.05)
    raise AssertionError("no workers")


def gone(processes: set[int]) -> bool:
    """True if all are gone, soon."""
    until = time.monotonic() + 20
    while time.monotonic() < until:
        if not processes & {one for one, _ in parents()}:
            return True
        time.sleep(0.05)
    for one in processes:
        with suppress(ProcessLookupError):
            os.kill(one, signal.SIGKILL)
    return False


def test_simulate_is_told_to_end() -> None:
    process = start("simulate", "breakthrough", "--games", "1000000", "--jobs", "2", "--format", "json")
    workers = worker_pool(process)
    process.terminate()
    code, out, err = finish(process)
    assert code == 128 + signal.SIGTERM
    assert "stopped" in err
    assert '"complete": false' in out
    assert gone(workers)


@pytest.mark.parametrize("command", ["fuzz", pytest.param("mutate", marks=thorough)])
def test_killed(command: str) -> None:
    process = start(command, "breakthrough", "--games", "1000000", "--jobs", "2")
    workers = worker_pool(process)
    process.kill()
    assert gone(workers)
    process.communicate()


def shell(line: str) -> subprocess.CompletedProcess[str]:
    """A line of the shell in which ``$R`` is the command."""
    done = subprocess.run(
        ["bash", "-c", line.replace("$R", " ".join(COMMAND))],
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        cwd=ROOT,
        env=environment(),
        timeout=60,
    )
    assert "inside Rulewright" not in done.stderr
    assert "Traceback" not in done.stderr
    assert "Exception ignored" not in done.stderr
    return done


@pytest.mark.parametrize(
    ("line", "code"),
    [
        ("$R explain REF001 <&- >&- 2>&-", 0),
        ("$R play tic-tac-toe <&-", 0),
        ("$R explain >/dev/full", 2),
        ("$R check nowhere 2>&1 | true; exit ${PIPESTATUS[0]}", 2),
    ],
)
def test_closed_streams(line: str, code: int) -> None:
    assert shell(line).returncode == code


def test_a_closed_stream_is_not_written_into_the_file(tmp_path: Path) -> None:
    """Without its standard output a process gives that number to the next file it opens."""
    file = tmp_path / "board.svg"
    assert shell(f"$R draw tic-tac-toe -o {file} >&- 2>&-").returncode == 0
    assert file.read_text("utf-8").startswith("<?xml")
    assert file.read_text("utf-8").endswith("</svg>\n")
