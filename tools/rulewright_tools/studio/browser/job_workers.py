"""Jobs in other workers of the browser: they go on beside the game, and one that never ends can be ended."""

from __future__ import annotations

import json
from collections import deque
from collections.abc import Callable

from rulewright_tools.studio.browser.exported_files import OwnFiles
from rulewright_tools.studio.host.jobs.job import (
    AT_ONCE,
    DONE,
    FAILED,
    MOST_TEXT,
    RUNS,
    STOPPED,
    Changed,
    Job,
    ended,
    is_taken,
)

OUT, ERROR, CODE, BROKEN = "out", "error", "code", "broken"
"""Kinds of messages from the worker of a job: text of either stream, the exit code, or why it cannot go on."""


class JobWorkers:
    """Runs the jobs of a page. `begin` starts a worker for the job of a number, with the words of its command and the
    player's files as JSON, and `end` ends it, whatever it is at."""

    def __init__(self, begin: Callable[[int, str, str], object], end: Callable[[int], object], files: OwnFiles) -> None:
        self._begin, self._end_worker = begin, end
        self._files = files
        self._waiting: deque[tuple[Job, Changed]] = deque()
        self._running: dict[int, tuple[Job, Changed]] = {}
        self._errors: dict[int, str] = {}

    def start(self, job: Job, changed: Changed) -> None:
        """Run a job as soon as there is room."""
        self._waiting.append((job, changed))
        self._fill()

    def stop(self, job: Job) -> None:
        """Stop a job, whether it waits or runs."""
        job.state = STOPPED
        running = self._running.get(job.id)
        waiting = [one for one in self._waiting if one[0] is job]
        self._waiting = deque(one for one in self._waiting if one[0] is not job)
        for _, changed in waiting:
            changed(job)
        if running is not None:
            self._finish(job.id)

    def receive(self, id: int, kind: str, text: str) -> None:
        """Take a message from the worker of a job; one may arrive although the job was ended meanwhile."""
        if id not in self._running:
            return
        job, changed = self._running[id]
        if kind == OUT:
            job.text = (job.text + text)[:MOST_TEXT]
        elif kind == ERROR:
            for line in text.splitlines(True):
                if is_taken(line, job):
                    changed(job)
                elif len(self._errors[id]) < MOST_TEXT:
                    self._errors[id] += line
        elif kind == CODE:
            job.state, job.code = DONE, int(text)
            self._finish(id)
        else:
            job.state = FAILED
            self._errors[id] += text
            self._finish(id)

    def _finish(self, id: int) -> None:
        """Report a job that has ended, and begin the next one."""
        job, changed = self._running.pop(id)
        self._end_worker(id)
        job.text += self._errors.pop(id)[:MOST_TEXT]
        job.progress = {}
        changed(job)
        self._fill()

    def _fill(self) -> None:
        while self._waiting and len(self._running) < AT_ONCE:
            job, changed = self._waiting.popleft()
            if ended(job):
                continue
            job.state = RUNS
            self._running[job.id] = job, changed
            self._errors[job.id] = ""
            self._begin(job.id, json.dumps(job.words), json.dumps(self._files.texts()))
            changed(job)
