"""The line a finding is about, and the carets under it."""

from __future__ import annotations

import unicodedata
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from rulewright.diagnostics import RulesetError, Span
from rulewright.foundation.characters import printable
from rulewright.host.files import read_bytes

_WIDEST = 120
_BEFORE = 40
"""Of a line that is too long, so much is kept in front of the carets."""


@dataclass(frozen=True, slots=True)
class Excerpt:
    """One line of a file: as it is shown, with this many spaces before this many carets."""

    text: str
    indent: int
    carets: int


class Sources:
    """Texts of files, given or read when they are needed."""

    def __init__(self, texts: Mapping[str, str] | None = None) -> None:
        self._given = texts or {}
        self._lines: dict[str, list[str]] = {}

    def line(self, file: str, number: int) -> str | None:
        """A line of a file; None if it cannot be had."""
        if file not in self._lines:
            self._lines[file] = self._read(file).split("\n")
        lines = self._lines[file]
        return lines[number - 1] if 0 < number <= len(lines) and lines != [""] else None

    def _read(self, file: str) -> str:
        if file in self._given:
            return self._given[file]
        try:
            raw = read_bytes(Path(file))
        except RulesetError:
            return ""
        return raw.decode("utf-8-sig", "replace").replace("\r\n", "\n").replace("\r", "\n")


def excerpt(sources: Sources, span: Span) -> Excerpt | None:
    """The first line of a span with its carets; None if the span has no line or the file cannot be read."""
    line = sources.line(span.file, span.line) if span.line > 0 else None
    if line is None:
        return None
    start = max(span.column - 1, 0)
    end = span.end_column - 1 if span.end_line == span.line else len(line.rstrip())
    end = max(end, start + 1)
    cut_left = start - _BEFORE if len(line) > _WIDEST and start > _WIDEST - _BEFORE else 0
    shown = line[cut_left : cut_left + _WIDEST]
    before = printable(line[cut_left:start].ljust(start - cut_left))
    marked = printable(line[start : min(end, cut_left + _WIDEST)])
    prefix = "…" if cut_left else ""
    suffix = "…" if cut_left + _WIDEST < len(line) else ""
    return Excerpt(
        text=(prefix + printable(shown) + suffix).rstrip(),
        indent=len(prefix) + width(before),
        carets=max(width(marked), 1),
    )


def width(text: str) -> int:
    """Columns that a text takes on a terminal."""
    total = 0
    for character in text:
        if not unicodedata.combining(character):
            total += 2 if unicodedata.east_asian_width(character) in "WF" else 1
    return total
