"""CTL119: a game that may run out."""

from __future__ import annotations

from collections.abc import Iterator

from rulewright.compiler.driver import MAIN
from rulewright.lint.analyses.all_games import Targets, in_all_games
from rulewright.lint.analyses.control_flow import FlowAnalysis
from rulewright.lint.analyses.rule_index import RuleIndex
from rulewright.lint.context import Finding, Subject, lint


@lint("CTL119")
def game_may_run_out(subject: Subject) -> Iterator[Finding]:
    """The game may come to the end of `play`, where nobody has won."""
    return in_all_games(subject, _may_run_out)


def _may_run_out(index: RuleIndex, targets: Targets) -> Iterator[Finding]:
    flow = index.game.ask(FlowAnalysis)
    if flow.calls[MAIN] in targets and not flow.never_returns(MAIN) and flow.has_ending:
        hint = "say who wins then: `finish with winner …`"
        yield Finding(f"the game may reach the end of `{MAIN}` without a result", flow.calls[MAIN].span, hint=hint)
