"""Constraints of single pieces: which of them can lie where, given the markers on the piece that lies there.

An invariant about one piece, such as ``for c in Card: hint[c] is none or hint[c] is c.colour``, is about what is
printed on the piece and about markers on it, and about nothing else; so is one about a row of markers, such as ``not
excluded[c, c.colour]``. A player who sees the markers can work out which
pieces they may lie on: unary constraints, which dealing keeps by itself. All other invariants are looked at when a
world is dealt, and throw it away.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace

from rulewright.engine.runtime.machine import Engine
from rulewright.engine.runtime.position import Position
from rulewright.foundation.bit_sets import bits_of
from rulewright.foundation.lazy_dataclass import dataclass
from rulewright.ir import model as m
from rulewright.ir.dataflow.effects import own_reads
from rulewright.ir.transform.rewriting import Rewriter, substituted
from rulewright.ir.walk import nodes

_PIECE, _MARKED = "the piece", "the piece with the markers"
_TYPES = (m.Ty("entity", "Piece"), m.Ty("entity", "Piece"))


@dataclass(frozen=True, slots=True)
class _Constraint:
    """An invariant about one piece."""

    members: int
    """The pieces that it is about, a set."""
    fields: tuple[str, ...]
    """The fields of its markers."""
    condition: m.Expr
    """Of what is printed on one piece, and of the markers that lie on another."""


def admitted(state: Position, sees: Callable[[str, int], bool]) -> Callable[[int], int]:
    """The pieces, as a set, that can lie in the place of a piece, given all markers on it that a player `sees`, by the
    names of their fields and the numbers of their rows."""
    constraints = _constraints(state.engine) if state.settled else ()
    return lambda piece: _admitted(state, constraints, sees, piece) if constraints else -1


def _admitted(
    state: Position, constraints: tuple[_Constraint, ...], sees: Callable[[str, int], bool], piece: int
) -> int:
    engine, found = state.engine, -1
    for number, one in enumerate(constraints):
        places = [engine.layout.fields[field] for field in one.fields]
        rows = [range(piece * (n := place.strides[0] // place.span), piece * n + n) for place in places]
        if not all(sees(field, row) for field, some in zip(one.fields, rows, strict=True) for row in some):
            continue
        spans = [(place.at + piece * place.strides[0], place.strides[0]) for place in places]
        markers = tuple(state.cells[at : at + span] for at, span in spans)
        known = engine.cache("marker constraints")
        key = number, *map(tuple, markers)
        if key not in known:
            known[key] = _fitting(state, one, piece)
        if known[key] >> piece & 1:  # else the rules have broken their invariant
            found &= known[key]
    return found


def _fitting(state: Position, one: _Constraint, marked: int) -> int:
    """The pieces for which an invariant holds with the markers on one of them."""
    function = state.engine.compiled.expression(one.condition, (_PIECE, _MARKED), _TYPES)
    pieces = bits_of(one.members)
    holds = [state.engine.call(function, state.cells, state.cells, p, marked, memory=state.memory) for p in pieces]
    others = (1 << state.engine.layout.pieces) - 1 & ~one.members
    return others | sum(1 << piece for piece, truth in zip(pieces, holds, strict=True) if truth == 1)


def _constraints(engine: Engine) -> tuple[_Constraint, ...]:
    """The invariants about one piece each, of a program."""
    known = engine.cache("invariants of pieces")
    if "all" not in known:
        kinds = {kind.name: kind.members for kind in engine.program.kinds}
        fields = {field.name: field for field in engine.program.fields}
        made = (_constraint(one, kinds, fields) for one in engine.program.assertions if one.word == "invariant")
        known["all"] = tuple(one for one in made if one is not None)
    found: tuple[_Constraint, ...] = known["all"]
    return found


def _constraint(assertion: m.Assertion, kinds: Mapping[str, int], fields: Mapping[str, m.Field]) -> _Constraint | None:
    source = assertion.source
    if assertion.var is None or assertion.inner or not isinstance(source, m.Kind):
        return None
    piece, condition = m.Var(assertion.var), assertion.condition
    markers = [node for node in nodes(condition) if isinstance(node, m.FieldGet)]
    names = tuple(dict.fromkeys(node.field for node in markers))
    reads = own_reads(condition)
    if not names or reads.queries or reads.tokens != {f"field {name}" for name in names}:
        return None
    keys = [key for node in markers for key in node.index]
    if any(node.index[:1] != (piece,) or fields[node.field].ty.universe == "Piece" for node in markers):
        return None
    if any(isinstance(node, m.FieldGet) for key in keys for node in nodes(key)):
        return None  # one marker selects another
    rewriter = Rewriter()
    marked = rewriter.rebuilt(
        condition, (m.FieldGet,), lambda node: replace(node, index=(m.Var(_MARKED), *node.index[1:]))
    )
    if piece not in nodes(marked):
        return None  # it is the same for all pieces
    return _Constraint(kinds[source.name], names, substituted(rewriter, marked, {assertion.var: m.Var(_PIECE)}))
