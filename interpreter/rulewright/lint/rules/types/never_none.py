"""TYP204: this is never none."""

from __future__ import annotations

from collections.abc import Iterator

from rulewright.compiler.lowering.lowering_context import a_type
from rulewright.lint.analyses.declaration_nodes import nodes_of
from rulewright.lint.analyses.rule_index import RuleIndex
from rulewright.lint.context import Finding, lint_declarations
from rulewright.syntax import ast


@lint_declarations("TYP204", ast.Binary)
def never_none(decl: ast.Decl, index: RuleIndex) -> Iterator[Finding]:
    """Values that are compared with none and never are none."""
    for node in nodes_of(decl, ast.Binary):
        operand, hint = node.left, "leave `or else` out"
        if node.op in ("is", "is not") and ast.NoneValue in (type(node.left), type(node.right)):
            operand = node.right if isinstance(node.left, ast.NoneValue) else node.left
            hint = "if it may be, its type is `… or none`"
        elif node.op != "or else":
            continue
        found = index.type_in(decl, operand)
        if not found.optional and not found.is_collection and found.kind not in ("any", "none"):
            yield Finding(f"this is never none: it is {a_type(found)}", operand.span, hint=hint)
