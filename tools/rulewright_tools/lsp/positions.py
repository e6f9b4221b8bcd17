"""Places as the protocol represents them: files as URIs, lines from 0, columns in UTF-16 code units."""

from __future__ import annotations

import os
from pathlib import Path

from lsprotocol import types
from pygls.uris import from_fs_path, to_fs_path

import rulewright as rw


def path_of(uri: str) -> Path | None:
    """The file that a URI names; none for what is not a file, such as a text without a name."""
    if not uri.startswith("file:"):
        return None
    path = to_fs_path(uri)
    return Path(os.path.abspath(path)) if path else None


def uri_of(file: str | Path) -> str:
    """The URI of a file, which messages name relative to the working directory."""
    return from_fs_path(os.path.abspath(file)) or ""


def lines_of(text: str) -> list[str]:
    """The lines of a text as spans count them."""
    return text.removeprefix("\ufeff").replace("\r\n", "\n").replace("\r", "\n").split("\n")


def utf16_offset(line: str, column: int) -> int:
    """The UTF-16 code units before a column that counts characters from 1."""
    return len(line[: max(column - 1, 0)].encode("utf-16-le", "surrogatepass")) // 2


def to_column(line: str, units: int) -> int:
    """The column, from 1, after so many UTF-16 code units."""
    before = line.encode("utf-16-le", "surrogatepass")[: 2 * max(units, 0)]
    return len(before.decode("utf-16-le", "replace")) + 1


def range_of(span: rw.Span, lines: list[str]) -> types.Range:
    """A span as a range. One without a line is the first line of its file."""
    if not span.line:
        return types.Range(types.Position(0, 0), types.Position(0, utf16_offset(lines[0], len(lines[0]) + 1)))
    return types.Range(_position(span.line, span.column, lines), _position(span.end_line, span.end_column, lines))


def _position(line: int, column: int, lines: list[str]) -> types.Position:
    row = min(max(line, 1), len(lines))
    return types.Position(row - 1, utf16_offset(lines[row - 1], column))


def position_in(position: types.Position, lines: list[str]) -> tuple[int, int]:
    """Line and column, from 1, of a position."""
    row = min(position.line, len(lines) - 1)
    return row + 1, to_column(lines[row], position.character)
