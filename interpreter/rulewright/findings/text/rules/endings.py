"""Lint rules about how games end."""

from __future__ import annotations

from collections.abc import Iterator

from rulewright.compiler.symbols.symbols import MAIN
from rulewright.findings.text.analyses.declaration_nodes import nodes_of
from rulewright.findings.text.analyses.flow_questions import has_ending, never_returns
from rulewright.findings.text.analyses.rule_index import RuleIndex
from rulewright.findings.text.context import Finding, lint_declarations
from rulewright.foundation.memo import tracked_query
from rulewright.syntax import ast


@lint_declarations("CTL133", ast.Win, ast.RankAll)
def end_without_paying(decl: ast.Decl, index: RuleIndex) -> Iterator[Finding]:
    """Ends with a winner or a ranking in a game that pays at other ends, and nowhere else: winning is worth nothing."""
    for node in nodes_of(decl, ast.Win, ast.RankAll):
        if pays_at_the_end_alone(index):
            hint = "`finish paying … for p in players`; who was paid most has won"
            yield Finding("this end pays nobody, so who wins here gets no more than who loses", node.span, hint=hint)


@tracked_query
def pays_at_the_end_alone(index: RuleIndex) -> bool:
    """True if some rule pays at the end of the game, and none on the way."""
    found = [node for decl in index.decls for node in nodes_of(decl, ast.PayAll, ast.Reward)]
    return bool(found) and not any(isinstance(node, ast.Reward) for node in found)


@lint_declarations("CTL119", ast.Callable)
def missing_result(decl: ast.Callable, index: RuleIndex) -> Iterator[Finding]:
    """The game may come to the end of `play`, without a winner."""
    if decl.name == MAIN and not never_returns(index, MAIN) and has_ending(index):
        hint = "say who wins then: `finish with winner …`"
        yield Finding(f"the game may reach the end of `{MAIN}` without a result", decl.span, hint=hint)


@lint_declarations("CTL104", ast.Callable)
def endless_game(decl: ast.Callable, index: RuleIndex) -> Iterator[Finding]:
    """No rule that is ever run ends the game."""
    if decl.name == MAIN and not has_ending(index):
        hint = "`finish with winner p`, or an `end`"
        yield Finding("no rule ends the game with a result", decl.span, hint=hint)


@lint_declarations("CTL105", ast.RankAll, ast.PayAll)
def incomplete_ranking(decl: ast.Decl, index: RuleIndex) -> Iterator[Finding]:
    """A ranking at the end, or what is paid there, that leaves a player out."""
    for node in nodes_of(decl, ast.RankAll, ast.PayAll):
        if isinstance(node, ast.RankAll) and _some(node.bind.source):
            hint = "rank all, and let a first measure put the others last"
            yield Finding("not everybody gets a place in this ranking", node.span, hint=hint)
        elif isinstance(node, ast.PayAll) and _some(node.bind.source):
            hint = "pay all, the others `… if … else 0`"
            yield Finding("not everybody is paid here, and the others get no place", node.span, hint=hint)


def _some(source: ast.Expr) -> bool:
    """True if a player is left out, as it is written."""
    if isinstance(source, ast.Comprehension):
        return source.where is not None
    selected = isinstance(source, ast.Binary) and source.op in ast.SELECTING
    return selected or isinstance(source, (ast.Ranked, ast.SetOf, ast.ListOf))


@lint_declarations("CTL132", ast.Reward)
def payment_of_nothing(decl: ast.Decl, index: RuleIndex) -> Iterator[Finding]:
    """Rewards without effect: of 0, or for no player."""
    for node in nodes_of(decl, ast.Reward):
        if index.bounds_of(node.value) == (0, 0):
            yield Finding("this reward pays nothing", node.span)
        elif isinstance(node.who, ast.SetOf | ast.ListOf) and not node.who.items:
            yield Finding("this reward pays nobody", node.span)
