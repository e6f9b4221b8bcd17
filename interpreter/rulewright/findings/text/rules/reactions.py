"""Lint rules about reactions: events that they wait for, whether these happen, and in which order reactions to the same
one follow."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations

from rulewright.findings.text.analyses.control_flow import FlowAnalysis, flow_of
from rulewright.findings.text.analyses.declaration_nodes import nodes_of
from rulewright.findings.text.analyses.flow_questions import finishes, reads, writes
from rulewright.findings.text.analyses.mentions import Mentions, in_body, mentions
from rulewright.findings.text.analyses.rule_index import RuleIndex
from rulewright.findings.text.context import Finding, lint_declarations
from rulewright.findings.text.subject import Configuration
from rulewright.foundation.memo import tracked_query
from rulewright.syntax import ast

ROLLS = "rolls"
"""The event that is no procedure but a statement."""


def event_of(reaction: ast.Reaction) -> str:
    """The name of what a reaction waits for."""
    event = reaction.event.operand if isinstance(reaction.event, ast.Call) else reaction.event
    return event.name if isinstance(event, ast.Name) else ""


@tracked_query
def happens(index: RuleIndex, event: str) -> bool:
    """True if an event happens in rules that can be run; that steps do is taken for granted."""
    flow = index.game.ask(flow_of)
    if event in flow.calls:
        return event in flow.run
    return event != ROLLS or flow.rolls_when_run


def sets_off(index: RuleIndex, reaction: ast.Reaction) -> bool:
    """True if a reaction does, directly or not, what it waits for."""
    return _happens_in(index, event_of(reaction), in_body(reaction))


@tracked_query
def _happens_in(index: RuleIndex, event: str, spoken: Mentions) -> bool:
    flow = index.game.ask(flow_of)
    if event in flow.calls:
        return event in flow.reached(flow.named(spoken))
    return event != ROLLS or flow.rolls(spoken)


@tracked_query
def unordered_before(index: RuleIndex, name: str) -> tuple[str, ...]:
    """The reactions before one in the rules, to the same event at the same moment, of which one changes what the other
    sees, in no defined order."""
    return index.game.ask(_unordered).get(name, ())


def _unordered(game: Configuration) -> dict[str, tuple[str, ...]]:
    flow, rules = game.ask(flow_of), game.rules
    ordered = {(a, b) for p in rules.precedence for i, a in enumerate(p.names) for b in p.names[i + 1 :]}
    alone = [r for r in rules.all(ast.Reaction) if r.by is None and r.chooser is None]
    reactions = [r for r in alone if r.moment in ("before", "after")]
    found: dict[str, list[str]] = {}
    for first, second in combinations(reactions, 2):
        if (first.moment, event_of(first)) != (second.moment, event_of(second)):
            continue
        if (first.name, second.name) in ordered or (second.name, first.name) in ordered:
            continue
        if _meet(first, second, flow):
            found.setdefault(second.name, []).append(first.name)
    return {name: tuple(held) for name, held in found.items()}


def _meet(a: ast.Reaction, b: ast.Reaction, flow: FlowAnalysis) -> bool:
    """True if one of them changes what the other reads or changes."""
    first, second = flow.writes(in_body(a)), flow.writes(in_body(b))
    if first & second:
        return True
    return bool(first & flow.reads(mentions((b.body, b.where))) or second & flow.reads(mentions((a.body, a.where))))


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
        if reaction.by is not None or reaction.moment == "during":
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
