"""PERF905: sorted for its first."""

from __future__ import annotations

from collections.abc import Iterator

from rulewright.lint.analyses.declaration_nodes import nodes_of
from rulewright.lint.analyses.loops import is_many
from rulewright.lint.analyses.rule_index import RuleIndex
from rulewright.lint.context import Finding, lint_declarations
from rulewright.syntax import ast
from rulewright.syntax.printer.expression_printer import print_expr


@lint_declarations("PERF905", ast.Ranked)
def sorted_for_its_first(decl: ast.Decl, index: RuleIndex) -> Iterator[Finding]:
    """A list that is sorted although only its first is used."""
    for node in nodes_of(decl, ast.Aggregate, ast.Call, ast.Index):
        ranked = _first_of(node)
        if ranked is not None and is_many(index, ranked.bind.source):
            key = ranked.by.operand if isinstance(ranked.by, ast.Unary) and ranked.by.op == "-" else None
            best = ast.Ranked("best", ranked.bind, ranked.where, key if key is not None else ast.Unary("-", ranked.by))
            hint = f"write `first({print_expr(best)})`: of equal ones it is the first, too"
            yield Finding("all are sorted, though only the first is asked for", node.span, hint=hint)


def _first_of(node: ast.Node) -> ast.Ranked | None:
    match node:
        case ast.Aggregate(kind="first", element=ast.Ranked(kind="sorted") as ranked, binds=()):
            return ranked
        case ast.Call(ast.Name("first"), (ast.Ranked(kind="sorted") as ranked,)):
            return ranked
        case ast.Index(ast.Ranked(kind="sorted") as ranked, (ast.Number(0),)):
            return ranked
        case _:
            return None
