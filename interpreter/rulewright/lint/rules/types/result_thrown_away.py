"""TYP237: a result that nobody uses."""

from __future__ import annotations

from collections.abc import Iterator

from rulewright.lint.analyses.all_games import Targets, in_all_games
from rulewright.lint.analyses.rule_index import RuleIndex
from rulewright.lint.context import Configuration, Finding, Subject, lint
from rulewright.syntax import ast


@lint("TYP237")
def result_thrown_away(subject: Subject) -> Iterator[Finding]:
    """A procedure gives something back, and nobody takes it."""
    return in_all_games(subject, _thrown_away)


def _thrown_away(index: RuleIndex, targets: Targets) -> Iterator[Finding]:
    for statement in targets.nodes(ast.CallStatement):
        named = statement.call.operand if isinstance(statement.call, ast.Call) else statement.call
        if isinstance(named, ast.Name):
            info = index.world.calls.get(named.name)
            if info is not None and info.result is not None and named.name not in index.game.ask(_asked):
                hint = f"let got = {named.name}(…)"
                yield Finding(f"nobody uses what `{named.name}` gives back", statement.span, hint=hint)


def _asked(game: Configuration) -> frozenset[str]:
    """All that is called where its result is used."""
    done: set[int] = set()
    asked: set[str] = set()
    for node in game.ask(RuleIndex).nodes(ast.CallStatement, ast.Call):
        if isinstance(node, ast.CallStatement):
            done.add(id(node.call))
        elif isinstance(node, ast.Call) and isinstance(node.operand, ast.Name) and id(node) not in done:
            asked.add(node.operand.name)
    return frozenset(asked)
