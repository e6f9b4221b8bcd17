"""Component tables: rows of printed things, from JSON or CSV, with the place of every cell.

A reference in the rules names the file and, if it holds several tables, the one that is meant:
``tiles.csv``, ``components.json``, ``components.json#knights``.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import field
from pathlib import Path

from rulewright.data import csv_positions
from rulewright.data.json_positions import JsonPath, read_json
from rulewright.data.paths import inside, read_text, shown
from rulewright.data.schema_checks import validate
from rulewright.diagnostics import NOWHERE, Diagnostic, RulesetError, Span
from rulewright.diagnostics.suggestions import did_you_mean, listing
from rulewright.foundation.lazy_dataclass import dataclass

BOOKKEEPING = frozenset({"count", "guess", "note", "source"})
"""Columns that are not printed on the piece; `count` says how many alike pieces the row stands for."""

IN_RULES = "\n"
"""The beginning of the reference of a table without a file, whose rows the rules add; no text in rules has it."""

NOT_TABLES = frozenset({"$schema", "about", "sources"})
"""Keys of a table file that hold no rows."""

Row = dict[str, object]


@dataclass(slots=True)
class Table:
    """Rows of a component table.

    A cell is a whole number, text, truth, None, a list of those, a dictionary with a number or truth for each name, or
    one that has any of these for each number of players (``{"2": 10, "3": 8}``); :meth:`cell` picks the right one."""

    ref: str
    file: str
    rows: list[Row]
    _span: Callable[[int | None, str | None], Span] = field(repr=False)
    _path: Callable[[int, str | None], str] | None = field(default=None, repr=False)
    findings: tuple[Diagnostic, ...] = ()
    """Changes of its rows that could not be made."""

    def span(self, row: int | None = None, column: str | None = None) -> Span:
        """The span of a cell; without column that of the row, without row that of the table."""
        return self._span(row, column)

    def path(self, row: int, column: str | None = None) -> str:
        """``knights[3].family``: the way to a cell inside the file, for messages; empty if it stands in no file."""
        if self._path is not None:
            return self._path(row, column)
        _, _, part = self.ref.partition("#")
        text = f"{part or 'rows'}[{row}]"
        return f"{text}.{column}" if column else text

    @property
    def columns(self) -> list[str]:
        """All columns that occur, in order of appearance, without the bookkeeping ones."""
        found: dict[str, None] = {}
        for row in self.rows:
            found.update(dict.fromkeys(row))
        return [name for name in found if name not in BOOKKEEPING]

    def cell(self, row: int, column: str, players: int) -> object:
        """A cell with this many players; None if the row does not have it."""
        value = self.rows[row].get(column)
        if isinstance(value, dict) and depends_on_players(value) and str(players) not in value:
            raise RulesetError(
                Diagnostic(
                    "DAT028",
                    f"`{column}` has no value for {players} players",
                    self.span(row, column),
                    path=self.path(row, column),
                    hint=f"it has a value for {listing(value)}",
                )
            )
        return for_players(value, players)

    def count(self, row: int, players: int) -> int:
        """The number of alike pieces that a row stands for."""
        value = self.cell(row, "count", players)
        return value if isinstance(value, int) else 1


def depends_on_players(value: Mapping[str, object]) -> bool:
    """True of a dictionary with a value for each number of players; its keys are numbers."""
    return all(key.isdecimal() for key in value)


def for_players(value: object, players: int) -> object:
    """A cell with this many players; None if it has a value for other numbers alone."""
    return value.get(str(players)) if isinstance(value, dict) and depends_on_players(value) else value


def load_table(folder: Path, ref: str, where: Span = NOWHERE) -> Table:
    """Read the table that `ref`, written at `where`, names; :class:`RulesetError` with all findings if it
    is bad."""
    name, mark, part = ref.partition("#")
    path = inside(folder, name, where)
    if path.suffix == ".csv":
        if mark:
            raise RulesetError(Diagnostic("DAT023", f"`{name}` is one table; it has no part `#{part}`", where))
        return _from_csv(path, ref, where)
    if path.suffix != ".json":
        raise RulesetError(
            Diagnostic("DAT023", f"`{name}` is not a table", where, hint="tables are `.json` or `.csv` files")
        )
    return _from_json(path, ref, part, where)


def _from_json(path: Path, ref: str, part: str, where: Span) -> Table:
    source = read_json(path, where)
    validate(source, "table")
    value = source.value
    assert isinstance(value, dict)  # the schema says so
    tables = [key for key in value if key not in NOT_TABLES]
    if not part:
        if "rows" in tables:
            part = "rows"
        elif len(tables) == 1:
            part = tables[0]
        else:
            hint = f"say which: `{path.name}#{tables[0]}`" if tables else ""
            raise RulesetError(
                Diagnostic("DAT023", f"`{path.name}` holds {listing(tables)}, and no `rows`", where, hint=hint)
            )
    elif part not in tables:
        raise RulesetError(
            Diagnostic(
                "DAT023",
                f"there is no table `{part}` in `{path.name}`",
                where,
                hint=did_you_mean(part, tables) or f"there is {listing(tables)}",
            )
        )
    raw = value[part]
    assert isinstance(raw, list)

    def span(row: int | None, column: str | None) -> Span:
        inner: JsonPath = (part,) if row is None else (part, row) if column is None else (part, row, column)
        return source.span(inner)

    rows: list[Row] = [{**row} for row in raw if isinstance(row, dict)]
    return Table(ref, shown(path), rows, span)


def _from_csv(path: Path, ref: str, where: Span) -> Table:
    sheet = csv_positions.parse(read_text(path, where), shown(path))
    rows: list[Row] = [{name: cell.value for name, cell in zip(sheet.header, row, strict=True)} for row in sheet.rows]
    index = {name: number for number, name in enumerate(sheet.header)}

    def span(row: int | None, column: str | None) -> Span:
        if row is None or row >= len(sheet.rows):
            return Span(sheet.file, 1, 1, 1, 2)
        cells = sheet.rows[row]
        return cells[index[column]].span if column in index else cells[0].span.to(cells[-1].span)

    return Table(ref, shown(path), rows, span)
