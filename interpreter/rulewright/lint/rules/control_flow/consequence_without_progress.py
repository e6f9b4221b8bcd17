"""CTL121: a consequence that stays due."""

from __future__ import annotations

from collections.abc import Iterator

from rulewright.lint.analyses.constant_conditions import ConditionAnalysis, operands
from rulewright.lint.analyses.declaration_nodes import nodes_of
from rulewright.lint.analyses.flow_questions import finishes, reads, writes
from rulewright.lint.analyses.mentions import rooted
from rulewright.lint.analyses.rule_index import RuleIndex
from rulewright.lint.context import Finding, lint_declarations
from rulewright.syntax import ast


@lint_declarations("CTL121", ast.Consequence)
def consequence_without_progress(decl: ast.Decl, index: RuleIndex) -> Iterator[Finding]:
    """A consequence that cannot make its own condition false would follow forever."""
    for rule in nodes_of(decl, ast.Consequence):
        if finishes(index, rule.body):
            continue
        if not reads(index, rule.when) & writes(index, rule.body):
            message = f"`{rule.name}` changes nothing that its condition reads: it would be triggered forever"
            yield Finding(message, rule.span)
        elif (kept := _keeps_true(rule, index)) is not None:
            message = f"`{rule.name}` leaves its own condition true: it would be triggered forever"
            yield Finding(message, kept.span)


def _keeps_true(decl: ast.Consequence, index: RuleIndex) -> ast.Assign | None:
    """The one assignment of a consequence, if its condition holds still, or again, when it is done."""
    if len(decl.body) != 1 or not isinstance(one := decl.body[0], ast.Assign) or one.op != "=":
        return None
    value = index.value_of(one.value)
    name = rooted(one.target)
    truths = ConditionAnalysis(decl, index)
    concerned = [p for p in operands(decl.when, "and") if name in reads(index, p)]
    atoms = [truths.atom(p) for p in concerned]
    about = [a for a in atoms if a.subject.expr == one.target and a.subject.sense in ("value", "holds")]
    if value is None or not all(a.holds(value) for a in about):
        return None
    same = any([v for v in truths.tried([a]) or () if a.holds(v)] == [value] for a in about)
    return one if same or len(about) == len(atoms) else None
