"""Jobs in processes: a looping one, or one that needs too much memory, ends without anybody noticing."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from pathlib import Path

from rulewright_tools.progress import VARIABLE
from rulewright_tools.studio.host.jobs.job import (
    AT_ONCE,
    DONE,
    FAILED,
    MOST_TEXT,
    RUNS,
    STOPPED,
    WIDTH,
    Changed,
    Job,
    ended,
    is_taken,
)

LONGEST = 3_600.0
"""Seconds after which a job is stopped."""

_OURS = 2
"""The highest exit code that commands end with by themselves."""


class Processes:
    """Runs the jobs of all pages of a server."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._threads = ThreadPoolExecutor(AT_ONCE, "jobs")
        self._running: dict[int, subprocess.Popen[str]] = {}
        self._lock = threading.Lock()

    def start(self, job: Job, changed: Changed) -> None:
        """Run a job as soon as there is room."""
        self._threads.submit(self._run, job, changed)

    def stop(self, job: Job) -> None:
        """Stop a job, with all processes that it has begun."""
        with self._lock:
            job.state = STOPPED
            process = self._running.get(id(job))
        if process is not None:
            _kill(process)

    def close(self) -> None:
        """Stop all."""
        self._threads.shutdown(wait=False, cancel_futures=True)
        with self._lock:
            running = tuple(self._running.values())
        for process in running:
            _kill(process)

    def _run(self, job: Job, changed: Changed) -> None:
        with self._lock:
            if ended(job):
                return
            job.state = RUNS
            pipe = subprocess.PIPE
            try:
                process = self._running[id(job)] = subprocess.Popen(
                    [sys.executable, "-m", "rulewright_tools", *job.words], cwd=self._folder, stdin=subprocess.DEVNULL,
                    stdout=pipe, stderr=pipe, text=True, encoding="utf-8", errors="replace", start_new_session=True,
                    env={**os.environ, VARIABLE: "json", "COLUMNS": WIDTH, "NO_COLOR": "1"},
                )  # fmt: skip
            except (OSError, ValueError) as error:
                job.state, job.text = FAILED, f"error: it cannot be started: {getattr(error, 'strerror', error)}\n"
        changed(job)
        if ended(job):
            return
        clock = threading.Timer(LONGEST, _kill, (process,))
        clock.daemon = True
        clock.start()
        errors: list[str] = []
        reading = threading.Thread(target=_read_errors, args=(process, job, changed, errors), daemon=True)
        reading.start()
        assert process.stdout is not None
        text = process.stdout.read(MOST_TEXT)
        while process.stdout.read(MOST_TEXT):
            pass
        job.code = process.wait()
        reading.join()
        clock.cancel()
        with self._lock:
            del self._running[id(job)]
            if job.state != STOPPED:
                job.state = DONE if 0 <= job.code <= _OURS else FAILED
        job.text = text + "".join(errors)[:MOST_TEXT]
        job.progress = {}
        changed(job)


def _read_errors(process: subprocess.Popen[str], job: Job, changed: Changed, errors: list[str]) -> None:
    """Read a command's stream for errors: its progress, and error messages."""
    assert process.stderr is not None
    for line in process.stderr:
        if is_taken(line, job):
            changed(job)
        elif sum(map(len, errors)) < MOST_TEXT:
            errors.append(line)


def _kill(process: subprocess.Popen[str]) -> None:
    with suppress(ProcessLookupError, PermissionError):
        os.killpg(process.pid, signal.SIGKILL)
