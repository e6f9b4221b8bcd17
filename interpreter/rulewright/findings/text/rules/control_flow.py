"""Lint rules about control flow: branches, repetitions, consequences, and decisions of eliminated players."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from typing import get_args

from rulewright.compiler.tree_walk import nodes
from rulewright.findings.text.analyses.constant_conditions import MOST_PARTS, ConditionAnalysis, operands
from rulewright.findings.text.analyses.declaration_nodes import blocks, blocks_of, nodes_of
from rulewright.findings.text.analyses.flow_questions import (
    changes_when_run,
    ends,
    finishes,
    follows,
    is_spoken,
    never_returns,
    reads,
    writes,
)
from rulewright.findings.text.analyses.mentions import mentions, rooted
from rulewright.findings.text.analyses.rule_index import RuleIndex
from rulewright.findings.text.analyses.terminators import holds, way_out
from rulewright.findings.text.context import Finding, lint_declarations
from rulewright.foundation.memo import tracked_query
from rulewright.syntax import ast
from rulewright.syntax.printer.expression_printer import print_expr

_HINT = "ask `if {0} in players` first, or say with `else` what happens then"
_MOST = 8
"""Through so many calls a player is followed who is handed on."""


@lint_declarations("CTL130", ast.CallStatement, ast.Each)
def decision_after_elimination(decl: ast.Decl, index: RuleIndex) -> Iterator[Finding]:
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


@lint_declarations("CTL123", ast.End, ast.Consequence)
def condition_never_changes(decl: ast.Decl, index: RuleIndex) -> Iterator[Finding]:
    """An end or consequence that looks only at what no rule changes."""
    for rule in nodes_of(decl, ast.End, ast.Consequence):
        assert isinstance(rule, ast.End | ast.Consequence)
        if not changes_when_run(index, mentions((rule.binds, rule.when))):
            message = f"no rule changes what `{rule.name}` looks at: it happens at once, or never"
            yield Finding(message, rule.span)


@lint_declarations("CTL121", ast.Consequence)
def consequence_without_progress(decl: ast.Decl, index: RuleIndex) -> Iterator[Finding]:
    """A consequence that cannot make its own condition false would follow forever."""
    for rule in nodes_of(decl, ast.Consequence):
        if finishes(index, rule.body):
            continue
        if not reads(index, (rule.binds, rule.when)) & writes(index, rule.body):
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
    if name in reads(index, decl.binds):
        return None
    truths = ConditionAnalysis(decl, index)
    concerned = [p for p in operands(decl.when, "and") if name in reads(index, p)]
    atoms = [truths.atom(p) for p in concerned]
    about = [a for a in atoms if a.subject.expr == one.target and a.subject.sense in ("value", "holds")]
    if value is None or not all(a.holds(value) for a in about):
        return None
    same = any([v for v in truths.tried([a]) or () if a.holds(v)] == [value] for a in about)
    return one if same or len(about) == len(atoms) else None


@lint_declarations("CTL116", ast.If, ast.IfElse, ast.Match, ast.Choose, ast.Either)
def equal_branches(decl: ast.Decl, index: RuleIndex) -> Iterator[Finding]:
    """A question that changes nothing: whatever the answer, the same is done."""
    for node in nodes_of(decl, ast.If, ast.IfElse, ast.Match, ast.Choose, ast.Either):
        match node:
            case ast.If(branches=branches, otherwise=otherwise) if otherwise:
                if all(b.body == otherwise for b in branches):
                    yield Finding("both branches do the same", node.span)
            case ast.IfElse(then=then, otherwise=otherwise_) if then == otherwise_:
                yield Finding("this is the same whether the condition holds or not", node.span)
            case ast.Match(arms=arms) if len(arms) + (node.otherwise is not None) > 1:
                bodies = [a.body for a in (*arms, *((node.otherwise,) if node.otherwise is not None else ()))]
                if all(b == bodies[0] for b in bodies):
                    yield Finding("every arm does the same", node.span)
            case ast.Choose(then=then_, otherwise=rest) if then_ is not None and rest is not None and then_ == rest:
                yield Finding("the same is done with and without an answer", node.span)
            case ast.Either(options=options):
                for late, option in enumerate(options):
                    twin = next((o for o in options[:late] if o.body == option.body), None)
                    if twin is not None and option.body:
                        message = f"the options `{twin.label}` and `{option.label}` do the same"
                        yield Finding(message, option.span)
            case _:
                pass  # all else is in order


_LEAVE = ast.Transfer | ast.Restriction


@lint_declarations("CTL120", ast.Repeat)
def repetition_without_progress(decl: ast.Decl, index: RuleIndex) -> Iterator[Finding]:
    """A repetition whose condition nothing in it can change."""
    for node in nodes_of(decl, ast.Repeat):
        if any(isinstance(n, _LEAVE) for n in nodes(node.body)):
            continue
        if finishes(index, node.body):
            continue
        changed = writes(index, node.body) | follows(index)
        if node.mode in ("until", "while") and node.value is not None:
            if index.acts(node.value) or index.has_parameter(node.value) or reads(index, node.value) & changed:
                continue
            yield Finding(f"nothing in this repetition changes `{print_expr(node.value)}`", node.span)
        elif node.mode == "forever" and node.at_most is None and _leads_to_no_end(index, changed):
            yield Finding("this never ends: nothing in it changes what an end of the game reads", node.span)


def _leads_to_no_end(index: RuleIndex, changed: frozenset[str]) -> bool:
    """True if the game has ends, and none of them looks at what is changed."""
    return bool(ends(index)) and all(changed.isdisjoint(read) for read in ends(index))


@lint_declarations("CTL115", ast.If, ast.Query, ast.IfElse, ast.Match)
def unreachable_branch(decl: ast.Decl, index: RuleIndex) -> Iterator[Finding]:
    """Branches, cases and arms that are never taken, as something above is taken before."""
    truths = ConditionAnalysis(decl, index)
    inner = {id(n.otherwise) for n in nodes_of(decl, ast.IfElse)}
    for node in nodes_of(decl, ast.If, ast.Query, ast.IfElse, ast.Match):
        match node:
            case ast.If(branches=branches, otherwise=otherwise):
                conditions = [b.condition for b in branches]
                if not any(index.acts(c) for c in conditions):
                    yield from _in_turn(conditions, otherwise[0] if otherwise else None, "`else`", truths)
            case ast.Query(cases=cases) if cases:
                conditions = [c.condition for c in cases if c.condition is not None]
                at = next((i for i, c in enumerate(cases) if c.condition is None), len(cases))
                for case in cases[at + 1 :]:
                    yield Finding("this is never reached: `otherwise` comes first", case.span)
                last = cases[at] if at == len(cases) - 1 else None
                yield from _in_turn(conditions, last, "`otherwise`", truths)
            case ast.IfElse() if id(node) not in inner:
                conditions, rest = [], node
                while isinstance(rest, ast.IfElse):
                    conditions.append(rest.condition)
                    rest = rest.otherwise  # type: ignore[assignment]
                yield from _in_turn(conditions, rest, "what follows `else`", truths)
            case ast.Match(subject=subject, arms=arms, otherwise=ast.Arm() as rest_of_all):
                named = {index.value_of(v) for a in arms for v in a.values}
                type = index.type_in(decl, subject)
                values = set(range(index.values_of_enum(type.universe) or 0))
                if values and named >= values and not type.optional:
                    yield Finding("`otherwise` is never reached: all values are handled above", rest_of_all.span)
            case _:
                pass  # all else is in order


def _in_turn(
    conditions: list[ast.Expr], last: ast.Node | None, word: str, truths: ConditionAnalysis
) -> Iterator[Finding]:
    """Conditions that are evaluated one after the other, until one holds; and what is left over."""
    above: set[ast.Expr] = set()
    for late, condition in enumerate(conditions):
        if condition in above:
            yield Finding("this is never reached: the same condition is tested above", condition.span)
            continue
        above.add(condition)
        parts = list(operands(condition, "and"))
        for before in conditions[:late] if len(conditions) <= MOST_PARTS else ():
            if any(truths.truth(p) is None and truths.implies(p, before) for p in parts):
                message = f"this is never reached: `{print_expr(before)}` is tested above"
                yield Finding(message, condition.span)
                break
    if last is not None and len(conditions) > 1 and truths.always(conditions):
        yield Finding(f"{word} is never reached: one of the conditions above always holds", last.span)


@lint_declarations("CTL117", *get_args(ast.Stmt))
def unreachable_statement(decl: ast.Decl, index: RuleIndex) -> Iterator[Finding]:
    """Statements after the point where the rules go elsewhere."""
    for block in blocks_of(decl):
        at = next((i for i, s in enumerate(block[:-1]) if holds(way_out(s), partial(never_returns, index))), None)
        if at is not None:
            yield Finding(f"this is never reached: {_why(block[at])}", block[at + 1].span)


def _why(s: ast.Stmt) -> str:
    line = f"on line {s.span.line}"
    match s:
        case _ if isinstance(s, ast.Ending):
            return f"the game is over {line}"
        case ast.Return():
            return f"there is a `return` {line}"
        case ast.Stop():
            return f"there is a `stop` {line}"
        case ast.Repeat():
            return f"the repetition {line} never stops"
        case ast.CallStatement():
            return f"the call {line} never returns"
        case _:
            return f"every branch {line} leads elsewhere"
