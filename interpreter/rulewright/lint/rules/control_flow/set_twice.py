"""CTL106: set twice in a row."""

from __future__ import annotations

from collections.abc import Iterator

from rulewright.lint.analyses.declaration_nodes import blocks_of
from rulewright.lint.analyses.flow_questions import due, reads, writes
from rulewright.lint.analyses.mentions import rooted
from rulewright.lint.analyses.rule_index import RuleIndex
from rulewright.lint.context import Finding, lint_declarations
from rulewright.syntax import ast
from rulewright.syntax.printer.expression_printer import print_expr

_FAR = 30
"""The number of statements below that are searched for another assignment."""
_SIMPLE = ast.StateChange | ast.Let | ast.Show


@lint_declarations("CTL106", ast.Assign)
def set_twice(decl: ast.Decl, index: RuleIndex) -> Iterator[Finding]:
    """A field that is set and set again before it could have been read."""
    asks = not (isinstance(decl, ast.Callable) and decl.word == "effect")
    for block in blocks_of(decl):
        for at, s in enumerate(block):
            if not (isinstance(s, ast.Assign) and s.op == "=") or index.acts(s.value):
                continue
            name = rooted(s.target)
            if asks and name in due(index):
                continue  # a consequence looks at it in between
            again = _again(s, block[at + 1 : at + 1 + _FAR], index)
            if again is not None:
                message = f"`{print_expr(s.target)}` is set again on line {again.span.line} before anything reads it"
                yield Finding(message, s.span)


def _again(first: ast.Assign, rest: tuple[ast.Stmt, ...], index: RuleIndex) -> ast.Assign | None:
    name = rooted(first.target)
    keys = reads(index, first.target) - {name, f"local {name}"}
    for s in rest:
        if not isinstance(s, _SIMPLE) or index.acts(s):
            return None
        if isinstance(s, ast.Assign):
            read = reads(index, s.value) | (reads(index, s.target) - {name, f"local {name}"})
            if s.op != "=" and rooted(s.target) == name:
                return None
        else:
            read = reads(index, s)
        if read & {name, f"local {name}"}:
            return None
        if isinstance(s, ast.Assign) and s.target == first.target:
            return s
        if writes(index, s) & keys:
            return None
    return None
