"""CHO309: an impossible amount."""

from __future__ import annotations

from collections.abc import Iterator

from rulewright.lint.analyses.declaration_nodes import nodes_of
from rulewright.lint.analyses.rule_index import RuleIndex
from rulewright.lint.context import Finding, lint_declarations
from rulewright.syntax import ast

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
