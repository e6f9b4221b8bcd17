"""Files of rows that grow: under another name until all of them are there, so nobody reads half a table."""

from __future__ import annotations

import csv
import os
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

from rulewright.experiments.tables.fields import Field

if TYPE_CHECKING:
    import pyarrow as pa
    import pyarrow.parquet as pq

Values = Sequence[Any]
"""The values of a column, None where there is none."""


class TableWriter(Protocol):
    """A table that is being written."""

    def add(self, columns: Sequence[Values]) -> None:
        """Write some rows, given as columns in the order of the fields."""

    def close(self) -> None:
        """Give the file its name."""

    def discard(self) -> None:
        """Leave nothing of it."""


class CsvWriter:
    """A table in CSV as RFC 4180 has it, in UTF-8, with the names of the fields in its first line."""

    def __init__(self, path: Path, fields: Sequence[Field]) -> None:
        self._path, self._part = path, _part_of(path)
        self._file = self._part.open("w", encoding="utf-8", newline="")
        self._rows = csv.writer(self._file)
        self._rows.writerow([field.name for field in fields])
        self._truths = [field.kind == "boolean" for field in fields]

    def add(self, columns: Sequence[Values]) -> None:
        """Write some rows."""
        told = [_told(one) if truth else one for one, truth in zip(columns, self._truths, strict=True)]
        self._rows.writerows(zip(*told, strict=True))

    def close(self) -> None:
        """Give the file its name."""
        self._file.close()
        os.replace(self._part, self._path)

    def discard(self) -> None:
        """Leave nothing of it."""
        self._file.close()
        _remove(self._part)


def _told(truths: Values) -> Values:
    return [None if one is None else "true" if one else "false" for one in truths]


class ParquetWriter:
    """A table in Parquet, compressed by Zstandard; what is added is a row group."""

    def __init__(self, path: Path, fields: Sequence[Field]) -> None:
        import pyarrow as pa
        import pyarrow.parquet as pq

        kinds = {"string": pa.string(), "integer": pa.int64(), "number": pa.float64(), "boolean": pa.bool_()}
        self._path, self._part = path, _part_of(path)
        self._schema: pa.Schema = pa.schema(
            [
                pa.field(one.name, kinds[one.kind], metadata={"description": one.about, "unit": one.unit})
                for one in fields
            ]
        )
        self._file: pq.ParquetWriter = pq.ParquetWriter(self._part, self._schema, compression="zstd")

    def add(self, columns: Sequence[Values]) -> None:
        """Write some rows."""
        import pyarrow as pa

        arrays = [pa.array(one, field.type, from_pandas=True) for one, field in zip(columns, self._schema, strict=True)]
        self._file.write_table(pa.Table.from_arrays(arrays, schema=self._schema))

    def close(self) -> None:
        """Give the file its name."""
        self._file.close()
        os.replace(self._part, self._path)

    def discard(self) -> None:
        """Leave nothing of it."""
        self._file.close()
        _remove(self._part)


def _part_of(path: Path) -> Path:
    return path.with_name(f"{path.name}.part")


def _remove(path: Path) -> None:
    with suppress(OSError):
        path.unlink()
