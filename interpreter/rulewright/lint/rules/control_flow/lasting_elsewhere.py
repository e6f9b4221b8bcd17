"""CTL122: a lasting field that is used elsewhere."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property

from rulewright.compiler.tree_walk import nodes
from rulewright.lint.analyses.all_games import Targets, in_all_games
from rulewright.lint.analyses.control_flow import FlowAnalysis
from rulewright.lint.analyses.declaration_nodes import nodes_of, statements_that
from rulewright.lint.analyses.mentions import rooted
from rulewright.lint.analyses.rule_index import RuleIndex
from rulewright.lint.context import Configuration, Finding, Subject, lint
from rulewright.node_memo import memoized_by_node
from rulewright.syntax import ast

_Use = tuple[ast.Callable, ast.Node]
"""Something that uses a field, and the effect or procedure in which it stands."""


@lint("CTL122")
def lasting_elsewhere(subject: Subject) -> Iterator[Finding]:
    """A field that lasts as long as a block, but is set or asked only outside of it."""
    return in_all_games(subject, _lasting_elsewhere)


def _lasting_elsewhere(index: RuleIndex, targets: Targets) -> Iterator[Finding]:
    for decl in targets.all(ast.FieldDecl):
        if decl.lasting is None:
            continue
        uses = index.game.ask(_Uses)
        if decl.name in uses.watched:
            continue
        within = _Extent(decl.lasting, uses.flow)
        settings = uses.settings(decl.name)
        for kind, found in (("set", settings), ("asked", uses.questions(decl.name, settings))):
            if found and not any(within.holds(use) for use in found):
                said = f"`{decl.name}` lasts as long as `{decl.lasting}`, but it is {kind} only outside of it"
                yield Finding(said, decl.span)


class _Uses:
    """The places where the effects and procedures of one game set and ask for fields."""

    def __init__(self, game: Configuration) -> None:
        self.flow = game.ask(FlowAnalysis)

    @cached_property
    def watched(self) -> frozenset[str]:
        """The reads at any time, by consequences, ends and the like."""
        called = (ast.Callable, ast.FieldDecl, ast.Query, ast.Value)
        return frozenset().union(*(self.flow.reads(d) for d in self.flow.index.decls if not isinstance(d, called)))

    def settings(self, field: str) -> list[_Use]:
        """The targets of statements that give a field another value."""
        return [
            (decl, target)
            for decl in self.flow.calls.values()
            for node in nodes_of(decl, *statements_that("sets"))
            for target in node.held(node.sets)
            if rooted(target) == field
        ]

    def questions(self, field: str, settings: list[_Use]) -> list[_Use]:
        """The words that ask for a field, itself or through a query or limits; where it is set does not count."""
        targets = {id(node) for _, target in settings for node in nodes(target)}
        return [
            (decl, node)
            for decl in self.flow.calls.values()
            for word, found in _words(decl).items()
            if word == field or field in self._through(word)
            for node in found
            if id(node) not in targets
        ]

    def _through(self, word: str) -> frozenset[str]:
        """Everything that a query or limits reads."""
        held = self.flow.queries.get(word) or self.flow.limits.get(word)
        return self.flow.reads(held) if held is not None else frozenset()


class _Extent:
    """All that happens between the beginning and the end of a procedure or step."""

    def __init__(self, block: str, flow: FlowAnalysis) -> None:
        called = [block] if block in flow.calls else []
        self._inside: set[int] = set()
        for decl in (*flow.calls.values(), *flow.reacting):
            for step in nodes_of(decl, ast.Step):
                if step.label == block:
                    called += flow.named(step.body)
                    self._inside.update(id(node) for node in nodes(step.body))
        self._reached = flow.reached(called)

    def holds(self, use: _Use) -> bool:
        """True if something happens in between."""
        decl, node = use
        return decl.name in self._reached or id(node) in self._inside


@memoized_by_node
def _words(decl: ast.Callable) -> dict[str, tuple[ast.Name, ...]]:
    """The words in the body of an effect or procedure, with all places where they stand."""
    found: dict[str, list[ast.Name]] = {}
    for node in nodes(decl.body):
        if isinstance(node, ast.Name):
            found.setdefault(node.name, []).append(node)
    return {word: tuple(held) for word, held in found.items()}
