"""TYP238: a number that may fall too low."""

from __future__ import annotations

from collections.abc import Iterator

from rulewright.ir import model as m
from rulewright.lint.analyses.all_games import Targets, in_all_games
from rulewright.lint.analyses.control_flow import FlowAnalysis
from rulewright.lint.analyses.declaration_nodes import nodes_of
from rulewright.lint.analyses.mentions import Mentions, mentions, rooted
from rulewright.lint.analyses.rule_index import RuleIndex
from rulewright.lint.context import Finding, Subject, lint
from rulewright.node_memo import memoized_by_node
from rulewright.syntax import ast
from rulewright.syntax.printer.expression_printer import print_expr

_ASKING: dict[type[ast.Node], str] = {
    ast.Branch: "condition", ast.Forbid: "condition", ast.Unless: "condition", ast.Obey: "call",
    ast.Choose: "where", ast.Each: "where", ast.Repeat: "value", ast.Match: "subject", ast.Let: "value",
    ast.Consequence: "when", ast.End: "when", ast.Reaction: "where", ast.IfElse: "condition",
}  # fmt: skip
"""Fields in which rules look before they do something."""


@lint("TYP238")
def unguarded_subtraction(subject: Subject) -> Iterator[Finding]:
    """Something is taken from a number that has a lowest value, and nobody looks how much is there."""
    return in_all_games(subject, _unguarded)


def _unguarded(index: RuleIndex, targets: Targets) -> Iterator[Finding]:
    flow = index.game.ask(FlowAnalysis)
    acting: list[ast.Callable | ast.Consequence | ast.End | ast.Reaction] = [
        *targets.all(ast.Callable),
        *targets.all(ast.Consequence),
        *targets.all(ast.End),
        *targets.all(ast.Reaction),
    ]
    for decl in acting:
        for s in nodes_of(decl, ast.Assign):
            if s.op != "-=":
                continue
            field = index.world.fields.get(rooted(s.target))
            if field is None or field.type.kind != "int" or field.type.low == -m.INT_MAX:
                continue
            name = rooted(s.target)
            if _looks(decl, name, flow) or name in flow.reads(s.value) or _all_look(decl.name, name, flow, ()):
                continue
            said = f"`{print_expr(s.target)}` may fall below {field.type.low}: nothing here checks how much is left"
            yield Finding(said, s.span, hint="`forbid`, `if`, or take only `min({…})` of it")


def _looks(decl: ast.Clause, field: str, flow: FlowAnalysis) -> bool:
    """True if a rule reads a field in a condition or an amount."""
    return field in flow.read_in(_asked_in(decl))


@memoized_by_node
def _asked_in(decl: ast.Clause) -> Mentions:
    """The mentions in conditions and amounts of a rule."""
    return mentions(tuple(getattr(node, _ASKING[type(node)]) for node in nodes_of(decl, *_ASKING)))


def _all_look(name: str, field: str, flow: FlowAnalysis, seen: tuple[str, ...]) -> bool:
    """True if all who call an effect or procedure have looked at a field."""
    above = [c for c in flow.callers.get(name, []) if c not in seen]
    return bool(above) and all(
        _looks(flow.calls[c], field, flow) or _all_look(c, field, flow, (*seen, name)) for c in above
    )
