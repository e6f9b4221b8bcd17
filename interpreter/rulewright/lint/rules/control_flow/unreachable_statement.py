"""CTL117: a statement that is never reached."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from typing import get_args

from rulewright.lint.analyses.declaration_nodes import blocks_of
from rulewright.lint.analyses.flow_questions import never_returns
from rulewright.lint.analyses.rule_index import RuleIndex
from rulewright.lint.analyses.terminators import holds, way_out
from rulewright.lint.context import Finding, lint_declarations
from rulewright.syntax import ast


@lint_declarations("CTL117", *get_args(ast.Stmt))
def unreachable_statement(decl: ast.Decl, index: RuleIndex) -> Iterator[Finding]:
    """Statements after the point where the rules go elsewhere."""
    for block in blocks_of(decl):
        at = next((i for i, s in enumerate(block[:-1]) if holds(way_out(s), partial(never_returns, index))), None)
        if at is not None:
            yield Finding(f"this is never reached: {_why(block[at])}", block[at + 1].span)


def _why(s: ast.Stmt) -> str:
    line = f"on line {s.span.line}"
    match s:
        case _ if isinstance(s, ast.Ending):
            return f"the game is over {line}"
        case ast.Return():
            return f"there is a `return` {line}"
        case ast.Stop():
            return f"there is a `stop` {line}"
        case ast.Repeat():
            return f"the repetition {line} never stops"
        case ast.CallStatement():
            return f"the call {line} never returns"
        case _:
            return f"every branch {line} leads elsewhere"
