"""PERF903: all are gone through where few would do."""

from __future__ import annotations

from collections.abc import Iterator

from rulewright.lint.analyses.constant_conditions import operands
from rulewright.lint.analyses.declaration_nodes import nodes_of
from rulewright.lint.analyses.loops import LOOPS, MANY, binds_of, is_free, whole
from rulewright.lint.analyses.rule_index import RuleIndex
from rulewright.lint.context import Finding, lint_declarations
from rulewright.syntax import ast
from rulewright.syntax.printer.expression_printer import print_expr


@lint_declarations("PERF903", *LOOPS, ast.Each, ast.Choose)
def all_where_few(decl: ast.Decl, index: RuleIndex) -> Iterator[Finding]:
    """A loop over all of a kind with a condition that selects a few."""
    for node in nodes_of(decl, *LOOPS, ast.Each, ast.Choose):
        for name, source, later, where in _sources(node):
            if whole(index, source) < MANY or where is None:
                continue
            for part in operands(where, "and"):
                few = _meant(index, part, name, later)
                if few is not None:
                    message = f"all of {print_expr(source)} are gone through, but `{print_expr(part)}` says which"
                    yield Finding(message, part.span, hint=f"write `{name} in {few}`")
                    break


def _sources(node: ast.Node) -> Iterator[tuple[str, ast.Expr, tuple[str, ...], ast.Expr | None]]:
    """The sources of a loop: the name of a member, the source, the names that come later, the condition."""
    match node:
        case ast.Choose():
            yield node.name, node.source, (), node.where
        case ast.Each():
            yield node.bind.name, node.bind.source, (), node.where
        case ast.Comprehension() | ast.Aggregate() | ast.Ranked() | ast.Every():
            names = [bind.name for bind in binds_of(node)]
            for number, bind in enumerate(binds_of(node)):
                yield bind.name, bind.source, tuple(names[number + 1 :]), node.where
        case _:
            pass  # no loop


def _meant(index: RuleIndex, part: ast.Expr, name: str, later: tuple[str, ...]) -> str | None:
    """The few that a condition leaves, as they are written; None if it leaves it open where they are."""
    match part:
        case ast.Binary(op="in", left=ast.Name(word), right=few) if word == name and is_free(few, name, *later):
            return print_expr(few) if not whole(index, few) else None
        case ast.Binary(op="in", left=a, right=ast.Dot(ast.Name(word), "neighbours")) if word == name:
            return f"{print_expr(a)}.neighbours" if is_free(a, name, *later) else None
        case ast.Binary(op="is", left=ast.Name(word), right=one) if word == name:
            return f"{{{print_expr(one)}}}" if is_free(one, name, *later) else None
        case ast.Binary(op="is", left=one, right=ast.Name(word)) if word == name:
            return f"{{{print_expr(one)}}}" if is_free(one, name, *later) else None
        case ast.Binary(op="is", left=ast.Call(ast.Name("distance"), (a, b)), right=ast.Number(1)):
            other = b if a == ast.Name(name) else a if b == ast.Name(name) else None
            if other is not None and is_free(other, name, *later):
                return f"{print_expr(other)}.neighbours"
        case _:
            pass  # no loop
    return None
