"""TOML that knows where everything stands.

The library reads files and does not tell places. They are found when something is to be said about a file: the
statement that brings a value ends where the text up to there is valid and holds it for the first time.
"""

from __future__ import annotations

import json
import re
import tomllib
from bisect import bisect_left
from dataclasses import replace
from pathlib import Path
from typing import Any

from rulewright.data.json_positions import JsonPath, JsonText, read_path
from rulewright.data.paths import read_text, shown
from rulewright.data.schema_checks import findings
from rulewright.diagnostics import Diagnostic, RulesetError, Span

_AT = re.compile(r"\(at line (\d+), column (\d+)\)")
_MISSING = object()


class TomlText:
    """A parsed TOML file: its `value`, and the span of any path inside."""

    def __init__(self, text: str, file: str) -> None:
        self.text = text
        self.file = file
        self._lines = text.splitlines(keepends=True)
        try:
            self.value: dict[str, Any] = tomllib.loads(text)
        except tomllib.TOMLDecodeError as error:
            raise RulesetError(self._broken(str(error))) from None

    def span(self, path: JsonPath = (), *, key: bool = False) -> Span:
        """The span of the value at `path` (with `key`, of its key). A path that leads too far gives the last part
        found.
        """
        path = tuple(path)
        while path and _at(self.value, path) is _MISSING:
            path = path[:-1]
        if not path:
            return Span(self.file, 1, 1, 1, 2)
        last = bisect_left(range(1, len(self._lines) + 1), True, key=lambda n: self._holds(n, path)) + 1
        first = self._valid(last - 1)
        begin, end = self._within("".join(self._lines[first:last]), path, key)
        before = sum(map(len, self._lines[:first]))
        return self._between(before + begin, before + end)

    def _broken(self, message: str) -> Diagnostic:
        at = _AT.search(message)
        line, column = (int(at[1]), int(at[2])) if at else (max(1, len(self._lines)), 1)
        error = _AT.sub("", message).replace("(at end of document)", "at the end of the file").strip()
        hint = "texts stand in quotes, lists in [ ], tables of values in { }"
        if error.startswith("Cannot overwrite"):
            error, hint = "this key or table stands twice", "remove one of them"
        elif error.startswith("Cannot declare"):
            error, hint = (
                f"this table stands twice{error.partition(' twice')[2]}",
                "a further one is begun with [[ ]]",
            )
        message = f"this is not valid TOML: {error[0].lower()}{error[1:]}"
        return Diagnostic("DAT001", message, Span(self.file, line, column, line, column + 1), hint=hint)

    def _holds(self, lines: int, path: JsonPath) -> bool:
        """True if the path is there after so many lines, as far as these are whole statements."""
        return _at(tomllib.loads("".join(self._lines[: self._valid(lines)])), path) is not _MISSING

    def _valid(self, lines: int) -> int:
        """So many of the lines, or a few less, that they end with a statement."""
        while True:
            try:
                tomllib.loads("".join(self._lines[:lines]))
            except tomllib.TOMLDecodeError:
                lines -= 1
            else:
                return lines

    def _within(self, statement: str, path: JsonPath, key: bool) -> tuple[int, int]:
        """The place of a key or its value in the statement that brings it."""
        name = next((part for part in reversed(path) if isinstance(part, str)), "")
        found = re.search(rf"(?<![\w-])[\"']?{re.escape(name)}[\"']?(?=\s*[=.\]])", statement)
        whole = statement.rstrip()
        if found is None:
            start = len(whole) - len(whole.lstrip())
            return start, len(whole)
        value = _at(self.value, path)
        if not key and not isinstance(value, dict | list):
            text = str(value).lower() if isinstance(value, bool) else str(value)
            for written in (json.dumps(value, default=str, ensure_ascii=False), f"'{text}'", text):
                at = statement.find(written, found.end())
                if at >= 0:
                    return at, at + len(written)
        return found.span()

    def _between(self, start: int, end: int) -> Span:
        line, column = self._place(start)
        end_line, end_column = self._place(end)
        return Span(self.file, line, column, end_line, end_column)

    def _place(self, at: int) -> tuple[int, int]:
        return self.text.count("\n", 0, at) + 1, at - (self.text.rfind("\n", 0, at) + 1) + 1


def read_toml(path: Path, schema: str) -> TomlText:
    """Read a TOML file; RulesetError with all findings if it does not fit ``schemas/<schema>.schema.json``."""
    source = TomlText(read_text(path), shown(path))
    found = findings(JsonText(json.dumps(source.value, default=str), source.file), schema)
    placed = [replace(one, span=source.span(read_path(one.path), key=one.code == "DAT015")) for one in found]
    if placed:
        raise RulesetError(sorted(placed, key=lambda one: (one.span, one.code, one.message)))
    return source


def _at(value: Any, path: JsonPath) -> Any:
    for part in path:
        try:
            value = value[part]
        except (KeyError, IndexError, TypeError):
            return _MISSING
    return value
