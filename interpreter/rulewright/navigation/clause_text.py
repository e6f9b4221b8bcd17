"""The first clause of a declaration as text."""

from __future__ import annotations

from rulewright.diagnostics import Span
from rulewright.foundation.characters import printable
from rulewright.navigation.symbol_index import SymbolIndex
from rulewright.navigation.symbols import Declaration


def lines_of_clause(index: SymbolIndex, span: Span) -> list[str]:
    """The lines of a clause, without what they cite."""
    file = next((f for f in index.files.values() if f.path == span.file), None)
    if file is None:
        return []
    lines = file.text.split("\n")[span.line - 1 : span.end_line]
    lines[-1:] = [lines[-1][: span.end_column - 1]] if lines else []
    return [line.strip() if n == 0 else f"    {line.strip()}" for n, line in enumerate(lines)]


def head_of(index: SymbolIndex, one: Declaration) -> str:
    """The first line of a declaration."""
    return printable(next(iter(lines_of_clause(index, one.head)), ""))
