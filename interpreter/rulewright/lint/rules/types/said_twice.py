"""TYP232: a condition that adds nothing."""

from __future__ import annotations

from collections.abc import Iterator

from rulewright.diagnostics import Edit, Fix
from rulewright.lint.analyses.constant_conditions import (
    MOST_PARTS,
    ConditionAnalysis,
    inner_links,
    is_about_none,
    operands,
)
from rulewright.lint.analyses.declaration_nodes import nodes_of
from rulewright.lint.analyses.rule_index import RuleIndex
from rulewright.lint.context import Finding, lint_declarations
from rulewright.syntax import ast
from rulewright.syntax.printer.expression_printer import print_expr


@lint_declarations("TYP232", ast.Binary)
def said_twice(decl: ast.Decl, index: RuleIndex) -> Iterator[Finding]:
    """Parts of a chain that add nothing to another one."""
    truths = ConditionAnalysis(decl, index)
    links = inner_links(decl)
    for node in nodes_of(decl, ast.Binary):
        if node.op not in ("and", "or") or id(node) in links:
            continue
        parts = list(operands(node, node.op))
        decided = truths.never if node.op == "and" else truths.always
        if len(parts) > MOST_PARTS or index.acts(node) or decided(parts):
            continue
        for late, part in enumerate(parts):
            if part in parts[:late]:
                yield Finding(f"`{print_expr(part)}` occurs twice", part.span, fix=_without(node, parts, late))
                continue
            for at, other in enumerate(parts):
                # Of two that stand in a chain of `and` the wider one adds nothing, in a chain of `or` the narrower.
                wide, narrow = (part, other) if node.op == "and" else (other, part)
                # A test for none may stand there for the reader's sake.
                if at != late and part != other and not is_about_none(part) and truths.implies(narrow, wide):
                    if truths.implies(wide, narrow) and at > late:
                        continue
                    message = f"`{print_expr(part)}` adds nothing to `{print_expr(other)}`"
                    yield Finding(message, part.span, fix=_without(node, parts, late))
                    break


def _without(node: ast.Binary, parts: list[ast.Expr], away: int) -> Fix | None:
    """The chain without one part, if it stands on one line and all its brackets are needed."""
    span = node.span
    if span.line != span.end_line or span.end_column - span.column != len(print_expr(node)):
        return None
    kept = [p for i, p in enumerate(parts) if i != away]
    chain = kept[0]
    for part in kept[1:]:
        chain = ast.Binary(node.op, chain, part)
    return Fix(f"leave out `{print_expr(parts[away])}`", (Edit(span, print_expr(chain)),), safe=False)
