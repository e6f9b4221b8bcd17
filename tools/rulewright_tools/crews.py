"""Workers of a command: this process, others of this machine, or a cluster."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Annotated

import typer

import rulewright as rw
from rulewright_tools.console import CommandError
from rulewright_tools.extras import require

JobsOption = Annotated[int, typer.Option("--jobs", "-j", min=1, help="Processes that work at the same time.")]
ClusterOption = Annotated[
    str | None,
    typer.Option(
        "--cluster",
        metavar="ADDRESS",
        help="The workers of a Dask cluster in place of --jobs: tcp://host:8786, or local:4 for workers here.",
    ),
]


@contextmanager
def crew(jobs: int, cluster: str | None) -> Iterator[rw.workers.Jobs]:
    """The workers of a command, as a context: local processes or a cluster."""
    if cluster is not None:
        if jobs != 1:
            raise CommandError("--jobs and --cluster both say who works: give one of them")
        require("distributed")
        with rw.workers.Cluster(cluster) as there:
            yield there
        return
    try:
        yield jobs
    except RuntimeError as error:
        # Without processes there is nothing to import; in a browser it could not be.
        if jobs == 1 or not _is_broken(error):
            raise
        raise CommandError("a process that worked was killed (out of memory?); try fewer --jobs") from error


def _is_broken(error: RuntimeError) -> bool:
    """True if one of several processes has ended before its work."""
    from concurrent.futures.process import BrokenProcessPool

    return isinstance(error, BrokenProcessPool)
