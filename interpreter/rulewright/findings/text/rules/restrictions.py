"""Lint rules about restrictions, exceptions and amounts of choices."""

from __future__ import annotations

from collections.abc import Iterator

from rulewright.compiler.tree_walk import nodes
from rulewright.findings.text.analyses.constant_conditions import (
    ConditionAnalysis,
    always_follows,
    never_both,
    operands,
    opposite,
)
from rulewright.findings.text.analyses.declaration_nodes import blocks_of, nodes_of
from rulewright.findings.text.analyses.flow_questions import is_opened, reads
from rulewright.findings.text.analyses.rule_index import RuleIndex
from rulewright.findings.text.analyses.rule_summaries import opening
from rulewright.findings.text.context import Finding, lint_declarations
from rulewright.foundation.memo import memoized_by_node
from rulewright.syntax import ast
from rulewright.syntax.printer.expression_printer import print_expr


@lint_declarations("CHO311", ast.Choose)
def constant_restriction(decl: ast.Decl, index: RuleIndex) -> Iterator[Finding]:
    """A restriction that refuses all answers at once, in a choice without an alternative."""
    for choice in nodes_of(decl, ast.Choose):
        if choice.optional or choice.otherwise is not None:
            continue
        if choice.many is not None and choice.many.mode != "exactly":
            continue
        own = {choice.name, choice.as_name or choice.name}
        for label, restriction, clause in _restrictions(choice.restrictions, own, index):
            state = {t for t in reads(index, restriction) if not t.startswith("local ")} - {"regions"}
            if state:
                if _is_tested_before(decl, choice, index):
                    break
                message = f"`{label}` does not look at `{choice.name}`: when it holds there is no answer"
                yield Finding(message, clause.span, hint="let it stand at the head of the procedure, or add an `else`")


def _is_tested_before(decl: ast.Decl, choice: ast.Choose, index: RuleIndex) -> bool:
    """True if a choice is only made if it has an answer: first of an option, a repetition or what is `possible`."""
    if id(choice) in _opening_blocks(decl):
        return True
    return isinstance(decl, ast.Callable) and id(choice) in _choices(decl.body) and is_opened(index, decl.name)


@memoized_by_node
def _opening_blocks(decl: ast.Clause) -> frozenset[int]:
    """The choices with which options and repetitions begin, and what follows an answer that leads on to them."""
    openings = (node for node in nodes_of(decl, ast.Option, ast.Repeats) if isinstance(node, ast.Option | ast.Repeats))
    opened = [node.body for node in openings]
    for block in blocks_of(decl):
        for at, s in enumerate(block):
            if isinstance(s, ast.Choose) and s.leading:
                opened.append(block[at + 1 :] if s.then is None else s.then)
    return frozenset().union(*map(_choices, opened))


def _choices(body: tuple[ast.Stmt, ...]) -> frozenset[int]:
    return frozenset(id(choice) for choice in opening(body) if isinstance(choice, ast.Choose))


def _restrictions(
    written: tuple[ast.Restriction, ...], own: set[str], index: RuleIndex, seen: tuple[str, ...] = ()
) -> Iterator[tuple[str, ast.Forbid, ast.Clause]]:
    """Restrictions that do not look at what is chosen, with the clause of the choice that brings them."""
    for restriction in written:
        if isinstance(restriction, ast.Forbid):
            if not own & {n.name for n in nodes(restriction) if isinstance(n, ast.Name)}:
                yield restriction.label, restriction, restriction
        elif isinstance(restriction.call, ast.Call) and isinstance(restriction.call.operand, ast.Name):
            limits = index.decl_named(restriction.call.operand.name)
            if not isinstance(limits, ast.Limits) or limits.name in seen:
                continue
            given = zip(limits.params, restriction.call.args, strict=False)
            chosen = {p.name for p, a in given if own & {n.name for n in nodes(a) if isinstance(n, ast.Name)}}
            for label, inner, _ in _restrictions(limits.restrictions, chosen, index, (*seen, limits.name)):
                yield label, inner, restriction


