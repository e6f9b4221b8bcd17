"""TYP238: a number that may fall too low."""

from __future__ import annotations

from collections.abc import Iterator

from rulewright.compiler.tree_walk import nodes
from rulewright.diagnostics import Span
from rulewright.foundation.memo import memoized_by_node, tracked_query
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
    """A subtraction from a number with a lowest value, without a test of how much is there."""
    for s in nodes_of(decl, ast.Assign):
        if s.op != "-=":
            continue
        name = rooted(s.target)
        type = index.field_type(name)
        if type is None or type.kind != "int" or type.low == -m.INT_MAX:
            continue
        if _looks(decl, name, index) or name in reads(index, s.value) or _callers_look(index, decl.name, name):
            continue
        if _is_bounded(decl, s.value, s.span, name, index, frozenset()):
            continue
        if s.value == ast.Number(1) and _is_over_before(index, name, type.low):
            continue
        message = f"`{print_expr(s.target)}` may fall below {type.low}: nothing here checks how much is left"
        yield Finding(message, s.span, hint="`forbid`, `if`, or take only `min({…})` of it")


def _is_bounded(decl: ast.Decl, amount: ast.Expr, at: Span, field: str, index: RuleIndex, seen: frozenset[str]) -> bool:
    """True if an amount is no more than a field holds: an answer whose options the field bounds, or what holds one."""
    match amount:
        case ast.Number(0) | ast.NoneValue():
            return True
        case ast.Binary("or else", left, right) | ast.IfElse(then=left, otherwise=right):
            return all(_is_bounded(decl, part, at, field, index, seen) for part in (left, right))
        case ast.Divide(part, ast.Number(number)) if number > 0:
            return _is_bounded(decl, part, at, field, index, seen)
        case ast.Aggregate("max" | "min" as kind, ast.SetOf(parts) | ast.ListOf(parts), ()):
            several = any if kind == "min" else all
            return several(_is_bounded(decl, part, at, field, index, seen) for part in parts)
        case ast.Aggregate("max" | "min", part) if part is not None:
            return _is_bounded(decl, part, at, field, index, seen)
        case ast.Name(name) if any(one.name == name for one in _given(decl)):
            given = [one for one in _given(decl) if one.name == name]
            last = max(given, key=lambda one: (one.span.line <= at.line, one.span.line))
            if isinstance(last, ast.Let):
                return _is_bounded(decl, last.value, at, field, index, seen) and (
                    not last.changes or all(_keeps(decl, one, field, index, seen) for one in _changes(decl, name))
                )
            return _bounds(decl, last, field, index)
        case ast.Name(name) if isinstance(decl, ast.Callable) and name in (names := [p.name for p in decl.params]):
            return f"{decl.name}.{name}" not in seen and _is_handed(
                index, decl.name, names.index(name), field, seen | {f"{decl.name}.{name}"}
            )
        case ast.Call(ast.Name(name)) if name not in seen:
            return _is_returned(index, name, field, seen | {name})
        case _:
            name = rooted(amount)
            return bool(name) and name not in seen and _is_kept(index, name, field, seen | {name})


def _bounds(decl: ast.Decl, choice: ast.Choose, field: str, index: RuleIndex) -> bool:
    """True if the options of a question follow from a field, or from what was worked out from it before."""
    offered = (choice.source, choice.where, choice.restrictions)
    worked_out = {one.name: one.value for one in nodes_of(decl, ast.Let)}
    named = {node.name for part in offered for node in nodes(part) if isinstance(node, ast.Name)} & worked_out.keys()
    return any(field in reads(index, part) for part in (offered, *(worked_out[name] for name in sorted(named))))


def _changes(decl: ast.Decl, name: str) -> list[ast.Assign | ast.Update]:
    """The statements, and parts of statements, in which something of a name is set."""
    changes: list[ast.Assign | ast.Update] = [*nodes_of(decl, ast.Assign), *nodes_of(decl, ast.Update)]
    return [one for one in changes if rooted(one.target) == name]


def _given(decl: ast.Clause) -> Iterator[ast.Choose | ast.Let]:
    """The answers in a declaration, and what is worked out there."""
    yield from nodes_of(decl, ast.Choose)
    yield from nodes_of(decl, ast.Let)


@tracked_query
def _is_handed(index: RuleIndex, callee: str, number: int, field: str, seen: frozenset[str]) -> bool:
    """True if whatever is handed to a rule in one place is no more than a field holds."""
    handed = [
        (decl, call)
        for decl in index.game.rules.decls.values()
        for call in nodes_of(decl, ast.Call)
        if call.operand == ast.Name(callee) and number < len(call.args)
    ]
    return bool(handed) and all(
        _is_bounded(decl, call.args[number], call.span, field, index, seen) for decl, call in handed
    )


@tracked_query
def _is_returned(index: RuleIndex, name: str, field: str, seen: frozenset[str]) -> bool:
    """True if whatever a procedure gives back is no more than a field holds."""
    decl = index.game.rules.decls.get(name)
    if not isinstance(decl, ast.Callable):
        return False
    given = [one for one in nodes_of(decl, ast.Return) if one.value is not None]
    return bool(given) and all(_is_bounded(decl, one.value, one.span, field, index, seen) for one in given if one.value)


@tracked_query
def _is_kept(index: RuleIndex, name: str, field: str, seen: frozenset[str]) -> bool:
    """True if whatever another field gets is no more than a field holds when it gets it."""
    given = [(decl, one) for decl in index.game.rules.decls.values() for one in _changes(decl, name)]
    return bool(given) and all(_keeps(decl, one, field, index, seen) for decl, one in given)


def _keeps(decl: ast.Decl, one: ast.Assign | ast.Update, field: str, index: RuleIndex, seen: frozenset[str]) -> bool:
    """True if what is set is no more than a field holds afterwards, if it was not before."""
    if isinstance(one, ast.Assign) and one.op != "=":
        return one.op == "-="
    return _is_bounded(decl, one.value, one.span, field, index, seen)


@tracked_query
def _is_over_before(index: RuleIndex, field: str, low: int) -> bool:
    """True if the game ends, or something follows, as soon as a field has come to its lowest value."""
    due = [d for d in index.game.rules.decls.values() if isinstance(d, ast.End | ast.Consequence)]
    return any(
        _says_lowest(one, field, low)
        for decl in due
        if isinstance(decl, ast.Consequence) or decl.after is None
        for one in nodes(decl.when)
    )


def _says_lowest(e: object, field: str, low: int) -> bool:
    match e:
        case ast.Binary("is" | "<=", left, ast.Number(number)):
            return rooted(left) == field and number == low
        case ast.Binary("<", left, ast.Number(number)):
            return rooted(left) == field and number == low + 1
        case _:
            return False


def _looks(decl: ast.Clause, field: str, index: RuleIndex) -> bool:
    """True if a rule reads a field in a condition or an amount."""
    return field in reads_in(index, _conditions_in(decl))


@memoized_by_node
def _conditions_in(decl: ast.Clause) -> Mentions:
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
