"""Expectations of a scenario that cannot fail, whatever the rules do: they only look as if they tested something."""

from __future__ import annotations

from collections.abc import Collection

from rulewright.compiler.symbols.scope import Scope
from rulewright.compiler.symbols.symbol_table import SymbolTable
from rulewright.compiler.tree_walk import nodes
from rulewright.diagnostics import Report
from rulewright.foundation.node_memo import memoized_by_node
from rulewright.syntax import ast

CODE = "PRP607"


def check_says_something(
    expr: ast.Expr, seats: Collection[str], scope: Scope, world: SymbolTable, report: Report
) -> None:
    """Report a condition, or a value that somebody is to know, in which nothing of the rules occurs."""
    if not any(_is_of_rules(node, seats, scope, world) for node in nodes(expr)):
        said = "nothing of the game is named here, so this is the same whatever the rules do"
        report.error(CODE, said, expr.span, hint="name a field, a zone or a query")


def check_something_is_refused(answer: ast.Answer, several: bool, report: Report) -> None:
    """Report a refusal of nothing. Where `several` are chosen it means that one may not leave off."""
    if isinstance(answer.value, ast.SetOf) and not answer.value.items and not several:
        report.error(CODE, "nothing is refused here, so this always holds", answer.span)


@memoized_by_node
def picks_several(decl: ast.Clause) -> frozenset[str]:
    """The names of a declaration's choices that pick one after the other."""
    asked = (node for node in nodes(decl) if isinstance(node, ast.Choose))
    return frozenset(choice.as_name or choice.name for choice in asked if choice.many is not None)


def _is_of_rules(node: ast.Node, seats: Collection[str], scope: Scope, world: SymbolTable) -> bool:
    """True of a node through which an expression can depend on rules, tables, maps or parameters."""
    match node:
        case ast.Name(name):
            bound = scope.find(name)
            if bound is not None:
                return name not in seats
            return name not in ("true", "false") and not world.enum_values(name, "")
        case (
            ast.Number()
            | ast.BoolLiteral()
            | ast.NoneValue()
            | ast.Divide()
            | ast.IsEmpty()
            | ast.SetOf()
            | ast.ListOf()
            | ast.Range()
            | ast.Unary()
            | ast.Binary()
        ):
            return False
        case _:
            return True


__all__ = ["check_says_something", "check_something_is_refused", "picks_several"]
