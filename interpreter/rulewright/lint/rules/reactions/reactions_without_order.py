"""TRG305: two reactions in no defined order."""

from __future__ import annotations

from collections.abc import Iterator

from rulewright.lint.analyses.all_games import Targets, in_all_games
from rulewright.lint.analyses.control_flow import FlowAnalysis
from rulewright.lint.analyses.reaction_events import event_of
from rulewright.lint.analyses.rule_index import RuleIndex
from rulewright.lint.context import Finding, Subject, lint
from rulewright.syntax import ast


@lint("TRG305")
def reactions_without_order(subject: Subject) -> Iterator[Finding]:
    """Two automatic reactions to the same thing, of which one changes what the other sees."""
    return in_all_games(subject, _without_order)


def _without_order(index: RuleIndex, targets: Targets) -> Iterator[Finding]:
    flow = index.game.ask(FlowAnalysis)
    rules = index.game.rules
    ordered = {(a, b) for p in rules.precedence for i, a in enumerate(p.names) for b in p.names[i + 1 :]}
    reactions = [r for r in rules.all(ast.Reaction) if r.by is None and r.moment in ("before", "after")]
    for late, second in enumerate(reactions):
        if second not in targets:
            continue
        for first in reactions[:late]:
            if (first.moment, event_of(first)) != (second.moment, event_of(second)):
                continue
            if (first.name, second.name) in ordered or (second.name, first.name) in ordered:
                continue
            if _meet(first, second, flow):
                event = f"{first.moment} `{event_of(first)}`"
                said = f"`{first.name}` and `{second.name}` both happen {event}, in no defined order"
                yield Finding(said, second.span, hint=f"add `precedence {first.name}, {second.name}`")


def _meet(a: ast.Reaction, b: ast.Reaction, flow: FlowAnalysis) -> bool:
    """True if one of them changes what the other reads or changes."""
    first, second = flow.writes(a.body), flow.writes(b.body)
    return bool(first & second or first & flow.reads((b.body, b.where)) or second & flow.reads((a.body, a.where)))
