"""CTL128: a move in two statements."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise

from rulewright.diagnostics import Edit, Fix, Span
from rulewright.lint.analyses.declaration_nodes import blocks_of
from rulewright.lint.analyses.flow_questions import due_at_once, reads
from rulewright.lint.analyses.mentions import rooted
from rulewright.lint.analyses.rule_index import RuleIndex
from rulewright.lint.context import Finding, lint_declarations
from rulewright.syntax import ast


@lint_declarations("CTL128", ast.Assign)
def moved_in_two(decl: ast.Decl, index: RuleIndex) -> Iterator[Finding]:
    """Two assignments, one of which empties a field that an end or a consequence looks at in between."""
    if isinstance(decl, ast.Callable) and decl.word == "effect":
        return
    for block in blocks_of(decl):
        for one, other in pairwise(block):
            if not isinstance(one, ast.Assign) or not isinstance(other, ast.Assign) or one.target == other.target:
                continue
            name = rooted(one.target)
            if name == rooted(other.target) and _empties(one) != _empties(other) and name in due_at_once(index):
                message = f"an end or a consequence looks at `{name}` between this and the next statement"
                hint = f"set both in one statement, or write `move {name} from a to b`"
                if name in _read_by(other, index):
                    hint += f"; the next one reads `{name}`: in one statement that is `{name}` as it was before both"
                    yield Finding(message, one.span, hint=hint)
                else:
                    yield Finding(message, one.span, hint=hint, fix=_joined(one, other))


def _empties(s: ast.Assign) -> bool:
    return s.op == "=" and isinstance(s.target, ast.Index) and isinstance(s.value, ast.NoneValue)


def _read_by(s: ast.Assign, index: RuleIndex) -> frozenset[str]:
    """The words on which the value and place of an assignment depend: its value and its keys."""
    keys: list[ast.Node] = []
    target = s.target
    while isinstance(target, (ast.Index, ast.Dot)):
        keys += target.index if isinstance(target, ast.Index) else ()
        target = target.operand
    return reads(index, (s.value, *keys))


def _joined(one: ast.Assign, other: ast.Assign) -> Fix | None:
    """The two as one statement, if nothing stands between them but the end of a line."""
    end, begin = one.span, other.span
    between = Span(end.file, end.end_line, end.end_column, begin.line, begin.column)
    if one.op != "=" or other.op != "=" or one.trivia != ast.NO_TRIVIA or other.trivia.comments or other.trivia.gap:
        return None
    return Fix("set both in one statement", (Edit(between, ", "),), safe=False)
