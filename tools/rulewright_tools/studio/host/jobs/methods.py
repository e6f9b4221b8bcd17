"""Methods about jobs: they are started, stopped and listed; their results are sent as notifications."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any

import rulewright as rw
from rulewright_tools.studio.host.catalogue import Catalogue
from rulewright_tools.studio.host.files.folder import Folder
from rulewright_tools.studio.host.files.path_names import PathNames, Place
from rulewright_tools.studio.host.jobs.commands import KINDS, words_of
from rulewright_tools.studio.host.jobs.job import DONE, MOST_TEXT, RUNS, Job, Runner, ended, repeatable
from rulewright_tools.studio.host.messages import Answered, ErrorCode, Message, Method, Params, Refused, notification
from rulewright_tools.studio.host.play.opening import is_in_scenario

MOST = 20
"""Jobs that are kept for a page; the oldest that have ended are forgotten."""

_SCENARIO = re.compile(r'^scenario "([^"\n]*)".*\n(?:[ \t]{4,}.*\n?)+', re.MULTILINE)
_FOUND = ("", "something was found", "it could not be done")
"""Verdicts by exit codes; of the first each kind of job has its own."""


class JobMethods:
    """The jobs of one page."""

    def __init__(self, catalogue: Catalogue, runner: Runner | None) -> None:
        self._catalogue, self._runner = catalogue, runner
        self._jobs: dict[int, Job] = {}
        self._last = 0
        self.post: Callable[[Message], None] | None = None
        """Sends a message to the page; None while there is no page."""

    @property
    def methods(self) -> dict[str, Method]:
        """Methods by their names."""
        return {
            "jobs/start": self._start,
            "jobs/stop": self._stop,
            "jobs/list": self._list,
            "jobs/curves": self._curves,
        }

    def close(self) -> None:
        """Stop all jobs: their page is closed."""
        for job in tuple(self._jobs.values()):
            self.end(job)

    def _start(self, params: Params) -> Answered:
        words, ruleset = words_of(self._catalogue, params), params.text("ruleset")
        return {"id": self.begin(tuple(words), ruleset)}

    def job(self, id: int) -> Job:
        """The job of a number; Refused if there is none."""
        if id not in self._jobs:
            raise Refused(ErrorCode.PARAMS, f"there is no job {id}")
        return self._jobs[id]

    def begin(self, words: tuple[str, ...], ruleset: str) -> int:
        """Run a command, and say which job that is.

        Raises:
            Refused: There is nothing that could run it, or too much does.
        """
        shown = repeatable(words, self._names(words))
        if self._runner is None:
            raise Refused(ErrorCode.NOT_NOW, f"this page has no server that could run it; in a terminal: {shown}")
        self._forget()
        if len(self._jobs) >= MOST:
            raise Refused(ErrorCode.NOT_NOW, f"{MOST} jobs are waiting or running: stop one of them")
        self._last += 1
        job = self._jobs[self._last] = Job(self._last, words, shown, ruleset)
        self._runner.start(job, self._changed)
        return job.id

    def _stop(self, params: Params) -> Answered:
        id = params.whole("id", 0, 2**31)
        params.done()
        self.end(self.job(id))
        return {}

    def _list(self, params: Params) -> Answered:
        params.done()
        kinds = [one.data(kind) for kind, one in KINDS.items()]
        return {"jobs": [self._job_data(job) for job in self._jobs.values()], "kinds": kinds}

    def _curves(self, params: Params) -> Answered:
        job = self.job(params.whole("job", 0, 2**31))
        params.done()
        return {"drawn": job.curves or None}

    def end(self, job: Job) -> None:
        """Stop a job, unless it has ended."""
        if self._runner is not None and not ended(job):
            self._runner.stop(job)

    def _forget(self) -> None:
        old = [id for id, job in self._jobs.items() if ended(job)]
        for id in old[: max(0, len(self._jobs) - MOST + 1)]:
            del self._jobs[id]

    def _changed(self, job: Job) -> None:
        if (post := self.post) is not None:
            post(notification("jobs/changed", {"job": self._job_data(job)}))

    def _job_data(self, job: Job) -> dict[str, Any]:
        names = PathNames(self._catalogue, self._names(job.words), self._catalogue.home)
        text, places = names.placed(job.text[:MOST_TEXT])
        stories = _SCENARIO.finditer(text) if ended(job) else ()
        progress = {**job.progress, "what": names.text(job.progress["what"])} if job.progress else None
        return {
            "id": job.id,
            "kind": job.words[0],
            "command": job.shown,
            "ruleset": job.ruleset,
            "state": job.state,
            "code": job.code,
            "verdict": _verdict(job, progress or {}),
            "progress": progress,
            "moments": len(job.found),
            "curves": job.curves.get("games", 0),
            "findings": [{**one, "text": names.text(one["text"])} for one in job.findings],
            "stories": [{"title": found[1], "text": found[0]} for found in stories],
            "pieces": [*self._pieces(text, places)],
        }

    def _pieces(self, text: str, places: Iterable[Place]) -> Iterator[dict[str, Any]]:
        """The text in pieces: words, and places of files."""
        at = 0
        for place in (*places, None):
            start = len(text) if place is None else place.at
            if words := text[at:start]:
                yield {"text": words, "place": None}
            if place is not None:
                opens = self._opens(place.file, place.line)
                at = start + place.size
                yield {"text": text[start:at], "place": {"file": place.file, "line": place.line, "opens": opens}}

    def _names(self, words: Iterable[str]) -> dict[str, str]:
        """Names of rulesets by their paths, also of those that are in no catalogue, but are changed by one that is."""
        known = {str(self._catalogue.path(name).absolute()): name for name in self._catalogue.names}
        others = {word: Path(word).name for word in words if Path(word).is_absolute() and Path(word).exists()}
        return {**others, **known}

    def _opens(self, name: str, line: int) -> bool:
        """True if a place is a line of a scenario, which can be opened on the board."""
        try:
            return name.endswith(".rules") and is_in_scenario(Folder(self._catalogue).read(name).text, line)
        except (Refused, rw.RulesetError):
            return False  # it is gone by now


def _verdict(job: Job, progress: dict[str, Any]) -> str:
    """The state of a job in words."""
    if job.state == DONE:
        return _FOUND[job.code or 0] or KINDS[job.words[0]].verdict
    if job.state != RUNS:
        return job.state
    part = f": {progress['done']} of {progress['total']}" if progress.get("total") else ""
    return f"{progress.get('what', 'begins')}{part}"
