"""Events that reactions wait for, whether they happen, and in which order reactions to the same one follow."""

from __future__ import annotations

from itertools import combinations

from rulewright.foundation.memo import tracked_query
from rulewright.lint.analyses.control_flow import FlowAnalysis, flow_of
from rulewright.lint.analyses.mentions import Mentions, in_body, mentions
from rulewright.lint.analyses.rule_index import RuleIndex
from rulewright.lint.subject import Configuration
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
    reactions = [r for r in rules.all(ast.Reaction) if r.by is None and r.moment in ("before", "after")]
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
