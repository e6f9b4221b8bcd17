"""Effects, and the pieces that they are about.

That something lies elsewhere matters to a rule only if the rule asks about such pieces: a pawn that is put on a place
changes no result about the kings there. So the tokens of :mod:`~rulewright.ir.dataflow.effects` come with the pieces
that are read or written there, found by :class:`~rulewright.ir.dataflow.held_pieces.HeldPieces`. The result may be too
large, never too small.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from copy import copy
from functools import cached_property
from typing import cast

from rulewright.ir import model as m
from rulewright.ir.dataflow.effects import EffectAnalysis, Tokens, node_reads
from rulewright.ir.dataflow.held_pieces import HeldPieces, held_pieces
from rulewright.ir.facts import lies_in
from rulewright.ir.reads import STATE_READS
from rulewright.ir.walk import scoped

ANY = -1
"""All pieces; and what stands with a token that is not about pieces."""

Concerns = Mapping[str, int]
"""Tokens, each with the set of pieces that it is about."""

_OfPiece = m.PlaceOf | m.InZone | m.SideOf
_Names = Mapping[str, int]
_NO_NAMES: _Names = {}
_NO_CONDITIONS: Mapping[str, m.Expr] = {}


def meet(reads: Concerns, writes: Concerns) -> bool:
    """True if what is written may change what is read."""
    return any(reads.get(token, 0) & pieces for token, pieces in writes.items())


class PieceEffects:
    """The reads and writes of one program, with the pieces that they are about."""

    def __init__(
        self, program: m.Program, conditions: Mapping[str, m.Expr] = _NO_CONDITIONS, laid_out: bool = True
    ) -> None:
        """Effects of a program; `conditions` are further ones, by name. With `laid_out` in any position, else in those
        of games from the beginning."""
        self._program = program
        self._laid_out = laid_out
        self._zones = {z.name: z for z in program.zones}
        self._queries = {q.name: q for q in program.queries}
        self._named = {**{f"area {a.name}": a.across for a in program.areas}, **conditions}
        self._areas_read: dict[tuple[str, tuple[int, ...]], Concerns] = {}
        self._unread: frozenset[str] = frozenset()

    def without(self, areas: frozenset[str]) -> PieceEffects:
        """A copy in which a read of one of some areas counts as the area, ``area x``, and not as what decides upon
        it."""
        found = copy(self)
        found._areas_read, found._unread = {}, areas
        return found

    @cached_property
    def effects(self) -> EffectAnalysis:
        """The reads and writes without pieces."""
        return EffectAnalysis.of(self._program)

    @cached_property
    def _held(self) -> HeldPieces:
        return held_pieces(self._program, laid_out=self._laid_out)

    def reads_of(self, name: str) -> Concerns:
        """The reads of a query, an area (as ``area x``), a growing map (as ``map x``) or a condition."""
        query = self._queries.get(name)
        return self._of_name(name, (ANY,) * len(query.params) if query is not None else ())

    def tokens_of(self, name: str) -> Tokens:
        """The reads of the same without the pieces that they are about."""
        known = self._named.get(name)
        return self.effects.reads_of(name) if known is None else self.effects.reads(known)

    def writes(self, function: str, i: m.Instr) -> Concerns:
        """The writes of an instruction of a function."""
        tokens = self.effects.writes(i)
        match i:
            case m.Move(what, _, zone):
                moved = self._moved_by(function, i)
                found = self._moved(moved, (zone, *self._left(what, moved)))
                return {token: pieces for token, pieces in found.items() if token in tokens}
            case m.Flip(what):
                return dict.fromkeys(tokens, self._held.of(function, what, "set"))
            case _:
                return _about_any(tokens)

    def taken_from(self, function: str, i: m.Move, pieces: int) -> Iterator[tuple[str, int]]:
        """The zones that an instruction may take some pieces from, each with those of them that it may move."""
        if moved := self._moved_by(function, i) & pieces:
            for name in self._left(i.what, moved):
                yield name, moved

    def written_by(self, to: str, zone: str, pieces: int) -> Concerns:
        """The writes of a move of some pieces from one zone to another."""
        return self._moved(pieces, (to, zone))

    def _moved_by(self, function: str, i: m.Move) -> int:
        return self._held.of(function, i.what, "list" if i.is_list else "set")

    def _left(self, what: m.Expr, moved: int) -> Iterable[str]:
        """The zones that some pieces may be taken from."""
        known = lies_in(what)
        if known is not None:
            return (known.zone,)
        return (name for name in self._zones if self._held.zones[name] & moved)

    def _moved(self, moved: int, zones: Iterable[str]) -> Concerns:
        """The tokens of what changes when pieces go from some zones to others of them."""
        found = {"where": moved, "side": moved}
        for name in zones:
            found[f"zone {name}"] = found[f"in {name}"] = moved
            for universe in self._zones[name].index:
                found[f"at {universe}"] = moved
            if self._zones[name].order in ("stack", "row"):  # the others change their places in it
                found["where"] |= self._held.zones[name]
        return found

    def _of_name(self, name: str, args: tuple[int, ...]) -> Concerns:
        """The reads of a query, for arguments that are some pieces, or of an area or map."""
        key = name, args
        if key not in self._areas_read:
            self._areas_read[key] = {}  # an area that asks for itself adds nothing
            found: dict[str, int] = {}
            if (query := self._queries.get(name)) is not None:
                names = {slot.name: pieces for slot, pieces in zip(query.params, args, strict=True)}
                self._read(query.body, ANY, names, found)
            elif name in self._named:
                self._read(self._named[name], ANY, _NO_NAMES, found)
            else:
                found.update(_about_any(self.effects.reads_of(name)))
            self._areas_read[key] = found
        return self._areas_read[key]

    def _read(self, e: m.Expr, within: int, names: _Names, found: dict[str, int]) -> None:
        """Add the reads of an expression, of whose members only those `within` some pieces matter."""

        def pieces(e: m.Expr) -> int:
            return self._held.of("", e, "", names)

        if type(e) in STATE_READS:
            for token, about in self._state_read(cast(m.StateRead, e), within, pieces).items():
                found[token] = found.get(token, 0) | about
        limits: Mapping[int, int] = dict.fromkeys(_HANDED_ON.get(type(e), ()), within)
        match e:
            case m.SetOp("union"):
                limits = {0: within, 1: within}
            case m.SetOp("inter"):
                limits = {0: within & pieces(e.right), 1: within & pieces(e.left)}
            case m.SetOp("minus"):
                limits = {0: within, 1: within & pieces(e.left)}
            case m.Charged() if e.each:  # its price depends on how many there are
                limits = {}
        for number, (part, bound) in enumerate(scoped(e)):
            inner = names
            for var, of in bound.items():
                inner = {**inner, var: ANY if of is None else self._held.of("", of, "", inner)}
            self._read(part, limits.get(number, ANY), inner, found)

    def _state_read(self, e: m.StateRead, within: int, pieces: Callable[[m.Expr], int]) -> Concerns:
        """The reads of a node without those of the expressions inside it."""
        match e:
            case m.ZoneGet(zone):
                return {f"zone {zone}": within & self._held.zones[zone]}
            case m.ZoneList(zone) | m.Top(zone):
                return {f"zone {zone}": self._held.zones[zone]}
            case m.CallQuery(query, args):
                params = self._queries[query].params
                about = (pieces(a) if p.ty.universe == "Piece" else ANY for p, a in zip(params, args, strict=True))
                return self._of_name(query, tuple(about))
            case m.Component(area):
                return {f"area {area}": ANY} if area in self._unread else self._of_name(f"area {area}", ())
            case _:
                tokens = self.effects.through(node_reads(e))
                return dict.fromkeys(tokens, pieces(e.piece) if isinstance(e, _OfPiece) else ANY)


_HANDED_ON: Mapping[type, tuple[int, ...]] = {
    m.ToSet: (0,), m.Charged: (0,), m.Filter: (0,), m.LetIn: (1,), m.IfElse: (1, 2),
}  # fmt: skip
"""For some kinds of expressions, by their numbers, the parts of which the members are those of the expression."""


def _about_any(tokens: Tokens) -> Concerns:
    return dict.fromkeys(tokens, ANY)
