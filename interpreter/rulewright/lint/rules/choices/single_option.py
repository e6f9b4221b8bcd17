"""CHO304: a question with one answer."""

from __future__ import annotations

from collections.abc import Iterator

from rulewright.lint.analyses.declaration_nodes import nodes_of
from rulewright.lint.analyses.rule_index import RuleIndex
from rulewright.lint.context import Finding, lint_declarations
from rulewright.syntax import ast
from rulewright.syntax.printer.expression_printer import print_expr


@lint_declarations("CHO304", ast.Choose, ast.Either)
def single_option(decl: ast.Decl, index: RuleIndex) -> Iterator[Finding]:
    """Questions that have one answer."""
    for node in nodes_of(decl, ast.Choose, ast.Either):
        match node:
            case ast.Choose(who=who, optional=False, source=source) if who != ast.Name("chance"):
                if _one_member(source, index):
                    message = f"there is only one answer: {print_expr(source)}"
                    yield Finding(
                        message, source.span, hint=f"without a question: let {node.name} = …; or `may choose`"
                    )
            case ast.Either(options=(only,)):
                hint = "ask `may choose`, or do it without a question"
                yield Finding(f"`{only.label}` is the only option", node.span, hint=hint)
            case _:
                pass  # all else is in order


def _one_member(source: ast.Expr, index: RuleIndex) -> bool:
    match source:
        case ast.SetOf((_,)) | ast.ListOf((_,)):
            return True
        case ast.Range(low, high):
            return low == high or (index.value_of(low) is not None and index.value_of(low) == index.value_of(high))
        case _:
            return False
