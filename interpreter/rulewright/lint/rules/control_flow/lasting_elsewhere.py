"""CTL122: a lasting field that is used elsewhere."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from rulewright.compiler.tree_walk import nodes
from rulewright.foundation.memo import memoized_by_node, tracked_query
from rulewright.lint.analyses.control_flow import flow_of
from rulewright.lint.analyses.declaration_nodes import nodes_of, statements_that
from rulewright.lint.analyses.mentions import mentions, rooted
from rulewright.lint.analyses.rule_index import RuleIndex
from rulewright.lint.context import Finding, lint_declarations
from rulewright.syntax import ast

_Steps = frozenset[str]
"""The labels of the steps around something."""


class _Uses(NamedTuple):
    """The places where an effect or procedure sets fields and asks for them."""

    set: frozenset[tuple[str, _Steps]]
    """The fields that it sets, and in which steps."""
    reads: frozenset[tuple[str, _Steps, _Steps]]
    """The words in it, in which steps, and the fields that are set where they stand."""


@lint_declarations("CTL122", ast.FieldDecl)
def lasting_elsewhere(decl: ast.Decl, index: RuleIndex) -> Iterator[Finding]:
    """A field that lasts as long as a block, but is set or read only outside of it."""
    for field in nodes_of(decl, ast.FieldDecl):
        for kind in _only_outside(index, field.name, field.lasting) if field.lasting is not None else ():
            message = f"`{field.name}` lasts as long as `{field.lasting}`, but it is {kind} only outside of it"
            yield Finding(message, field.span)


@tracked_query
def _only_outside(index: RuleIndex, field: str, block: str) -> tuple[str, ...]:
    """The words for all that is done with a field, and always outside of a block: ``set``, ``asked``."""
    flow = index.game.ask(flow_of)
    if field in flow.watched:
        return ()
    calls = {decl.name: _uses(decl) for decl in index.game.rules.all(ast.Callable)}
    begun = [block] if block in flow.calls else []
    begun += [word for decl in index.decls for word in _named_in_steps(decl).get(block, ()) if word in flow.calls]
    within = flow.reached(begun)
    settings = [(name, steps) for name, uses in calls.items() for one, steps in uses.set if one == field]
    questions = [
        (name, steps)
        for name, uses in calls.items()
        for word, steps, targets in uses.reads
        if field not in targets and (word == field or field in flow.read_through(word))
    ]
    return tuple(
        kind
        for kind, found in (("set", settings), ("asked", questions))
        if found and not any(name in within or block in steps for name, steps in found)
    )


@memoized_by_node
def _uses(decl: ast.Callable) -> _Uses:
    around: dict[int, set[str]] = {}
    for step in nodes_of(decl, ast.Step):
        for node in nodes(step.body):
            around.setdefault(id(node), set()).add(step.label)
    settings: set[tuple[str, _Steps]] = set()
    targets: dict[int, set[str]] = {}
    for statement in nodes_of(decl, *statements_that("sets")):
        for target in statement.held(statement.sets):
            settings.add((rooted(target), frozenset(around.get(id(target), ()))))
            for node in nodes(target):
                targets.setdefault(id(node), set()).add(rooted(target))
    words = [node for node in nodes(decl.body) if isinstance(node, ast.Name)]
    reads = ((n.name, frozenset(around.get(id(n), ())), frozenset(targets.get(id(n), ()))) for n in words)
    return _Uses(frozenset(settings), frozenset(reads))


@memoized_by_node
def _named_in_steps(decl: ast.Clause) -> dict[str, tuple[str, ...]]:
    """The words in the steps of a declaration, by the labels of these."""
    found: dict[str, tuple[str, ...]] = {}
    for step in nodes_of(decl, ast.Step):
        found[step.label] = (*found.get(step.label, ()), *mentions(step.body).names)
    return found
