"""DAT029: a duplicate row."""

from __future__ import annotations

from collections.abc import Iterator

from rulewright.lint.context import Finding, lint
from rulewright.lint.subject import Subject
from rulewright.syntax import ast

_ASIDE = ("note", "source", "guess")
"""Columns that do not make two rows different."""


@lint("DAT029")
def equal_rows(subject: Subject) -> Iterator[Finding]:
    """Rows of a table of pieces that are the same: copies are counted, so the second one is probably a slip."""
    seen: set[str] = set()
    for decl in subject.source.rules.all(ast.Piece):
        if decl.table is None or decl.table in seen:
            continue
        seen.add(decl.table)
        table = subject.ruleset.table_of(decl)
        first: dict[str, int] = {}
        for number, row in enumerate(table.rows):
            content = repr(sorted((key, value) for key, value in row.items() if key not in _ASIDE))
            if content in first:
                message = "this row repeats an earlier one"
                other = f"the other one is on line {table.span(first[content]).line}"
                hint = "copies are written as `count`"
                yield Finding(message, table.span(number), hint, (other,), table.path(number))
            first.setdefault(content, number)
