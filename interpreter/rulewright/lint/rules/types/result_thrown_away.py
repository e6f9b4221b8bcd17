"""TYP237: a result that is not used."""

from __future__ import annotations

from collections.abc import Iterator

from rulewright.foundation.memo import memoized_by_node, tracked_query
from rulewright.lint.analyses.declaration_nodes import nodes_of
from rulewright.lint.analyses.rule_index import RuleIndex
from rulewright.lint.context import Finding, lint_declarations
from rulewright.lint.subject import Configuration
from rulewright.syntax import ast


@lint_declarations("TYP237", ast.CallStatement)
def result_thrown_away(decl: ast.Decl, index: RuleIndex) -> Iterator[Finding]:
    """A procedure has a result, and a call ignores it."""
    for statement in nodes_of(decl, ast.CallStatement):
        named = statement.call.operand if isinstance(statement.call, ast.Call) else statement.call
        if isinstance(named, ast.Name) and index.result_of(named.name) is not None and not _is_used(index, named.name):
            hint = f"let got = {named.name}(…)"
            yield Finding(f"nobody uses what `{named.name}` gives back", statement.span, hint=hint)


@tracked_query
def _is_used(index: RuleIndex, name: str) -> bool:
    """True if something is called where its result is used."""
    return name in index.game.ask(_used)


def _used(game: Configuration) -> frozenset[str]:
    return frozenset().union(*map(_used_in, game.rules.decls.values()))


@memoized_by_node
def _used_in(decl: ast.Clause) -> frozenset[str]:
    """All that a declaration calls where it uses the result."""
    done: set[int] = set()
    used: set[str] = set()
    for node in nodes_of(decl, ast.CallStatement, ast.Call):
        if isinstance(node, ast.CallStatement):
            done.add(id(node.call))
        elif isinstance(node, ast.Call) and isinstance(node.operand, ast.Name) and id(node) not in done:
            used.add(node.operand.name)
    return frozenset(used)
