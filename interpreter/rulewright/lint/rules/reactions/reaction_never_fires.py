"""TRG301: a reaction that never happens."""

from __future__ import annotations

from collections.abc import Iterator

from rulewright.lint.analyses.all_games import Targets, in_all_games
from rulewright.lint.analyses.control_flow import FlowAnalysis
from rulewright.lint.analyses.reaction_events import event_of, happens
from rulewright.lint.analyses.rule_index import RuleIndex
from rulewright.lint.context import Finding, Subject, lint
from rulewright.syntax import ast


@lint("TRG301")
def reaction_never_fires(subject: Subject) -> Iterator[Finding]:
    """A reaction to something that no rule ever does."""
    return in_all_games(subject, _never_fires)


def _never_fires(index: RuleIndex, targets: Targets) -> Iterator[Finding]:
    flow = index.game.ask(FlowAnalysis)
    for reaction in targets.all(ast.Reaction):
        name = event_of(reaction)
        if name in flow.calls and name in flow.run:
            continue
        run: list[object] = [*(flow.calls[n].body for n in flow.run), *(d.body for d in flow.reacting)]
        if not happens(name, run, flow):
            yield Finding(f"`{reaction.name}` never happens: no rule ever does `{name}`", reaction.event.span)
