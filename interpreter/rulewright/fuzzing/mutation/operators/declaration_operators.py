"""Operators that leave out whole declarations, or change their heads."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from rulewright.fuzzing.mutation.mutation_sites import Site
from rulewright.fuzzing.mutation.operators.choice_operators import without
from rulewright.fuzzing.mutation.operators.operator_api import Operator, Replacement, Words
from rulewright.syntax import ast

_CHANGES = (
    ast.AssignOp, ast.RemoveOp, ast.ReplaceClauseOp, ast.ReplaceDeclOp, ast.InsertOp, ast.AddDeclOp, ast.ExtendOp,
    ast.MoveOp, ast.SetRowsOp, ast.AddRowOp, ast.RemoveRowsOp,
)  # fmt: skip


def drop_consequence(place: Site, words: Words) -> Iterator[Replacement]:
    """A consequence left out."""
    if isinstance(place.node, ast.Consequence) and not place.way:
        yield Replacement(None, before=(place.node,))


def drop_end(place: Site, words: Words) -> Iterator[Replacement]:
    """An end of the game left out."""
    if isinstance(place.node, ast.End) and not place.way:
        yield Replacement(None, before=(place.node,))


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
            for number in range(len(parts)):
                yield Replacement(replace(place.node, parts=parts[:number] + parts[number + 1 :]))


def without_diagonals(place: Site, words: Words) -> Iterator[Replacement]:
    """A grid whose neighbours share a side."""
    match place.node:
        case ast.MapDecl(form="diagonals"):
            yield Replacement(replace(place.node, form=None))
        case _:
            pass  # all else stays as it is


def widen_audience(place: Site, words: Words) -> Iterator[Replacement]:
    """Let everyone see what some see."""
    match place.node:
        case ast.Audience(by=by) if by != ast.Name("everyone"):
            yield Replacement(replace(place.node, by=ast.Name("everyone", span=by.span)))


def drop_change(place: Site, words: Words) -> Iterator[Replacement]:
    """A change left out, of an edition, a variant or a number of players."""
    if isinstance(place.node, _CHANGES) and not place.way:
        yield Replacement(None, before=(place.node,))
    if isinstance(place.node, (ast.WithPlayers, ast.Variant)):
        yield from without(_CHANGES)(place, words)


OPERATORS: dict[str, Operator] = {
    "drop-consequence": drop_consequence,
    "drop-end": drop_end,
    "drop-change": drop_change,
    "when-asked": when_asked,
    "narrow-record": narrow_record,
    "without-diagonals": without_diagonals,
    "widen-audience": widen_audience,
}
