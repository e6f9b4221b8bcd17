"""CSV that remembers where each cell stands: a header row, then one row a piece."""

from __future__ import annotations

import re

from rulewright.data.json_positions import PROSE, few, finding, held, holds
from rulewright.diagnostics import Diagnostic, RulesetError, Span, over_limit
from rulewright.diagnostics.suggestions import did_you_mean
from rulewright.foundation import limits
from rulewright.foundation.lazy_dataclass import dataclass
from rulewright.syntax.lexer.token_fixes import shown

_COLUMN = re.compile(r"[a-z][a-z0-9_]*")
_INTEGER = re.compile(r"-?(0|[1-9][0-9]{0,9})")
_BOUND = 2**31 - 1


@dataclass(frozen=True, slots=True)
class Cell:
    """A cell's value and place."""

    value: int | bool | str | None
    text: str
    span: Span


@dataclass(frozen=True, slots=True)
class Sheet:
    """A whole CSV file."""

    file: str
    header: tuple[str, ...]
    rows: tuple[tuple[Cell, ...], ...]


def parse(text: str, file: str) -> Sheet:
    """Read CSV; all findings together in one :class:`RulesetError`.

    Cells are divided by commas, or by semicolons if the header has no comma. Whole numbers, ``true`` and
    ``false`` are read as such, an empty cell as None; ``"…"`` keeps a cell a text and may hold commas and
    ``""``, and in remarks line ends.
    """
    first = text.partition("\n")[0]
    divider = ";" if ";" in first and "," not in first else ","
    cells = held(text, divider + "\n", limits.TABLE_CELLS)
    if cells > limits.TABLE_CELLS:
        where = Span(file, 1, 1, 1, 2)
        raise RulesetError(over_limit("cells are in this table", cells, limits.TABLE_CELLS, where))
    lines = _split(text, file, divider)
    if not lines:
        raise RulesetError(Diagnostic("DAT024", "the table is empty: a header row is needed", Span(file, 1, 1, 1, 2)))
    found = _check_header(lines[0])
    header = tuple(cell.text for cell in lines[0])
    rows = lines[1:]
    for row in rows:
        if len(row) != len(header):
            what = "cell" if len(row) == 1 else "cells"
            message = f"this row has {len(row)} {what}, but the header has {len(header)}"
            found.append(Diagnostic("DAT024", message, row[0].span.to(row[-1].span)))
    for row in rows:
        for name, cell in zip(header, row, strict=False):
            if holds(cell.text, prose=name in PROSE):
                found.append(finding(cell.text, cell.span))
            elif name == "count" and not (isinstance(cell.value, int) and not isinstance(cell.value, bool)):
                message = f"`count` must be a whole number, not `{shown(cell.text)}`"
                found.append(Diagnostic("DAT011", message, cell.span))
            elif name == "count" and isinstance(cell.value, int) and cell.value < 0:
                found.append(Diagnostic("DAT013", "`count` must be at least 0", cell.span))
            elif isinstance(cell.value, int) and abs(cell.value) > _BOUND:
                found.append(Diagnostic("DAT013", f"{cell.value} is too large: at most {_BOUND}", cell.span))
    if found:
        raise RulesetError(few(found, file))
    return Sheet(file, header, tuple(tuple(row) for row in rows))


def _check_header(cells: list[Cell]) -> list[Diagnostic]:
    found = []
    seen: dict[str, Cell] = {}
    for cell in cells:
        name = cell.text
        if not _COLUMN.fullmatch(name):
            better = re.sub(r"[^a-z0-9]+", "_", shown(name).strip().lower()).strip("_")
            hint = (
                did_you_mean(shown(name), [better]) or "use lower-case letters, digits and `_`, beginning with a letter"
            )
            found.append(Diagnostic("DAT024", f"`{shown(name)}` cannot be the name of a column", cell.span, hint=hint))
        elif name in seen:
            found.append(Diagnostic("DAT024", f"there are two columns `{shown(name)}`", cell.span))
        seen[name] = cell
    return found


def _split(text: str, file: str, divider: str) -> list[list[Cell]]:
    """Rows of cells; blank lines are passed over."""
    rows: list[list[Cell]] = []
    row: list[Cell] = []
    plain = re.compile(rf"[^{divider}\n]*")
    quoted = re.compile(r'"((?:[^"]++|"")*+)"')  # nothing is ever given back, so nothing is kept for that
    at, line, start_of_line = 0, 1, 0
    while at < len(text):
        start, first_line, first_column = at, line, at - start_of_line + 1
        if text[at] == '"':
            match = quoted.match(text, at)
            if match is None:
                place = Span(file, line, first_column, line, first_column + 1)
                raise RulesetError(Diagnostic("DAT024", 'the closing `"` of this cell is missing', place))
            at = match.end()
            content = match[1].replace('""', '"')
            value: int | bool | str | None = content
            line += match[0].count("\n")
            if "\n" in match[0]:
                start_of_line = start + match[0].rindex("\n") + 1
        else:
            found = plain.match(text, at)
            at = found.end() if found else at
            content = text[start:at].strip()
            value = _convert(content)
        span = Span(file, first_line, first_column, line, max(at - start_of_line + 1, first_column + (at == start)))
        row.append(Cell(value, content, span))
        if at < len(text) and text[at] == divider:
            at += 1
            if at < len(text) and text[at] != "\n":
                continue
            column = at - start_of_line + 1
            row.append(Cell(None, "", Span(file, line, column, line, column + 1)))
        if at < len(text) and text[at] != "\n":
            place = Span(file, line, at - start_of_line + 1, line, at - start_of_line + 2)
            raise RulesetError(Diagnostic("DAT024", f'`{divider}` was expected after the closing `"`', place))
        at += 1
        line += 1
        start_of_line = at
        if len(row) > 1 or row[0].text:
            rows.append(row)
        row = []
    return rows


def _convert(text: str) -> int | bool | str | None:
    if text == "":
        return None
    if text in ("true", "false"):
        return text == "true"
    return int(text) if _INTEGER.fullmatch(text) else text
