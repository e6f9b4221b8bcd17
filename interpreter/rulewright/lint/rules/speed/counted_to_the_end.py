"""PERF904: counted to the end."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal

from rulewright.diagnostics import Edit, Fix
from rulewright.lint.analyses.declaration_nodes import nodes_of
from rulewright.lint.analyses.loops import is_many
from rulewright.lint.analyses.rule_index import RuleIndex
from rulewright.lint.context import Finding, lint_declarations
from rulewright.syntax import ast
from rulewright.syntax.printer.expression_printer import print_expr

_SOME = {(">", 0), (">=", 1), ("is not", 0)}
_NONE = {("is", 0), ("<", 1), ("<=", 0)}


@lint_declarations("PERF904", ast.Binary)
def counted_to_the_end(decl: ast.Decl, index: RuleIndex) -> Iterator[Finding]:
    """A count of which only matters whether it is 0: the first that is found would answer."""
    for node in nodes_of(decl, ast.Binary):
        counted = _counted(node.left)
        if counted is None or not isinstance(node.right, ast.Number):
            continue
        bound = (node.op, node.right.value)
        kind: Literal["some", "no"] | None = "some" if bound in _SOME else "no" if bound in _NONE else None
        if kind is not None and any(is_many(index, bind.source) for bind in counted.binds):
            better = print_expr(ast.Aggregate(kind, None, counted.binds, counted.where, counted.leading))
            hint, fix = f"write `{better}`", _instead(node, better)
            message = "all are counted, although one of them is enough to know it"
            yield Finding(message, node.span, hint="" if fix is not None else hint, fix=fix)


def _counted(expr: ast.Expr) -> ast.Aggregate | ast.Comprehension | None:
    """The members that are counted: those of a source for which a condition holds."""
    match expr:
        case ast.Aggregate(kind="count", element=None, where=where, binds=binds) if binds and where is not None:
            return expr
        case ast.Call(ast.Name("size"), (ast.Comprehension(element=None, where=where) as held,)) if where is not None:
            return held
    return None


def _instead(node: ast.Expr, better: str) -> Fix | None:
    """The better form, if the other stands on one line as it is printed."""
    span = node.span
    if span.line != span.end_line or span.end_column - span.column != len(print_expr(node)):
        return None
    return Fix(f"write `{better}`", (Edit(span, better),), safe=False)
