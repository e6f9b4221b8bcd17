"""Tables of an experiment, written while it is played."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import rulewright_lab as lab


class Tables:
    """All that are written."""

    def __init__(self, folders: list[lab.experiments.TableFolder]) -> None:
        self.folders = folders
        self.also: Callable[[lab.experiments.TableFolder], None] | None = None
        """The writer of more tables, if there are any."""
        self.interrupted = False
        """True if there are fewer games than requested."""

    def add(self, arm: int, portion: lab.experiments.PortionColumns) -> None:
        """Take in games of an arm."""
        for one in self.folders:
            one.add(arm, portion)


@contextmanager
def written(results: lab.experiments.Results, csv: Path | None, parquet: Path | None) -> Iterator[Tables]:
    """Tables in these folders, which are whole at the end of the block, or none of whose files is there after an
    error."""
    forms = {lab.experiments.CSV: csv, lab.experiments.PARQUET: parquet}
    tables = Tables([])
    try:
        for form, folder in forms.items():
            if folder is not None:
                tables.folders.append(lab.experiments.TableFolder(folder, form, results))
        yield tables
    except BaseException:
        for one in tables.folders:
            one.discard()
        raise
    for one in tables.folders:
        if tables.also is not None:
            tables.also(one)
        one.close(not tables.interrupted)
