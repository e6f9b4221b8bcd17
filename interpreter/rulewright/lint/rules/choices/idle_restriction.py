"""CHO308: a restriction that refuses nothing more."""

from __future__ import annotations

from collections.abc import Iterator

from rulewright.lint.analyses.constant_conditions import (
    ConditionAnalysis,
    always_follows,
    never_both,
    operands,
    opposite,
)
from rulewright.lint.analyses.declaration_nodes import nodes_of
from rulewright.lint.analyses.rule_index import RuleIndex
from rulewright.lint.context import Finding, lint_declarations
from rulewright.syntax import ast
from rulewright.syntax.printer.expression_printer import print_expr

_MOST = 40
"""So many restrictions of one choice are compared with each other."""


@lint_declarations("CHO308", ast.Choose, ast.Option, ast.Limits)
def idle_restriction(decl: ast.Decl, index: RuleIndex) -> Iterator[Finding]:
    """Restrictions that refuse only what is refused already."""
    truths = ConditionAnalysis(decl, index)
    for node in nodes_of(decl, ast.Choose, ast.Option, ast.Limits):
        assert isinstance(node, ast.Choose | ast.Option | ast.Limits)
        restrictions = node.restrictions[:_MOST]
        where = node.where if isinstance(node, ast.Choose) else None
        for late, one in enumerate(restrictions):
            before = restrictions[:late]
            if isinstance(one, ast.Obey):
                if any(isinstance(o, ast.Obey) and o.call == one.call for o in before):
                    yield Finding(f"`{print_expr(one.call)}` is obeyed twice", one.span)
                continue
            twin = next((o for o in before if isinstance(o, ast.Forbid) and _covered(one, o, truths)), None)
            if twin is not None:
                message = f"`{one.label}` refuses nothing that `{twin.label}` does not refuse"
                yield Finding(message, one.span)
            if where is not None and (
                never_both(where, one.condition, truths) or opposite(one.condition) in operands(where, "and")
            ):
                yield Finding(f"`{one.label}` refuses only what `where` already excludes", one.span)


def _covered(one: ast.Forbid, other: ast.Forbid, truths: ConditionAnalysis) -> bool:
    """True if all that the first restriction refuses is refused by the second."""
    same = set(other.unless) <= set(one.unless) if other.unless else True
    return same and always_follows(one.condition, other.condition, truths)
