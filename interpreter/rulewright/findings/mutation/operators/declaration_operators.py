"""Operators that leave out whole declarations, or change their heads."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from rulewright.findings.mutation.mutation_sites import Site
from rulewright.findings.mutation.operators.choice_operators import without
from rulewright.findings.mutation.operators.operator_api import Operator, Replacement, Words, all_of, exchange, rests
from rulewright.syntax import ast

_CHANGES = (
    ast.AssignOp, ast.RemoveOp, ast.ReplaceClauseOp, ast.ReplaceDeclOp, ast.InsertOp, ast.AddDeclOp, ast.ExtendOp,
    ast.CasesForOp, ast.MoveOp, ast.SetRowsOp, ast.AddRowOp, ast.RemoveRowsOp,
)  # fmt: skip


def whole(*kinds: type[ast.Clause]) -> Operator:
    """The operator that leaves out a whole declaration of some kinds."""

    def drop(place: Site, words: Words) -> Iterator[Replacement]:
        if isinstance(place.node, kinds) and not place.way:
            yield Replacement(None, before=(place.node,))

    return drop


drop_consequence, drop_end = whole(ast.Consequence), whole(ast.End)


def when_asked(place: Site, words: Words) -> Iterator[Replacement]:
    """An end that does not wait until a procedure is over, a field that does not forget itself."""
    match place.node:
        case ast.End(after=str()):
            yield Replacement(replace(place.node, after=None))
        case ast.FieldDecl(lasting=str()):
            yield Replacement(replace(place.node, lasting=None))
        case _:
            pass  # all else stays as it is


def narrow_record(place: Site, words: Words) -> Iterator[Replacement]:
    """A record of positions that leaves out a field or zone."""
    match place.node:
        case ast.PositionsType(parts=parts) if len(parts) > 1:
            yield from (Replacement(replace(place.node, parts=rest)) for _, rest in rests(parts))


def widen_audience(place: Site, words: Words) -> Iterator[Replacement]:
    """Let everyone see what some see."""
    match place.node:
        case ast.Audience(by=by) if by != ast.Name("everyone"):
            yield Replacement(replace(place.node, by=ast.Name("everyone", span=by.span)))


def _drop_part(place: Site, words: Words) -> Iterator[Replacement]:
    """A change left out of a variant, or of what holds for a number of players or for a value."""
    if isinstance(place.node, (ast.WithPlayers, ast.Variant, ast.CasesForOp)):
        yield from without(_CHANGES)(place, words)


OPERATORS: dict[str, Operator] = {
    "drop-consequence": drop_consequence,
    "drop-end": drop_end,
    "drop-change": all_of(whole(*_CHANGES), _drop_part),
    "when-asked": when_asked,
    "narrow-record": narrow_record,
    "without-diagonals": exchange("form", {"diagonals": None}, ast.MapDecl),
    "widen-audience": widen_audience,
}
