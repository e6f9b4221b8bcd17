"""CTL130: a decision of a player who may be eliminated."""

from __future__ import annotations

from collections.abc import Iterator

from rulewright.compiler.tree_walk import nodes
from rulewright.foundation.memo import tracked_query
from rulewright.lint.analyses.declaration_nodes import blocks, blocks_of, nodes_of
from rulewright.lint.analyses.flow_questions import is_spoken, never_returns
from rulewright.lint.analyses.rule_index import RuleIndex
from rulewright.lint.analyses.terminators import holds, way_out
from rulewright.lint.context import Finding, lint_declarations
from rulewright.syntax import ast

_HINT = "ask `if {0} in players` first, or say with `else` what happens then"
_MOST = 8
"""Through so many calls a player is followed who is handed on."""


@lint_declarations("CTL130", ast.CallStatement, ast.Each)
def asked_after_leaving(decl: ast.Decl, index: RuleIndex) -> Iterator[Finding]:
    """Questions to a player who was eliminated above, and to all seats."""
    for block in blocks_of(decl):
        for at, statement in enumerate(block):
            gone = _eliminated(statement, index)
            if gone is not None and (decision := _decision_of(block[at + 1 :], gone, index)) is not None:
                may = "has" if isinstance(statement, ast.CallStatement) else "may have"
                message = f"`{gone}` {may} left the game (`eliminate({gone})` above), and cannot be asked then"
                yield Finding(message, decision.span, _HINT.format(gone))
    for each in nodes_of(decl, ast.Each):
        name = each.bind.name
        all_seats = any(isinstance(n, ast.Name) and n.name == "everyone" for n in nodes(each.bind.source))
        guarded = each.where is not None and _about(each.where, name)
        if all_seats and not guarded and each.order != "at once" and is_spoken(index, "eliminate"):
            decision = _decision_of(each.body, name, index)
            if decision is not None:
                message = f"`{name}` may have left the game (`everyone` is all seats), and cannot be asked then"
                yield Finding(message, decision.span, f"`each {name} in players`; or {_HINT.format(name)}")


def _eliminated(s: ast.Stmt, index: RuleIndex) -> str | None:
    """The name of the player who is or may be eliminated by a statement behind which the rules go on."""
    if isinstance(s, ast.If):
        for body in (*(branch.body for branch in s.branches), s.otherwise or ()):
            leaves = any(holds(way_out(inner), lambda word: never_returns(index, word)) for inner in body)
            found = next((name for inner in body if (name := _eliminated(inner, index)) is not None), None)
            if found is not None and not leaves:
                return found
    if isinstance(s, ast.CallStatement) and isinstance(s.call, ast.Call) and s.call.operand == ast.Name("eliminate"):
        who = s.call.args[0] if s.call.args else None
        return who.name if isinstance(who, ast.Name) else None
    return None


def _decision_of(body: tuple[ast.Stmt, ...], name: str, index: RuleIndex, depth: int = 0) -> ast.Stmt | None:
    """The first statement of a block in which a player has to decide, even if eliminated."""
    for s in body:
        match s:
            case ast.Choose(optional=optional, otherwise=otherwise) if _is(s.who, name):
                if not optional and otherwise is None:
                    return s
            case ast.Either(otherwise=None) | ast.Repeats() if _is(s.who, name):
                return s
            case ast.If(branches=branches) if any(_about(branch.condition, name) for branch in branches):
                return None
            case ast.CallStatement(call=ast.Call() as call) | ast.Let(value=ast.Call() as call):
                if depth < _MOST and _handed_on(call, name, index, depth):
                    return s
            case _:
                pass  # it has no decision itself
        for inner in blocks((s, *_parts(s))):
            if (found := _decision_of(inner, name, index, depth)) is not None:
                return found
        if holds(way_out(s), lambda word: never_returns(index, word)) or _sets(s, name):
            return None
    return None


def _parts(s: ast.Stmt) -> tuple[ast.Node, ...]:
    """The parts of a statement that hold statements."""
    match s:
        case ast.If():
            return s.branches
        case ast.Match():
            return (*s.arms, *((s.otherwise,) if s.otherwise is not None else ()))
        case ast.Either():
            return s.options
        case _:
            return ()


def _handed_on(call: ast.Call, name: str, index: RuleIndex, depth: int) -> bool:
    """True if a player is given to a procedure in which its argument has to decide."""
    if not isinstance(call.operand, ast.Name):
        return False
    called = call.operand.name
    return any(_is(arg, name) and _asks(index, called, at, depth + 1) for at, arg in enumerate(call.args))


@tracked_query
def _asks(index: RuleIndex, called: str, at: int, depth: int) -> bool:
    """True if a procedure asks a player who is its argument of this number."""
    decl = index.decl_named(called)
    if not isinstance(decl, ast.Callable) or at >= len(decl.params):
        return False
    return _decision_of(decl.body, decl.params[at].name, index, depth) is not None


def _is(expr: ast.Expr, name: str) -> bool:
    return isinstance(expr, ast.Name) and expr.name == name


def _about(condition: ast.Expr, name: str) -> bool:
    """True if a condition looks at who is in the game, and at a player."""
    words = {node.name for node in nodes(condition) if isinstance(node, ast.Name)}
    return {name, "players"} <= words


def _sets(s: ast.Stmt, name: str) -> bool:
    return any(_is(target, name) for target in s.held(s.sets) if isinstance(target, ast.Name))
