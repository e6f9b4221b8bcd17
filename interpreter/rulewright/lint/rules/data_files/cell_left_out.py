"""DAT031: a cell that only one row leaves out."""

from __future__ import annotations

from collections.abc import Iterator

from rulewright.lint.context import Finding, lint
from rulewright.lint.subject import Subject
from rulewright.syntax import ast

_ENOUGH = 3
"""So many rows make a custom."""


@lint("DAT031")
def cell_left_out(subject: Subject) -> Iterator[Finding]:
    """The one row that leaves out a column which all others have: for no value one writes `null`."""
    seen: set[str] = set()
    for decl in subject.source.rules.decls.values():
        if not isinstance(decl, (ast.Piece, ast.EnumDecl)) or decl.table is None or decl.table in seen:
            continue
        seen.add(decl.table)
        table = subject.ruleset.table_of(decl)
        for column in table.columns:
            without = [number for number, row in enumerate(table.rows) if column not in row]
            if len(without) == 1 and len(table.rows) >= _ENOUGH:
                message = f"only this row gives no `{column}`"
                yield Finding(message, table.span(without[0]), "write `null` for none", path=table.path(without[0]))
