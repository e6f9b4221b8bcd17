"""Deletions: parts that are left out to see whether a game is another one without them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from rulewright.findings.mutation.mutation_sites import Site
from rulewright.findings.mutation.operators.choice_operators import RESTRICTION_OPERATORS as RESTRICTIONS
from rulewright.findings.mutation.operators.choice_operators import without
from rulewright.findings.mutation.operators.declaration_operators import drop_consequence, drop_end
from rulewright.findings.mutation.operators.expression_operators import drop_where, one_side
from rulewright.findings.mutation.operators.operator_api import Operator, Replacement, Words, blocks, gives, rests
from rulewright.findings.mutation.operators.order_operators import STATEMENTS, drop_case, used_beside
from rulewright.syntax import ast

_ACTS = tuple(kind for kind in STATEMENTS if kind not in (ast.DoNothing, ast.Show))
"""Statements that change a position."""


def drop_statement(place: Site, words: Words) -> Iterator[Replacement]:
    """A statement left out, also the only one of a block."""
    yield from _without(place, 1)


def drop_neighbours(place: Site, words: Words) -> Iterator[Replacement]:
    """Two neighbouring statements left out together: one may take back what the other does."""
    yield from _without(place, 2)


def _without(place: Site, several: int) -> Iterator[Replacement]:
    """So many neighbours left out, unless what follows uses a name that they give."""
    for name, held in blocks(place.node):
        for number in range(len(held) - several + 1):
            gone = held[number : number + several]
            rest: Any = (*held[:number], *held[number + several :]) or (ast.DoNothing(span=gone[0].span),)
            given = frozenset(name for stmt in gone for name in gives(stmt))
            if all(isinstance(stmt, _ACTS) for stmt in gone) and not given & used_beside(place, *gone):
                yield Replacement(replace(place.node, **{name: rest}), before=gone)


def drop_member(place: Site, words: Words) -> Iterator[Replacement]:
    """A member of a set that is written down left out."""
    match place.node:
        case ast.SetOf(items=items) if len(items) > 1:
            yield from (Replacement(replace(place.node, items=rest)) for _, rest in rests(items))
        case _:
            pass  # all else stays as it is


def drop_term(place: Site, words: Words) -> Iterator[Replacement]:
    """A side of a sum, of a union or of what is excepted left out."""
    match place.node:
        case ast.Binary(op="+", left=left, right=right):
            yield Replacement(left)
            yield Replacement(right)
        case ast.Binary(op=op, left=left) if op in ast.SELECTING:
            yield Replacement(left)
        case _:
            pass  # all else stays as it is


_CHANGES = without(
    (
        ast.AssignOp, ast.RemoveOp, ast.ReplaceClauseOp, ast.ReplaceDeclOp, ast.MoveOp, ast.SetRowsOp, ast.AddRowOp,
        ast.RemoveRowsOp,
    )
)  # fmt: skip
"""Changes that are one thing; of the others each clause is left out by itself."""
_ACTING = (ast.Query, ast.Callable, ast.Reaction, ast.Consequence, ast.End, ast.Limits)
"""Declarations that say what is done: others, a zone and who sees it, leave no trace in a position."""


def drop_change(place: Site, words: Words) -> Iterator[Replacement]:
    """A change left out."""
    for one in _CHANGES(place, words):
        (change,) = one.before
        if not isinstance(change, ast.ReplaceDeclOp) or isinstance(change.decl, _ACTING):
            yield one


def one_value(place: Site, words: Words) -> Iterator[Replacement]:
    """One of two values, whether the condition holds or not."""
    match place.node:
        case ast.IfElse(then=then, otherwise=otherwise):
            yield Replacement(otherwise)
            yield Replacement(then)
        case _:
            pass  # all else stays as it is


DELETIONS: dict[str, Operator] = {
    "drop-change": drop_change,
    "drop-consequence": drop_consequence,
    "drop-end": drop_end,
    **RESTRICTIONS,
    "drop-case": drop_case,
    "drop-statement": drop_statement,
    "drop-neighbours": drop_neighbours,
    "drop-where": drop_where,
    "one-side": one_side,
    "one-value": one_value,
    "drop-member": drop_member,
    "drop-term": drop_term,
}
"""By their names, the larger parts first."""
