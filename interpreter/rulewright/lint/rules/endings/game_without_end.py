"""CTL104: a game without an end."""

from __future__ import annotations

from collections.abc import Iterator

from rulewright.compiler.symbols.symbols import MAIN
from rulewright.lint.analyses.flow_questions import has_ending
from rulewright.lint.analyses.rule_index import RuleIndex
from rulewright.lint.context import Finding, lint_declarations
from rulewright.syntax import ast


@lint_declarations("CTL104", ast.Callable)
def game_without_end(decl: ast.Callable, index: RuleIndex) -> Iterator[Finding]:
    """No rule that is ever run ends the game."""
    if decl.name == MAIN and not has_ending(index):
        hint = "`finish with winner p`, or an `end`"
        yield Finding("no rule ends the game with a result", decl.span, hint=hint)
