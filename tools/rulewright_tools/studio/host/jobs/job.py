"""A job as a page sees it, and the protocol of its runner."""

from __future__ import annotations

import json
import re
import shlex
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol

WAITS, RUNS, DONE, STOPPED, FAILED = "waits", "runs", "done", "stopped", "failed"
"""The states of a job. One whose command has found something is done all the same."""

AT_ONCE = 2
"""Jobs that run at the same time; the others wait."""

WIDTH = "100"
"""Letters of a line of what they print."""

MOST_TEXT = 200_000
"""Letters that are kept of what a job has printed."""


@dataclass
class Job:
    """A command that waits, runs or has run."""

    id: int
    words: tuple[str, ...]
    """The words of the command."""
    shown: str
    """The command as a page may see it."""
    ruleset: str = ""
    """The name by which the page knows the ruleset."""
    state: str = WAITS
    code: int | None = None
    """The exit code: 0 if nothing was found, 1 if something was, 2 if it could not be done."""
    text: str = ""
    """All that it has printed."""
    progress: dict[str, Any] = field(default_factory=dict)
    """The part that is done now, how much of it is done, and of how much, if that is known."""
    found: list[dict[str, Any]] = field(default_factory=list)
    """The moments that it has found so far, as :mod:`rulewright_tools.confirming` makes them."""
    curves: dict[str, Any] = field(default_factory=dict)
    """The curves so far, as :mod:`rulewright_tools.reports.game_report.paired_curves` makes them."""
    findings: list[dict[str, Any]] = field(default_factory=list)
    """The differences that an experiment has found, as :mod:`rulewright_tools.reports.experiment_text` words them."""


Changed = Callable[[Job], None]


class Runner(Protocol):
    """Runs jobs beside the host: in processes, or in another worker of a browser."""

    def start(self, job: Job, changed: Changed) -> None:
        """Run a job as soon as there is room; `changed` is called, from anywhere, whenever it is another one."""

    def stop(self, job: Job) -> None:
        """Stop a job, whether it waits or runs."""


def ended(job: Job) -> bool:
    """True if nothing more will come of a job."""
    return job.state in (DONE, STOPPED, FAILED)


def is_taken(line: str, job: Job) -> bool:
    """Take the progress, or what was found, in a line of JSON of a command's stream for errors; False if it is no such
    line."""
    if not line.startswith(('{"progress"', '{"found"')):
        return False
    try:
        record = json.loads(line)
        if "curves" in record.get("found", {}):
            job.curves = dict(record["found"])
        elif "findings" in record.get("found", {}):
            job.findings = list(record["found"]["findings"])
        elif "found" in record:
            job.found.append(dict(record["found"]))
        else:
            job.progress = {"what": record["progress"], "done": record["done"], "total": record["total"]}
    except (ValueError, KeyError, TypeError):
        return False
    return True


def repeatable(words: Sequence[str], names: dict[str, str]) -> str:
    """A command for a terminal, with the names that a page knows in the place of paths."""
    return " ".join(["rulewright", *(_quoted(_named(word, names)) for word in words)])


def _named(word: str, names: dict[str, str]) -> str:
    """A word with a name in the place of the path with which it begins, if variants or nothing follow that."""
    path = next((path for path in names if word == path or word.startswith(f"{path}:")), "")
    return names.get(path, "") + word[len(path) :]


def _quoted(word: str) -> str:
    """A word as a shell reads it: a title that a stranger has written stays one."""
    if re.fullmatch(r"[\w./:=,+-]+( +[\w./:=,+-]+)*", word) is None:
        return shlex.quote(word)
    return f'"{word}"' if " " in word else word
