"""Facts about a declaration that are needed again and again: its nodes, clauses, steps, calls and words."""

from __future__ import annotations

from rulewright.compiler import tree_walk
from rulewright.compiler.overlays.labels import walk
from rulewright.foundation.node_memo import memoized_by_node
from rulewright.syntax import ast


@memoized_by_node
def inner_nodes(decl: ast.Clause) -> tuple[ast.Node, ...]:
    """All nodes of a declaration but itself, in the order written."""
    return tuple(tree_walk.nodes(decl))[1:]


@memoized_by_node
def clauses(decl: ast.Clause) -> tuple[ast.Clause, ...]:
    """All clauses of a declaration but itself, in the order written."""
    return tuple(walk(decl))


@memoized_by_node
def steps(decl: ast.Clause) -> tuple[ast.Step, ...]:
    """The steps of a declaration."""
    return tuple(clause for clause in clauses(decl) if isinstance(clause, ast.Step))


@memoized_by_node
def calls(decl: ast.Clause) -> tuple[str, ...]:
    """The names of all that a declaration calls with parentheses, each once."""
    return tuple(tree_walk.calls_in(decl))


@memoized_by_node
def hypothetical(decl: ast.Clause) -> tuple[ast.After, ...]:
    """The questions of a declaration about the position after an effect."""
    return tuple(node for node in inner_nodes(decl) if isinstance(node, ast.After))


@memoized_by_node
def words(decl: ast.Clause) -> frozenset[str]:
    """All words of a declaration, whatever they stand for."""
    return frozenset(tree_walk.words(decl))


@memoized_by_node
def eliminates(decl: ast.Clause) -> bool:
    """True if a rule may eliminate a player."""
    calls = (node.call for node in inner_nodes(decl) if isinstance(node, ast.CallStatement))
    return any(isinstance(c, ast.Call) and c.operand == ast.Name("eliminate") for c in calls)


@memoized_by_node
def pays(decl: ast.Clause) -> bool:
    """True if a rule says what somebody is paid."""
    return any(isinstance(node, ast.PayAll | ast.Reward) for node in inner_nodes(decl))


__all__ = ["calls", "clauses", "eliminates", "hypothetical", "inner_nodes", "pays", "steps", "words"]
