"""Component tables with the rows that overlays change, add and take away.

An overlay says what stands in cells as the rules write it: numbers, names, texts. Whether it fits the attribute that
reads it is asked of it as of any cell, at the place where the overlay wrote it.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import field
from typing import NoReturn, assert_never

from rulewright.data.component_tables import BOOKKEEPING, Row, Table
from rulewright.diagnostics import Diagnostic, Span
from rulewright.diagnostics.suggestions import did_you_mean, listing
from rulewright.foundation import limits
from rulewright.foundation.lazy_dataclass import dataclass
from rulewright.syntax import ast

_HOLE = re.compile(r"\{(\w+)\}")
_LISTED = 8
"""So many rows are listed where there is none of a name."""


@dataclass(slots=True)
class _Line:
    """A row while it is changed."""

    cells: Row
    number: int | None
    """The number in the file; none if an overlay has added it."""
    written: dict[str, ast.Node] = field(default_factory=dict)
    """The cells that overlays have written."""
    op: ast.AddRowOp | None = None


def edited(table: Table, name: str, edits: Sequence[ast.RowEdit]) -> Table:
    """The table as the declaration `name` reads it. What cannot be done is among its findings, if the change names
    this declaration: others that read the same table need not report it again."""
    lines = [_Line({**row}, number) for number, row in enumerate(table.rows)]
    findings: list[Diagnostic] = []
    for edit in edits:
        try:
            lines = _Edit(edit, table, lines).done()
        except _Wrong as wrong:
            if edit.kind == name:
                findings.append(wrong.finding)

    def span(row: int | None, column: str | None) -> Span:
        if row is None or row >= len(lines):
            return table.span()
        line = lines[row]
        if column in line.written:
            return line.written[column].span
        return line.op.span if line.op is not None else table.span(line.number, column)

    def path(row: int, column: str | None) -> str:
        line = lines[row]
        return "" if line.number is None or column in line.written else table.path(line.number, column)

    return Table(table.ref, table.file, [line.cells for line in lines], span, path, (*table.findings, *findings))


class _Wrong(Exception):
    """A change that cannot be made."""

    def __init__(self, code: str, message: str, span: Span, hint: str = "") -> None:
        super().__init__(message)
        self.finding = Diagnostic(code, message, span, hint=hint)


class _Edit:
    """One change of a table."""

    def __init__(self, edit: ast.RowEdit, table: Table, lines: list[_Line]) -> None:
        self.edit, self.lines = edit, lines
        held = dict.fromkeys(column for line in lines for column in line.cells)
        self.columns = list(dict.fromkeys([*held, *table.columns, *edit.columns]))

    def done(self) -> list[_Line]:
        """The rows afterwards."""
        match self.edit.op:
            case ast.SetRowsOp(rows, cells):
                values = self._values(cells)
                for line in self._meant(rows):
                    line.cells.update(values)
                    line.written.update((cell.column, cell) for cell in cells)
                return self.lines
            case ast.RemoveRowsOp(rows):
                gone = self._meant(rows)
                return [line for line in self.lines if not any(line is one for one in gone)]
            case ast.AddRowOp(kind, cells) as op:
                made = self._values(cells)
                self._new(kind, made, op)
                return [*self.lines, _Line(made, None, {cell.column: cell for cell in cells}, op)]

    # ------------------------------------------------------------------------------------------------ cells

    def _values(self, cells: Iterable[ast.Cell]) -> Row:
        for cell in cells:
            if cell.column not in self.columns and cell.column not in BOOKKEEPING:
                self._no_column(cell.column, cell.span)
        return {cell.column: self._held(cell) for cell in cells}

    def _held(self, cell: ast.Cell) -> object:
        """The content of a cell, for each number of players if it depends on it."""
        value = self._value(cell.value)
        if not cell.by_count:
            return value
        held = {str(count): value for count in range(1, limits.PLAYERS + 1)}
        return held | {str(count): self._value(b.value) for b in cell.by_count for count in b.counts}

    def _no_column(self, name: str, span: Span) -> NoReturn:
        columns = [c for c in self.columns if c not in BOOKKEEPING]
        hint = did_you_mean(name, [*columns, "count"]) or f"there is {listing(columns)}"
        raise _Wrong("DAT015", f"there is no column `{name}` in the table of {self.edit.kind}", span, hint)

    def _value(self, expr: ast.Expr) -> object:
        """The content of a cell, as it would be read from a file."""
        match expr:
            case ast.Number(value) | ast.BoolLiteral(value):
                return value
            case ast.Unary("-", ast.Number(value)):
                return -value
            case ast.StringLiteral(text):
                return text
            case ast.Name(name) | ast.Dot(ast.TypeName(), name):
                return name
            case ast.NoneValue():
                return None
            case ast.SetOf((ast.Entry(), *_) as entries):
                pairs = (
                    (self._value(entry.key), self._value(entry.value))
                    for entry in entries
                    if isinstance(entry, ast.Entry)
                )
                return {str(key): value for key, value in pairs}
            case ast.ListOf(items) | ast.SetOf(items):
                return [self._value(item) for item in items]
            case _:
                hint = "a number, a name, a text, `true`, `false`, `none`, a list of these, or `{name: 1}`"
                raise _Wrong("VAR404", "this is nothing that a cell can hold", expr.span, hint)

    def _new(self, kind: str, made: Row, op: ast.AddRowOp) -> None:
        """Values of an enum have one row each; pieces may be alike."""
        column = self._named(kind)
        if self.edit.template or column not in made:
            return
        if any(str(line.cells.get(column)) == str(made[column]) for line in self.lines):
            name = made[column]
            hint = f'to change it, write `set row "{name}" of {kind}: …`'
            raise _Wrong("REF007", f"there is a row `{name}` of {kind} already", op.span, hint)

    def _named(self, kind: str) -> str:
        return "name" if "name" in self.columns else kind.lower()

    # ------------------------------------------------------------------------------------------------- rows

    def _meant(self, rows: ast.Rows) -> list[_Line]:
        found = self.lines
        if rows.key is not None:
            found = [line for line in found if rows.key in self._keys(line.cells)]
            if not found:
                keys = list(dict.fromkeys(key for line in self.lines for key in self._keys(line.cells)))
                hint = did_you_mean(rows.key, keys) or (f"there is {listing(keys[:_LISTED])}" if keys else "")
                raise _Wrong("VAR412", f"there is no row `{rows.key}` of {rows.kind}", rows.span, hint)
        if rows.where is not None:
            found = [line for line in found if self._truth(rows.where, line.cells)]
            if not found:
                raise _Wrong("VAR412", f"no row of {rows.kind} is like that", rows.span)
        if len(found) > 1 and not rows.many:
            hint = "say more behind `where`, or write `rows` if all of them are meant"
            raise _Wrong("VAR413", f"{len(found)} rows of {rows.kind} are like that", rows.span, hint)
        return found

    def _keys(self, cells: Row) -> list[str]:
        return row_names(cells, self._named(self.edit.kind), self.edit.template)

    # -------------------------------------------------------------------------------------------- conditions

    def _truth(self, expr: ast.Expr, cells: Row) -> bool:
        match expr:
            case ast.Binary("and", left, right):
                return self._truth(left, cells) and self._truth(right, cells)
            case ast.Binary("or", left, right):
                return self._truth(left, cells) or self._truth(right, cells)
            case ast.Unary("not", operand):
                return not self._truth(operand, cells)
            case ast.Binary("is" | "is not" | "in" | "not in" | "<" | "<=" | ">" | ">=" as op, left, right):
                return self._compared(op, left, right, cells)
            case ast.Name(name) if name in self.columns:
                return cells.get(name) is True
            case ast.Name(name):
                self._no_column(name, expr.span)
            case _:
                hint = "such as `worth < 3 and family is red`"
                raise _Wrong("VAR404", "rows are told apart by what stands in their columns", expr.span, hint)

    def _compared(self, op: ast.CompareOp | ast.MembershipOp, left: ast.Expr, right: ast.Expr, cells: Row) -> bool:
        sides = [self._column(side) is not None for side in (left, right)]
        if not any(sides):
            wrong = next((side for side in (left, right) if isinstance(side, ast.Name)), None)
            if wrong is not None:
                self._no_column(wrong.name, wrong.span)
        a, b = (
            self._in_column(side, cells) if column else self._value(side)
            for side, column in zip((left, right), sides, strict=True)
        )
        match op:
            case "is":
                return a == b and type(a) is type(b)
            case "is not":
                return a != b or type(a) is not type(b)
            case "in":
                return isinstance(b, list) and a in b
            case "not in":
                return not isinstance(b, list) or a not in b
            case "<" | "<=" | ">" | ">=":
                if not isinstance(a, int) or not isinstance(b, int):
                    return False
                return {"<": a < b, "<=": a <= b, ">": a > b, ">=": a >= b}[op]
            case _:
                assert_never(op)

    def _column(self, expr: ast.Expr) -> str | None:
        """The column that ``cost`` or ``cost[wood]`` asks for."""
        named = expr.operand if isinstance(expr, ast.Index) else expr
        return named.name if isinstance(named, ast.Name) and named.name in self.columns else None

    def _in_column(self, expr: ast.Expr, cells: Row) -> object:
        held = cells.get(self._column(expr) or "")
        if isinstance(expr, ast.Index) and len(expr.index) == 1:
            return held.get(str(self._value(expr.index[0])), 0) if isinstance(held, dict) else 0
        return held


def row_names(cells: Row, column: str, template: str) -> list[str]:
    """The names of a row: what stands in the column that names values, and what its pieces are called."""
    named = cells.get(column)
    names = [] if named is None or isinstance(named, dict | list) else [_text(named)]
    holes = _HOLE.findall(template)
    if template and all(hole in cells and not isinstance(cells[hole], dict | list) for hole in holes):
        filled = _HOLE.sub(lambda hole: _text(cells[hole[1]]), template)
        names.append(" ".join(filled.split()))
    return names


def _text(value: object) -> str:
    return "no" if value is None else str(value).lower() if isinstance(value, bool) else str(value)
