"""TYP236: arguments that are exchanged."""

from __future__ import annotations

from collections.abc import Iterator

from rulewright.compiler.overlays.declaration_set import name_of
from rulewright.lint.analyses.declaration_nodes import nodes_of
from rulewright.lint.analyses.rule_index import RuleIndex
from rulewright.lint.context import Finding, lint_declarations
from rulewright.syntax import ast


@lint_declarations("TYP236", ast.Call)
def exchanged_arguments(decl: ast.Decl, index: RuleIndex) -> Iterator[Finding]:
    """Two arguments that are called like each other's parameters."""
    owner = name_of(decl)
    calls = [n for n in nodes_of(decl, ast.Call) if isinstance(n.operand, ast.Name)]
    for call in calls:
        name = call.operand.name  # type: ignore[union-attr]
        params = index.params_of(name)
        words = [a.name if isinstance(a, ast.Name) else "" for a in call.args]
        own = [p.name for p in params]
        if name == owner or len(words) != len(own):
            continue  # a procedure that strikes back calls itself the other way round
        for i, word in enumerate(words):
            for j in range(i + 1, len(words)):
                turned = word == own[j] and words[j] == own[i] and word != words[j]
                if turned and params[i].type == params[j].type and not _also_straight(calls, name, own):
                    message = f"`{name}` takes `{own[i]}` before `{own[j]}`; here they are the other way round"
                    yield Finding(message, call.span)


def _also_straight(calls: list[ast.Call], name: str, own: list[str]) -> bool:
    """True if the same rules call it with its arguments in order, too."""
    return any(
        c.operand == ast.Name(name) and [a.name if isinstance(a, ast.Name) else "" for a in c.args] == own
        for c in calls
    )
