"""A folder of tables: games, measures, and what else was requested, with a description of them all.

The description is ``datapackage.json``, a Data Package of Frictionless Data (https://datapackage.org) that names every
field, its type, unit and meaning. It is written last: where it is, all files are whole and belong together.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

from rulewright.foundation import __version__
from rulewright.host import write_text
from rulewright_lab.agents.words import wrong
from rulewright_lab.experiments.columns.portion_columns import PortionColumns
from rulewright_lab.experiments.results import Results
from rulewright_lab.experiments.tables.fields import ANSWERS, CURVES, MEASURES, Field, game_fields
from rulewright_lab.experiments.tables.table_rows import (
    GameBlocks,
    Row,
    answer_rows,
    curve_rows,
    game_values,
    measure_rows,
)
from rulewright_lab.experiments.tables.writers import CsvWriter, ParquetWriter, TableWriter

CSV, PARQUET = "csv", "parquet"
PACKAGE = "datapackage.json"
GAMES = "games"
_WRITERS: Mapping[str, Callable[[Path, Sequence[Field]], TableWriter]] = {CSV: CsvWriter, PARQUET: ParquetWriter}
_MEDIA = {CSV: "text/csv", PARQUET: "application/vnd.apache.parquet"}


class TableFolder:
    """Tables of one form in a folder. Give it every portion, then close or discard it."""

    def __init__(self, folder: Path, form: str, results: Results) -> None:
        """RulesetError if the folder cannot be written."""
        self._folder, self._form, self._results = folder, form, results
        self._names = [tuple(one.units) for one in results.arms]
        self._arms = [one.arm for one in results.arms]
        self._units = results.measures
        self._fields = {GAMES: game_fields(self._units)}
        self._blocks = GameBlocks(self._names, results.seed)
        with self._explain_errors():
            folder.mkdir(parents=True, exist_ok=True)
            with suppress(FileNotFoundError):  # those of an experiment before are no more described by it
                (folder / PACKAGE).unlink()
            self._games = self._writer(GAMES)

    def add(self, arm: int, portion: PortionColumns) -> None:
        """Take in games of an arm, in the order of their seeds."""
        with self._explain_errors():
            for block in self._blocks.add(arm, portion):
                self._games.add(game_values(block, self._arms[block.arm], self._units))

    def close(self, complete: bool) -> None:
        """Write what is left, the other tables, and the description; it is not `complete` if it was interrupted."""
        extra = self._results.extra
        with self._explain_errors():
            for block in self._blocks.rest():
                self._games.add(game_values(block, self._arms[block.arm], self._units))
            self._games.close()
            self._small("measures", MEASURES, measure_rows(self._results))
            if extra.series:
                self._small("curves", CURVES, curve_rows(extra))
            if extra.counts_answers:
                self._small("answers", ANSWERS, answer_rows(extra))
            write_text(self._folder / PACKAGE, json.dumps(self._package(complete), indent=2, ensure_ascii=False) + "\n")

    def also(self, name: str, fields: tuple[Field, ...], rows: Iterable[Row]) -> None:
        """Write one more table, before it is closed."""
        with self._explain_errors():
            self._small(name, fields, rows)

    def discard(self) -> None:
        """Leave no part of a table."""
        self._games.discard()

    def _small(self, name: str, fields: tuple[Field, ...], rows: Iterable[Row]) -> None:
        self._fields[name] = fields
        writer = self._writer(name)
        columns = list(zip(*rows, strict=True)) or [()] * len(fields)
        writer.add(columns)
        writer.close()

    def _writer(self, name: str) -> TableWriter:
        return _WRITERS[self._form](self._folder / f"{name}.{self._form}", self._fields[name])

    def _package(self, complete: bool) -> dict[str, Any]:
        """The description."""
        return {
            "name": "experiment",
            "title": "Games and measures of an experiment",
            "resources": [
                {
                    "name": name,
                    "path": f"{name}.{self._form}",
                    "format": self._form,
                    "mediatype": _MEDIA[self._form],
                    "schema": {"fields": [field.data() for field in fields], "missingValues": [""]},
                }
                for name, fields in self._fields.items()
            ],
            "rulewright": {
                "version": __version__,
                "seed": self._results.seed,
                "complete": complete,
                "arms": [one.arm.data() for one in self._results.arms],
            },
        }

    @contextmanager
    def _explain_errors(self) -> Iterator[None]:
        try:
            yield
        except OSError as problem:
            reason = problem.strerror or str(problem)
            raise wrong(f"the tables cannot be written in {self._folder}: {reason}", "name another folder") from None
