"""TYP235: a range with nothing in it."""

from __future__ import annotations

from collections.abc import Iterator

from rulewright.lint.analyses.declaration_nodes import nodes_of
from rulewright.lint.analyses.rule_index import RuleIndex
from rulewright.lint.analyses.text_fixes import instead
from rulewright.lint.context import Finding, lint_declarations
from rulewright.syntax import ast
from rulewright.syntax.printer.expression_printer import print_expr


@lint_declarations("TYP235", ast.Range)
def empty_range(decl: ast.Decl, index: RuleIndex) -> Iterator[Finding]:
    """Ranges from more to less."""
    for node in nodes_of(decl, ast.Range):
        low, high = node.low, node.high
        least, most = _least(low, index), _most(high, index)
        if least is not None and most is not None and least > most:
            turned = ast.Range(high, low, node.listed)
            exact = isinstance(low, ast.Number) and isinstance(high, ast.Number)
            fix = instead(node, turned) if exact else None
            message = f"no number is from {print_expr(low)} to {print_expr(high)}"
            yield Finding(message, node.span, hint="the lower end stands first", fix=fix)


def _least(expr: ast.Expr, index: RuleIndex) -> int | None:
    value, bounds = index.value_of(expr), index.bounds_of(expr)
    return value if value is not None else bounds[0] if bounds is not None else None


def _most(expr: ast.Expr, index: RuleIndex) -> int | None:
    value, bounds = index.value_of(expr), index.bounds_of(expr)
    return value if value is not None else bounds[1] if bounds is not None else None
