"""Ctrl-C ends every command within a second, also while machine code runs and while processes begin to work."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from sampling import thorough

pytestmark = pytest.mark.skipif(os.name != "posix", reason="signals are sent as POSIX does")
COMMAND = (sys.executable, "-m", "rulewright_tools")
LONG = "mcts:1000000"
"""An agent whose first answer takes longer than anybody waits."""


def _hears_interrupts() -> None:
    """Let a process hear Ctrl-C also if the tests are a job in the background, which does not."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)


def stopped(words: tuple[str, ...], folder: Path, told: str = '"done"') -> tuple[int, str, float]:
    """The exit code of a command that is stopped at work, its last line, and the seconds that this took."""
    run = subprocess.Popen(
        [*COMMAND, *words],
        cwd=folder,
        env={**os.environ, "RULEWRIGHT_PROGRESS": "json"},
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        text=True,
        preexec_fn=_hears_interrupts,
    )
    try:
        assert run.stderr is not None
        for line in run.stderr:
            if told in line:
                break
        assert run.poll() is None, line
        time.sleep(2)
        begun = time.monotonic()
        run.send_signal(signal.SIGINT)
        _, rest = run.communicate(timeout=60)
        return run.returncode, rest.strip().splitlines()[-1], time.monotonic() - begun
    finally:
        run.kill()
        run.wait()


def patience() -> float:
    """Seconds in which a command ends: one, and what this machine needs now to begin and end a process."""
    begun = time.monotonic()
    subprocess.run([*COMMAND, "--version"], check=True, stdout=subprocess.DEVNULL)
    return 1 + 2 * (time.monotonic() - begun)


@pytest.mark.parametrize("engine", ["native", "python"])
@pytest.mark.parametrize("jobs", ["1", "2"])
def test_an_experiment(engine: str, jobs: str, tmp_path: Path) -> None:
    pytest.importorskip("scipy")
    words = ("experiment", "connect-four", "--seats", LONG, "--engine", engine, "--jobs", jobs, "--keep", "j")
    code, line, seconds = stopped(words, tmp_path)
    assert code == 130
    assert line.startswith("stopped after 0 games")
    assert seconds < patience()


@pytest.mark.parametrize(
    "words",
    [
        ("tournament", "connect-four", LONG, "random"),
        pytest.param(("simulate", "connect-four", "--seats", LONG, "--games", "4"), marks=thorough),
        ("solve", "connect-four"),
        pytest.param(("fuzz", "connect-four", "--seats", LONG, "--games", "4"), marks=thorough),
        pytest.param(("learn", "connect-four", "--agent", LONG, "-o", "w.json"), marks=thorough),
        pytest.param(("learn", "connect-four", "--agent", LONG, "-o", "w.json", "--jobs", "2"), marks=thorough),
        pytest.param(("tournament", "connect-four", LONG, "random", "--jobs", "2"), marks=thorough),
        pytest.param(("examine", "kings-and-things"), marks=thorough),
        pytest.param(("mutate", "connect-four", "--jobs", "2"), marks=thorough),
    ],
    ids=lambda words: " ".join(words[:1] + words[-2:]),
)
def test_commands_at_work(words: tuple[str, ...], tmp_path: Path) -> None:
    code, line, seconds = stopped(words, tmp_path, '"progress"')
    assert code == 130
    assert line.startswith("stopped")
    assert seconds < patience()


DROPPING = """
import signal, time
from rulewright_tools import signals

class Dropping:
    def __del__(self):
        signal.raise_signal(signal.{name})

signals.listen()
try:
    Dropping()
    time.sleep(60)
except KeyboardInterrupt:
    raise SystemExit(signals.exit_code())
"""


@pytest.mark.parametrize(("name", "code"), [("SIGINT", 130), ("SIGTERM", 143)])
def test_a_signal_whose_exception_is_dropped(name: str, code: int) -> None:
    """Python drops what is raised in a finalizer or in a callback of a weak reference, and each import has some."""
    words = [sys.executable, "-c", DROPPING.format(name=name)]
    ended = subprocess.run(words, preexec_fn=_hears_interrupts, stderr=subprocess.PIPE, text=True, timeout=30)
    assert (ended.returncode, ended.stderr) == (code, "")
