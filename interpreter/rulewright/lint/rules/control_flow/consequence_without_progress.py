"""CTL121: a consequence that stays due."""

from __future__ import annotations

from collections.abc import Iterator

from rulewright.lint.analyses.all_games import Targets, in_all_games
from rulewright.lint.analyses.constant_conditions import ConditionAnalysis, operands
from rulewright.lint.analyses.control_flow import FlowAnalysis
from rulewright.lint.analyses.mentions import rooted
from rulewright.lint.analyses.rule_index import RuleIndex
from rulewright.lint.context import Finding, Subject, lint
from rulewright.syntax import ast


@lint("CTL121")
def consequence_without_progress(subject: Subject) -> Iterator[Finding]:
    """A consequence that cannot make its own condition false would follow forever."""
    return in_all_games(subject, _consequence_stays)


def _consequence_stays(index: RuleIndex, targets: Targets) -> Iterator[Finding]:
    flow = index.game.ask(FlowAnalysis)
    for decl in targets.all(ast.Consequence):
        if flow.finishes(decl.body):
            continue
        if not flow.reads(decl.when) & flow.writes(decl.body):
            said = f"`{decl.name}` changes nothing that its condition reads: it would be triggered forever"
            yield Finding(said, decl.span)
        elif (kept := _keeps_true(decl, flow)) is not None:
            said = f"`{decl.name}` leaves its own condition true: it would be triggered forever"
            yield Finding(said, kept.span)


def _keeps_true(decl: ast.Consequence, flow: FlowAnalysis) -> ast.Assign | None:
    """The one assignment of a consequence, if its condition holds still, or again, when it is done."""
    if len(decl.body) != 1 or not isinstance(one := decl.body[0], ast.Assign) or one.op != "=":
        return None
    value = flow.index.value_of(one.value)
    name = rooted(one.target)
    truths = ConditionAnalysis(flow.index)
    concerned = [p for p in operands(decl.when, "and") if name in flow.reads(p)]
    atoms = [truths.atom(p) for p in concerned]
    about = [a for a in atoms if a.subject.expr == one.target and a.subject.sense in ("value", "holds")]
    if value is None or not all(a.holds(value) for a in about):
        return None
    same = any([v for v in truths.tried([a]) or () if a.holds(v)] == [value] for a in about)
    return one if same or len(about) == len(atoms) else None
