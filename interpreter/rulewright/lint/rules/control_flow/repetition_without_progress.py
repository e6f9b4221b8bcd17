"""CTL120: a repetition without progress."""

from __future__ import annotations

from collections.abc import Iterator

from rulewright.compiler.tree_walk import nodes
from rulewright.lint.analyses.all_games import Targets, in_all_games
from rulewright.lint.analyses.control_flow import FlowAnalysis
from rulewright.lint.analyses.rule_index import RuleIndex
from rulewright.lint.context import Finding, Subject, lint
from rulewright.syntax import ast
from rulewright.syntax.printer.expression_printer import print_expr

_LEAVE = ast.Transfer | ast.Restriction


@lint("CTL120")
def repetition_without_progress(subject: Subject) -> Iterator[Finding]:
    """A repetition whose condition nothing in it can change."""
    return in_all_games(subject, _no_progress)


def _no_progress(index: RuleIndex, targets: Targets) -> Iterator[Finding]:
    flow = index.game.ask(FlowAnalysis)
    for node in targets.nodes(ast.Repeat):
        if any(isinstance(n, _LEAVE) for n in nodes(node.body)):
            continue
        if flow.finishes(node.body):
            continue
        changed = flow.writes(node.body) | flow.follows
        if node.mode in ("until", "while") and node.value is not None:
            if index.acts(node.value) or index.has_parameter(node.value) or flow.reads(node.value) & changed:
                continue
            yield Finding(f"nothing in this repetition changes `{print_expr(node.value)}`", node.span)
        elif node.mode == "forever" and node.at_most is None:
            ends = [d for d in flow.reacting if isinstance(d, ast.End)]
            if ends and not any(flow.reads(d.when) & changed for d in ends):
                yield Finding("this never ends: nothing in it changes what an end of the game reads", node.span)