@lint_declarations("CHO307", ast.Forbid)
def redundant_exception(decl: ast.Decl, index: RuleIndex) -> Iterator[Finding]:
    """Exceptions that never help, or always."""
    truths = ConditionAnalysis(decl, index)
    for node in nodes_of(decl, ast.Forbid):
        for late, exception in enumerate(node.unless):
            if always_follows(node.condition, exception.condition, truths):
                message = f"`{node.label}` never refuses: `{exception.label}` excepts all that it forbids"
                yield Finding(message, exception.span)
            elif never_both(node.condition, exception.condition, truths):
                message = f"`{exception.label}` excepts nothing that `{node.label}` forbids"
                yield Finding(message, exception.span)
            for other in node.unless[:late]:
                if always_follows(exception.condition, other.condition, truths):
                    yield Finding(f"`{exception.label}` adds nothing to `{other.label}`", exception.span)


_MOST = 40
"""So many restrictions of one choice are compared with each other."""


@lint_declarations("CHO308", ast.Choose, ast.Option, ast.Limits)
def redundant_restriction(decl: ast.Decl, index: RuleIndex) -> Iterator[Finding]:
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


_WITH_AMOUNTS = (ast.Many, ast.Repeat, ast.Move, ast.Draw, ast.Roll, ast.Index, ast.Choose)


@lint_declarations("CHO309", *_WITH_AMOUNTS)
def impossible_amount(decl: ast.Decl, index: RuleIndex) -> Iterator[Finding]:
    """Amounts that leave nothing to choose or do, or more than there is; positions before the first."""
    for node in nodes_of(decl, *_WITH_AMOUNTS):
        match node:
            case ast.Many(low=low, high=high):
                least = index.value_of(low) if low is not None else None
                most = index.value_of(high) if high is not None else None
                if least is not None and most is not None and least > most:
                    yield Finding(f"{least} to {most} is not an amount: the lower bound comes first", node.span)
                elif _is_nothing(high if high is not None else low, index):
                    yield Finding("this asks for nothing", node.span)
            case ast.Repeat(mode="times", value=often) if _is_nothing(often, index):
                yield Finding("this is never done", node.span)
            case ast.Repeat(at_most=often) if _is_nothing(often, index):
                yield Finding("this is never done", node.span)
            case ast.Move(amount=amount) if _is_nothing(amount, index):
                yield Finding("this moves nothing", node.span)
            case ast.Draw(amount=amount) if _is_nothing(amount, index):
                yield Finding("this draws nothing", node.span)
            case ast.Roll(amount=amount) if _is_nothing(amount, index):
                yield Finding("this rolls no die", node.span)
            case ast.Index(index=(at,)) if _is_below(at, 0, index):
                yield Finding("positions are counted from 0: there is nothing here", node.span)
        if isinstance(node, ast.Choose) and node.many is not None:
            yield from _too_many(node, node.many, index)


def _is_nothing(amount: ast.Expr | None, index: RuleIndex) -> bool:
    """True if an amount is never above 0."""
    return amount is not None and _is_below(amount, 1, index)


def _is_below(expr: ast.Expr, limit: int, index: RuleIndex) -> bool:
    bounds = index.bounds_of(expr)
    return bounds is not None and bounds[1] < limit


def _too_many(choice: ast.Choose, many: ast.Many, index: RuleIndex) -> Iterator[Finding]:
    given = many.high if many.high is not None else many.low
    wanted = index.value_of(given) if given is not None else None
    there = _members(choice.source, index)
    if wanted is not None and there is not None and wanted > there:
        yield Finding(f"{wanted} are chosen, but there are only {there}", many.span)


def _members(source: ast.Expr, index: RuleIndex) -> int | None:
    match source:
        case ast.SetOf(items):
            return len(set(items))
        case ast.Range(low, high):
            first, last = index.value_of(low), index.value_of(high)
            return max(last - first + 1, 0) if first is not None and last is not None else None
        case ast.TypeName(name):
            return index.values_of_enum(name)
        case _:
            return None
