"""Facts about a declaration, found once: its nodes, clauses, steps, calls and words, and where each rule stands."""

from __future__ import annotations

from itertools import chain

from rulewright.compiler import tree_walk
from rulewright.compiler.overlays.addresses import label_of, walk
from rulewright.compiler.overlays.declaration_set import Rules, name_of
from rulewright.foundation.memo import memoized_by_node
from rulewright.ir import model as m
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
def what_ifs(decl: ast.Clause) -> tuple[ast.After, ...]:
    """The questions of a declaration about the position after an effect."""
    return tuple(node for node in inner_nodes(decl) if isinstance(node, ast.After))


@memoized_by_node
def union_types(decl: ast.Clause) -> tuple[ast.UnionType, ...]:
    """The types of several kinds of a declaration."""
    return tuple(node for node in inner_nodes(decl) if isinstance(node, ast.UnionType))


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
    """True if a rule pays a player."""
    return any(isinstance(node, ast.PayAll | ast.Reward) for node in inner_nodes(decl))


def rule_infos(rules: Rules) -> tuple[m.RuleInfo, ...]:
    """All rules of a game: its declarations, and what has a label in them."""
    return tuple(chain.from_iterable(map(rule_infos_of, rules.decls.values())))


@memoized_by_node
def rule_infos_of(decl: ast.Decl) -> tuple[m.RuleInfo, ...]:
    """A declaration, and what has a label in it."""
    name = name_of(decl)
    if name is None:
        return ()
    made = {name: _info(name, decl)}
    for clause in clauses(decl):
        if (label := label_of(clause)) is not None:
            made.setdefault(f"{name}.{label}", _info(f"{name}.{label}", clause))
    return tuple(made.values())


def _info(name: str, clause: ast.Clause) -> m.RuleInfo:
    span = clause.span
    return m.RuleInfo(name, clause.trivia.cites, span.file, span.line, span.column)
