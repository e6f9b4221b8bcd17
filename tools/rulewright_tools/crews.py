"""Workers of a command: this process, others of this machine, or a cluster."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

import rulewright as rw
from rulewright_tools.console import CommandError
from rulewright_tools.extras import require


@contextmanager
def crew(jobs: str) -> Iterator[rw.workers.Jobs]:
    """The workers of a command, as a context: so many local processes, or the cluster at an address."""
    if ":" in jobs:
        require("distributed")
        with rw.workers.Cluster(jobs) as there:
            yield there
        return
    count = processes(jobs)
    try:
        yield count
    except RuntimeError as error:
        # Without processes there is nothing to import; in a browser it could not be.
        if count == 1 or not _is_broken(error):
            raise
        raise CommandError("a process that worked was killed (out of memory?); try fewer --jobs") from error


def processes(jobs: str) -> int:
    """The number of processes."""
    if not jobs.isdecimal() or not 1 <= len(jobs) <= 6 or not int(jobs):
        raise CommandError(f"--jobs {jobs}: write a number of processes, or the address of a cluster (tcp://host:8786)")
    return int(jobs)


def _is_broken(error: RuntimeError) -> bool:
    """True if one of several processes has ended before its work."""
    from concurrent.futures.process import BrokenProcessPool

    return isinstance(error, BrokenProcessPool)
