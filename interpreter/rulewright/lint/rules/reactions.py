"""Lint rules about reactions."""

from __future__ import annotations

from collections.abc import Iterator

from rulewright.lint.analyses.declaration_nodes import nodes_of
from rulewright.lint.analyses.flow_questions import finishes, reads, writes
from rulewright.lint.analyses.reaction_events import event_of, happens, sets_off, unordered_before
from rulewright.lint.analyses.rule_index import RuleIndex
from rulewright.lint.context import Finding, lint_declarations
from rulewright.syntax import ast


@lint_declarations("TRG301", ast.Reaction)
def reaction_never_fires(decl: ast.Decl, index: RuleIndex) -> Iterator[Finding]:
    """A reaction to something that no rule ever does."""
    for reaction in nodes_of(decl, ast.Reaction):
        name = event_of(reaction)
        if not happens(index, name):
            yield Finding(f"`{reaction.name}` never happens: no rule ever does `{name}`", reaction.event.span)


@lint_declarations("TRG302", ast.Reaction)
def reaction_to_itself(decl: ast.Decl, index: RuleIndex) -> Iterator[Finding]:
    """A reaction that sets off itself and has nothing that stops it."""
    for reaction in nodes_of(decl, ast.Reaction):
        if reaction.by is not None or reaction.moment not in ("before", "after"):
            continue  # a reaction by choice may be left off
        if finishes(index, reaction.body) or not sets_off(index, reaction):
            continue
        read = reads(index, reaction.where) if reaction.where is not None else frozenset()
        if not read & writes(index, reaction.body):
            message = f"`{reaction.name}` triggers itself again, and nothing stops it"
            yield Finding(
                message, reaction.span, hint="add a `where` that no longer holds once it has been carried out"
            )


@lint_declarations("TRG305", ast.Reaction)
def reactions_without_order(decl: ast.Decl, index: RuleIndex) -> Iterator[Finding]:
    """Two automatic reactions to the same thing, of which one changes what the other sees."""
    for second in nodes_of(decl, ast.Reaction):
        for first in unordered_before(index, second.name):
            message = (
                f"`{first}` and `{second.name}` both happen {second.moment} `{event_of(second)}`, in no defined order"
            )
            yield Finding(message, second.span, hint=f"add `precedence {first}, {second.name}`")
