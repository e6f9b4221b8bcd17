"""PERF901: a search of the whole board after each move."""

from __future__ import annotations

from collections.abc import Iterator

from rulewright.lint.analyses.constant_conditions import operands
from rulewright.lint.analyses.declaration_nodes import nodes_of
from rulewright.lint.analyses.loops import Loop, WorkEstimate, binds_of, is_free, is_place, whole
from rulewright.lint.analyses.rule_index import RuleIndex
from rulewright.lint.context import Finding, lint_declarations
from rulewright.syntax import ast

LEAST = 500
"""Less work is done as quickly as anything else."""


@lint_declarations("PERF901", ast.End, ast.Consequence)
def whole_board_search(decl: ast.Decl, index: RuleIndex) -> Iterator[Finding]:
    """An end or consequence that looks for a witness among all places, though only what has changed can be a new one.

    That is semi-naive evaluation, as in Datalog: what did not hold before holds now because of something that is new.
    """
    work = WorkEstimate(index)
    for rule in nodes_of(decl, ast.End, ast.Consequence):
        assert isinstance(rule, ast.End | ast.Consequence)
        for loop, witness in _witnesses(index, rule.when):
            first = binds_of(loop)[0]
            universe = index.type_of(first.source).universe
            count, done = whole(index, first.source), work.of(loop)
            if count and is_place(index, universe) and done >= LEAST and not _begins_with_few(loop, work):
                message = f"`{rule.name}` goes through all of {universe} each time that it is looked for"
                cost = f"that are {count} places, and up to {done:,} conditions: "
                yield Finding(message, witness.span, hint=cost + _advice(index, loop, universe, first.name))


def _witnesses(index: RuleIndex, expr: ast.Expr, depth: int = 4) -> Iterator[tuple[Loop, ast.Expr]]:
    """The loops of which one member is enough, each with the expression that asks for it."""
    match expr:
        case ast.Binary(op="and" | "or", left=left, right=right):
            yield from _witnesses(index, left, depth)
            yield from _witnesses(index, right, depth)
        case ast.Binary(op=">" | ">=", left=ast.Aggregate(kind="count" | "max", binds=binds) as loop) if binds:
            yield loop, expr
        case ast.Aggregate(kind="some", binds=binds) if binds:
            yield expr, expr
        case ast.IsEmpty(ast.Comprehension() as loop, negated=True):
            yield loop, expr
        case ast.Call(ast.Name(name)) if depth:
            query = index.decl_named(name)
            if isinstance(query, ast.Query) and query.value is not None:
                for found, _ in _witnesses(index, query.value, depth - 1):
                    yield found, expr


def _begins_with_few(loop: Loop, work: WorkEstimate) -> bool:
    """True if a simple condition on the first member alone stands beside the others: it is tested before them."""
    first, *others = (bind.name for bind in binds_of(loop))
    parts = operands(loop.where, "and") if loop.where is not None else ()
    return any(not is_free(part, first) and is_free(part, *others) and not work.of(part) for part in parts)


def _advice(index: RuleIndex, loop: Loop, universe: str, name: str) -> str:
    advice = (
        f"begin with few (`{name} in {{x in {universe} where …}}`), or keep the place that was changed last in a field "
        "and look only at what goes through it: nothing else can have become true"
    )
    turned = any(
        index.type_of(bind.source).universe == "Direction" for bind in binds_of(loop) if whole(index, bind.source)
    )
    return f"{advice}; of two opposite directions one is enough for a line" if turned else advice
