"""Fixes that several rules offer: write something else, or take it out of its file."""

from __future__ import annotations

from rulewright.compiler.overlays.addresses import walk
from rulewright.diagnostics import Edit, Fix, Span
from rulewright.syntax import ast
from rulewright.syntax.printer.expression_printer import level_of, print_expr


def instead(node: ast.Expr, other: ast.Expr) -> Fix | None:
    """Write another expression, if this one stands on one line, just as it would be printed."""
    span = node.span
    if span.line != span.end_line or span.end_column - span.column != len(print_expr(node)):
        return None
    text = print_expr(other)
    if level_of(other) < level_of(node):
        text = f"({text})"
    return Fix(f"write `{text}`", (Edit(span, text),), safe=False)


def removal(decl: ast.Clause) -> Fix:
    """Take a whole declaration out of its file."""
    last = max([decl.span.end_line, *(clause.span.end_line for clause in walk(decl))])
    where = Span(decl.span.file, decl.span.line, 1, last + 1, 1)
    return Fix("remove it", (Edit(where, ""),), safe=False)
