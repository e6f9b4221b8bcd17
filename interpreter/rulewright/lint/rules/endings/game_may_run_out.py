"""CTL119: a game that may run out."""

from __future__ import annotations

from collections.abc import Iterator

from rulewright.compiler.symbols.symbols import MAIN
from rulewright.lint.analyses.flow_questions import has_ending, never_returns
from rulewright.lint.analyses.rule_index import RuleIndex
from rulewright.lint.context import Finding, lint_declarations
from rulewright.syntax import ast


@lint_declarations("CTL119", ast.Callable)
def game_may_run_out(decl: ast.Callable, index: RuleIndex) -> Iterator[Finding]:
    """The game may come to the end of `play`, without a winner."""
    if decl.name == MAIN and not never_returns(index, MAIN) and has_ending(index):
        hint = "say who wins then: `finish with winner …`"
        yield Finding(f"the game may reach the end of `{MAIN}` without a result", decl.span, hint=hint)
