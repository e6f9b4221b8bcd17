"""Files of rows that grow: under another name until all of them are there, so half a table is never read."""

from __future__ import annotations

import csv
import os
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol, TypeAlias

from rulewright_lab.experiments.tables.fields import Field

if TYPE_CHECKING:
    import pyarrow as pa
    import pyarrow.parquet as pq
    from numpy.typing import NDArray

Values: TypeAlias = "Sequence[Any] | NDArray[Any]"
"""The values of a column: None where there is none, in an array NaN."""
ROW_GROUP = 1 << 16
"""Rows of a group in Parquet."""
_EXACT = 2**53
"""Whole numbers below it are what they seem."""


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
        self._file = self._part.open("w", encoding="utf-8", errors="backslashreplace", newline="")
        self._rows = csv.writer(self._file)
        self._rows.writerow([field.name for field in fields])
        self._truths = [field.kind == "boolean" for field in fields]

    def add(self, columns: Sequence[Values]) -> None:
        """Write some rows."""
        columns_of_words = [
            _words(one) if truth else _plain(one) for one, truth in zip(columns, self._truths, strict=True)
        ]
        self._rows.writerows(zip(*columns_of_words, strict=True))

    def close(self) -> None:
        """Give the file its name."""
        self._file.close()
        os.replace(self._part, self._path)

    def discard(self) -> None:
        """Leave nothing of it."""
        self._file.close()
        _remove(self._part)


def _plain(column: Values) -> Sequence[Any]:
    """The values of a column, whole numbers as such."""
    import numpy as np

    if not isinstance(column, np.ndarray):
        return column
    known = column == column
    whole = np.where(known, column, 0)
    if (whole == np.trunc(whole)).all() and np.abs(whole).max(initial=0) < _EXACT:
        found: list[Any] = whole.astype(np.int64).tolist()
    else:
        found = [int(one) if one.is_integer() and abs(one) < _EXACT else one for one in column.tolist()]
    return found if known.all() else [value if has else None for value, has in zip(found, known.tolist(), strict=True)]


def _words(truths: Values) -> Values:
    return [None if one is None else "true" if one else "false" for one in truths]


class ParquetWriter:
    """A table in Parquet, compressed by Zstandard, in row groups that are large enough that their descriptions, which
    are kept until the end, take little memory."""

    def __init__(self, path: Path, fields: Sequence[Field]) -> None:
        import pyarrow.parquet as pq

        self._path, self._part = path, _part_of(path)
        self._schema: pa.Schema = arrow_schema(fields)
        self._sink = self._part.open("wb")  # Arrow takes no names that are not UTF-8
        self._file: pq.ParquetWriter = pq.ParquetWriter(self._sink, self._schema, compression="zstd")
        self._waiting: list[pa.Table] = []

    def add(self, columns: Sequence[Values]) -> None:
        """Write some rows, as soon as there are enough."""
        self._waiting.append(arrow_table(columns, self._schema))
        if sum(len(one) for one in self._waiting) >= ROW_GROUP:
            self._write()

    def _write(self) -> None:
        import pyarrow as pa

        if self._waiting:
            self._file.write_table(pa.concat_tables(self._waiting))
            self._waiting.clear()

    def close(self) -> None:
        """Give the file its name."""
        import pyarrow as pa

        self._write()
        self._file.close()
        self._sink.close()
        os.replace(self._part, self._path)
        pa.default_memory_pool().release_unused()

    def discard(self) -> None:
        """Leave nothing of it."""
        self._waiting.clear()
        self._file.close()
        self._sink.close()
        _remove(self._part)


def arrow_schema(fields: Sequence[Field]) -> pa.Schema:
    """The fields as Arrow has them, with their meanings and units."""
    import pyarrow as pa

    kinds = {"string": pa.string(), "integer": pa.int64(), "number": pa.float64(), "boolean": pa.bool_()}
    return pa.schema(
        [pa.field(one.name, kinds[one.kind], metadata={"description": one.about, "unit": one.unit}) for one in fields]
    )


def arrow_table(columns: Sequence[Values], schema: pa.Schema) -> pa.Table:
    """Some rows as a table of Arrow."""
    import pyarrow as pa

    arrays = [_arrow(one, field.type) for one, field in zip(columns, schema, strict=True)]
    return pa.Table.from_arrays(arrays, schema=schema)


def _arrow(values: Values, kind: pa.DataType) -> pa.Array:
    """Values as Arrow has them, put together of its buffers: ``pa.array`` would load pandas, which takes 50 MB."""
    import numpy as np
    import pyarrow as pa

    column = values if isinstance(values, np.ndarray) else None
    if column is None:
        known = np.array([one is not None and one == one for one in values], np.bool_)
    else:
        known = column == column
    if pa.types.is_string(kind):
        texts = [b"" if one is None else one.encode(errors="backslashreplace") for one in values]
        ends = np.cumsum([0, *map(len, texts)], dtype=np.int32)
        buffers = [pa.py_buffer(ends), pa.py_buffer(b"".join(texts))]
    elif pa.types.is_boolean(kind):
        buffers = [pa.py_buffer(np.packbits([bool(one) for one in values], bitorder="little"))]
    else:
        number = np.dtype(kind.to_pandas_dtype())
        plain = [one if has else 0 for one, has in zip(values, known, strict=True)] if column is None else column
        buffers = [pa.py_buffer(np.ascontiguousarray(plain, number))]
    there = None if known.all() else pa.py_buffer(np.packbits(known, bitorder="little"))
    return pa.Array.from_buffers(kind, len(values), [there, *buffers])


def _part_of(path: Path) -> Path:
    return path.with_name(f"{path.name}.part")


def _remove(path: Path) -> None:
    with suppress(OSError):
        path.unlink()
