"""The command as a process of its own: exit codes, interrupts, closed pipes, and equal bytes."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from .conftest import ROOT

COMMAND = [sys.executable, "-m", "rulewright_tools"]


def environment(**more: str) -> dict[str, str]:
    return {**os.environ, "PYTHONPATH": f"{ROOT / 'interpreter'}{os.pathsep}{ROOT / 'tools'}", "COLUMNS": "80", **more}


def start(*args: object, **more: str) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [*COMMAND, *map(str, args)],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        cwd=ROOT,
        env=environment(**more),
        # An interrupt goes to the whole group, as from a terminal, and not to the tests.
        start_new_session=True,
        preexec_fn=_interruptible,
    )


def _interruptible() -> None:
    """Heed interrupts: they are ignored where the tests are started in the background, and programs inherit that."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)


def finish(process: subprocess.Popen[str]) -> tuple[int, str, str]:
    out, err = communicate(process)
    assert "Traceback" not in out + err, err
    return process.returncode, out, err


def communicate(process: subprocess.Popen[str]) -> tuple[str, str]:
    try:
        return process.communicate(timeout=60)
    except subprocess.TimeoutExpired:
        os.killpg(process.pid, signal.SIGKILL)
        process.communicate()
        raise


def test_two_hash_seeds_give_the_same_bytes(tmp_path: Path) -> None:
    def both(*args: object) -> None:
        first, second = (start(*args, PYTHONHASHSEED=seed) for seed in ("1", "2"))
        one, other = finish(first), finish(second)
        assert one == other
        assert one[0] == 0

    both("play", "connect-four", "--auto", "--seed", "3")
    both("simulate", "carolus-magnus", "-n", "4", "--games", "4", "--format", "json")
    both("draw", "carolus-magnus", "--seed", "2")


@pytest.mark.skipif(os.name == "nt", reason="signals of POSIX")
@pytest.mark.parametrize("jobs", [1, 2])
def test_interrupted_simulation(jobs: int) -> None:
    process = start("simulate", "breakthrough", "--games", "1000000", "--jobs", jobs, "--format", "json")
    assert process.stderr is not None
    # It says on stderr that it begins.
    assert "1000000 games" in process.stderr.readline()
    time.sleep(1.5)
    os.killpg(process.pid, signal.SIGINT)
    code, out, err = finish(process)
    assert code == 130
    assert "stopped after" in err
    assert '"complete": false' in out


@pytest.mark.skipif(os.name == "nt", reason="signals of POSIX")
def test_interrupted_while_it_starts() -> None:
    # Until the command is entered, Python itself answers the signal: then it came too early, and the next comes later.
    code, err = -signal.SIGINT, ""
    for wait in (0.3, 0.6, 1.2, 2.4):
        process = start("simulate", "breakthrough", "--games", "1000000")
        time.sleep(wait)
        os.killpg(process.pid, signal.SIGINT)
        code, _, err = finish(process)
        if code != -signal.SIGINT:
            break
    assert code == 130
    assert "stopped" in err


def test_closed_pipe() -> None:
    process = start("play", "breakthrough", "--auto", "--seed", "3")
    assert process.stdout is not None
    assert process.stderr is not None
    process.stdout.readline()
    process.stdout.close()
    err = process.stderr.read()
    process.wait(timeout=120)
    process.stderr.close()
    assert err == ""
    assert process.returncode == 0
