"""CTL104: a game that nobody ends."""

from __future__ import annotations

from collections.abc import Iterator

from rulewright.compiler.driver import MAIN
from rulewright.lint.analyses.all_games import Targets, in_all_games
from rulewright.lint.analyses.control_flow import FlowAnalysis
from rulewright.lint.analyses.rule_index import RuleIndex
from rulewright.lint.context import Finding, Subject, lint


@lint("CTL104")
def game_without_end(subject: Subject) -> Iterator[Finding]:
    """No rule that is ever run ends the game."""
    return in_all_games(subject, _without_end)


def _without_end(index: RuleIndex, targets: Targets) -> Iterator[Finding]:
    flow = index.game.ask(FlowAnalysis)
    if flow.calls[MAIN] in targets and not flow.has_ending:
        hint = "`finish with winner p`, or an `end`"
        yield Finding("no rule ends the game with a result", flow.calls[MAIN].span, hint=hint)
