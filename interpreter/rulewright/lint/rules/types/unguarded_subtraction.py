"""TYP238: a number that may fall too low."""

from __future__ import annotations

from collections.abc import Iterator

from rulewright.foundation.node_memo import memoized_by_node
from rulewright.foundation.traced_memo import tracked_query
from rulewright.ir import model as m
from rulewright.lint.analyses.declaration_nodes import nodes_of
from rulewright.lint.analyses.flow_questions import callers, reads, reads_in
from rulewright.lint.analyses.mentions import Mentions, mentions, rooted
from rulewright.lint.analyses.rule_index import RuleIndex
from rulewright.lint.context import Finding, lint_declarations
from rulewright.syntax import ast
from rulewright.syntax.printer.expression_printer import print_expr

_Doing = ast.Callable | ast.Consequence | ast.End | ast.Reaction
"""The declarations in which something can be assigned."""

_ASKING: dict[type[ast.Node], str] = {
    ast.Branch: "condition", ast.Forbid: "condition", ast.Unless: "condition", ast.Obey: "call",
    ast.Choose: "where", ast.Each: "where", ast.Repeat: "value", ast.Match: "subject", ast.Let: "value",
    ast.Consequence: "when", ast.End: "when", ast.Reaction: "where", ast.IfElse: "condition",
}  # fmt: skip
"""Fields in which rules look before they do something."""


@lint_declarations("TYP238", ast.Assign)
def unguarded_subtraction(decl: _Doing, index: RuleIndex) -> Iterator[Finding]:
    """Something is taken from a number that has a lowest value, and nobody looks how much is there."""
    for s in nodes_of(decl, ast.Assign):
        if s.op != "-=":
            continue
        name = rooted(s.target)
        type = index.field_type(name)
        if type is None or type.kind != "int" or type.low == -m.INT_MAX:
            continue
        if _looks(decl, name, index) or name in reads(index, s.value) or _callers_look(index, decl.name, name):
            continue
        if _chosen_within(decl, s.value, name, index):
            continue
        said = f"`{print_expr(s.target)}` may fall below {type.low}: nothing here checks how much is left"
        yield Finding(said, s.span, hint="`forbid`, `if`, or take only `min({…})` of it")


def _chosen_within(decl: _Doing, amount: ast.Expr, field: str, index: RuleIndex) -> bool:
    """True if an amount is an answer whose options the field itself bounds."""
    asked = nodes_of(decl, ast.Choose)
    return any(amount == ast.Name(one.name) and field in reads(index, one.source) for one in asked)


def _looks(decl: ast.Clause, field: str, index: RuleIndex) -> bool:
    """True if a rule reads a field in a condition or an amount."""
    return field in reads_in(index, _asked_in(decl))


@memoized_by_node
def _asked_in(decl: ast.Clause) -> Mentions:
    """The mentions in conditions and amounts of a rule."""
    return mentions(tuple(getattr(node, _ASKING[type(node)]) for node in nodes_of(decl, *_ASKING)))


@tracked_query
def _callers_look(index: RuleIndex, name: str, field: str) -> bool:
    """True if all who call an effect or procedure have looked at a field."""
    decls = index.game.rules.decls

    def all_look(name: str, seen: tuple[str, ...]) -> bool:
        above = [c for c in callers(index, name) if c not in seen]
        return bool(above) and all(_looks(decls[c], field, index) or all_look(c, (*seen, name)) for c in above)

    return all_look(name, ())
