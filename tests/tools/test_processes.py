"""The command as a process of its own: exit codes, interrupts, closed pipes, and equal bytes."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time

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


SEVERAL = """\
import json, sys
from typer.testing import CliRunner
from rulewright_tools.app import app
for words in json.loads(sys.argv[1]):
    done = CliRunner().invoke(app, words)
    print(done.stdout, done.stderr, done.exit_code, sep="\\n")
"""
"""Runs several commands in one process, as most of a short one is its start."""


def test_two_hash_seeds_give_the_same_bytes() -> None:
    commands = (
        ("play", "connect-four", "--seats", "random", "--seed", "3"),
        ("simulate", "carolus-magnus", "-n", "4", "--games", "4", "--format", "json"),
        ("draw", "carolus-magnus", "--seed", "2"),
    )
    words = [sys.executable, "-c", SEVERAL, json.dumps(commands)]
    one, other = (
        subprocess.run(
            words, stdin=subprocess.DEVNULL, capture_output=True, text=True, cwd=ROOT, timeout=60, check=True,
            env=environment(PYTHONHASHSEED=seed),
        )
        for seed in ("1", "2")
    )  # fmt: skip
    assert (one.stdout, one.stderr) == (other.stdout, other.stderr)
    assert one.stdout.count("\n\n0\n") == len(commands), "each has ended well, with nothing on stderr"


@pytest.mark.skipif(os.name == "nt", reason="signals of POSIX")
@pytest.mark.parametrize("jobs", [1, 2])
def test_interrupted_simulation(jobs: int) -> None:
    process = start("simulate", "breakthrough", "--games", "1000000", "--jobs", jobs, "--format", "json")
    assert process.stderr is not None
    # It says on stderr that it begins.
    assert "1000000 games" in process.stderr.readline()
    time.sleep(0.5)
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
    process = start("play", "breakthrough", "--seats", "random", "--seed", "3")
    assert process.stdout is not None
    assert process.stderr is not None
    process.stdout.readline()
    process.stdout.close()
    err = process.stderr.read()
    process.wait(timeout=120)
    process.stderr.close()
    assert err == ""
    assert process.returncode == 0
