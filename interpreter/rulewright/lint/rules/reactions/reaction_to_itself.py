"""TRG302: a reaction to itself."""

from __future__ import annotations

from collections.abc import Iterator

from rulewright.lint.analyses.all_games import Targets, in_all_games
from rulewright.lint.analyses.control_flow import FlowAnalysis
from rulewright.lint.analyses.reaction_events import event_of, happens
from rulewright.lint.analyses.rule_index import RuleIndex
from rulewright.lint.context import Finding, Subject, lint
from rulewright.syntax import ast


@lint("TRG302")
def reaction_to_itself(subject: Subject) -> Iterator[Finding]:
    """A reaction that sets off itself and has nothing that stops it."""
    return in_all_games(subject, _feeds_itself)


def _feeds_itself(index: RuleIndex, targets: Targets) -> Iterator[Finding]:
    flow = index.game.ask(FlowAnalysis)
    for reaction in targets.all(ast.Reaction):
        if reaction.by is not None or reaction.moment not in ("before", "after"):
            continue  # whoever reacts by choice may leave off
        if flow.finishes(reaction.body) or not happens(event_of(reaction), [reaction.body], flow):
            continue
        asked = flow.reads(reaction.where) if reaction.where is not None else frozenset()
        if not asked & flow.writes(reaction.body):
            said = f"`{reaction.name}` triggers itself again, and nothing stops it"
            yield Finding(said, reaction.span, hint="add a `where` that no longer holds once it has been carried out")
