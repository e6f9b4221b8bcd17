"""TYP237: a result that nobody uses."""

from __future__ import annotations

from collections.abc import Iterator

from rulewright.lint.analyses.rule_index import RuleIndex, in_all_games
from rulewright.lint.context import Finding, Subject, lint
from rulewright.syntax import ast


@lint("TYP237")
def result_thrown_away(subject: Subject) -> Iterator[Finding]:
    """A procedure gives something back, and nobody takes it."""
    return in_all_games(subject, _thrown_away)


def _thrown_away(index: RuleIndex) -> Iterator[Finding]:
    statements: dict[str, list[ast.CallStatement]] = {}
    asked: set[str] = set()
    done: set[int] = set()
    for node in index.all_nodes():
        if isinstance(node, ast.CallStatement):
            named = node.call.operand if isinstance(node.call, ast.Call) else node.call
            if isinstance(named, ast.Name):
                statements.setdefault(named.name, []).append(node)
                done.add(id(node.call))
        elif isinstance(node, ast.Call) and isinstance(node.operand, ast.Name) and id(node) not in done:
            asked.add(node.operand.name)
    for name, calls in statements.items():
        info = index.world.calls.get(name)
        if info is not None and info.result is not None and name not in asked:
            for call in calls:
                yield Finding(f"nothing uses the result of `{name}`", call.span, hint=f"let got = {name}(…)")
