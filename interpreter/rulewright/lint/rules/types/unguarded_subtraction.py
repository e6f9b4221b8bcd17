"""TYP238: a number that may fall too low."""

from __future__ import annotations

from collections.abc import Iterator

from rulewright.compiler.tree_walk import nodes
from rulewright.ir import model as m
from rulewright.lint.analyses.control_flow import FlowAnalysis, rooted
from rulewright.lint.analyses.rule_index import RuleIndex, in_all_games
from rulewright.lint.context import Finding, Subject, lint
from rulewright.syntax import ast
from rulewright.syntax.printer.expression_printer import print_expr

_ASKING = {
    ast.Branch: "condition", ast.Forbid: "condition", ast.Unless: "condition", ast.Obey: "call",
    ast.Choose: "where", ast.Each: "where", ast.Repeat: "value", ast.Match: "subject", ast.Let: "value",
    ast.Consequence: "when", ast.End: "when", ast.Reaction: "where", ast.IfElse: "condition",
}  # fmt: skip
"""Fields in which rules look before they do something."""


@lint("TYP238")
def unguarded_subtraction(subject: Subject) -> Iterator[Finding]:
    """Something is taken from a number that has a lowest value, and nobody looks how much is there."""
    return in_all_games(subject, _unguarded)


def _unguarded(index: RuleIndex) -> Iterator[Finding]:
    flow = index.game.ask(FlowAnalysis)
    looks = {name: _looked_at(decl, flow) for name, decl in flow.calls.items()}
    callers = {name: [c for c in flow.calls if c != name and name in flow.named_by[c]] for name in flow.calls}
    for decl in (*flow.calls.values(), *flow.reacting):
        here = looks.get(decl.name) or _looked_at(decl, flow)
        for s in index.nodes[decl.name]:
            if not (isinstance(s, ast.Assign) and s.op == "-="):
                continue
            field = index.world.fields.get(rooted(s.target))
            if field is None or field.type.kind != "int" or field.type.low == -m.INT_MAX:
                continue
            name = rooted(s.target)
            if name in here or name in flow.reads(s.value) or _all_look(decl.name, name, callers, looks, ()):
                continue
            said = f"`{print_expr(s.target)}` may fall below {field.type.low}: nothing here checks how much is left"
            yield Finding(said, s.span, hint="`forbid`, `if`, or take only `min({…})` of it")


def _looked_at(decl: ast.Node, flow: FlowAnalysis) -> frozenset[str]:
    """The reads of the conditions and amounts of a rule."""
    found: frozenset[str] = frozenset()
    for n in nodes(decl):
        part = _ASKING.get(type(n))
        held = getattr(n, part) if part is not None else None
        if held is not None:
            found |= flow.reads(held)
    return found


def _all_look(
    name: str, field: str, callers: dict[str, list[str]], looks: dict[str, frozenset[str]], seen: tuple[str, ...]
) -> bool:
    """True if all who call an effect or procedure have looked at a field."""
    above = [c for c in callers.get(name, []) if c not in seen]
    return bool(above) and all(field in looks[c] or _all_look(c, field, callers, looks, (*seen, name)) for c in above)
