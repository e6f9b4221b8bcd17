"""The pieces that slots, fields and zones may ever hold.

Types of the program do not say of which kind a piece is, and a zone may be given any, so it is found out from where
values come: a forward flow of sets of pieces through slots, fields, zones, calls and results, which only grow (abstract
interpretation, P. and R. Cousot, 1977). The result may be too large, never too small.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from functools import reduce
from itertools import chain
from operator import or_

from rulewright.foundation.memo import memoized_by_node
from rulewright.ir import model as m
from rulewright.ir.control_flow.function_shape import ShapeCache
from rulewright.ir.dataflow.piece_flow import (
    ASKS,
    RESULT,
    Assignment,
    CallSite,
    Place,
    answered,
    flow_digest,
    names_of,
    piece_flow,
    piece_slots,
)
from rulewright.ir.facts import Kind, Zoned, from_origins
from rulewright.ir.hash_consing import structural_digest
from rulewright.ir.set_operations import SetOperation, at_most, at_most_of
from rulewright.ir.walk import nodes

_NO_NAMES: Mapping[str, int] = {}


class HeldPieces:
    """The pieces that the slots, fields and zones of one program may hold, as sets."""

    def __init__(self, program: m.Program, laid_out: bool = False) -> None:
        """With `laid_out` not only in games from the beginning, but from positions that were laid out by hand, too:
        there zones hold all that they are declared for, and fields and parameters any piece."""
        self._all = (1 << next((u.size for u in program.universes if u.name == "Piece"), 0)) - 1
        kinds = {kind.name: kind.members for kind in program.kinds}
        self._kinds = kinds
        self.zones = {z.name: self._all if z.name == "box" else 0 for z in program.zones}
        """For each zone all that may ever lie there."""
        for piece, (zone, _) in enumerate(program.begins):
            self.zones[zone] |= 1 << piece
        self._queries = {q.name: q for q in program.queries if q.ty.universe == "Piece"}
        self._slots: dict[tuple[str, int], int] = {}
        """For each slot, and for the result of each function, all that it may hold."""
        self._kind_of = {f.name: f.ty.kind for f in program.fields if f.ty.universe == "Piece"}
        self.fields = {f.name: self._constant(f.initial, f.ty.kind) for f in program.fields if f.name in self._kind_of}
        """For each field over pieces all that its values may hold."""
        self._pieces = {f.name: piece_slots(f) for f in program.functions}
        """For each function its slots with pieces, and the kinds of their types."""
        if laid_out:
            for declared in program.zones:
                self.zones[declared.name] |= self._declared(declared)
            self.fields = dict.fromkeys(self.fields, self._all)
            self._slots = {(f.name, slot): self._all for f in program.functions for slot in _given(f)}
        self._readers: dict[Place, list[int]] = {}
        """For each place those of the ways on which pieces come somewhere that look at it."""
        self._reads_of: dict[str, frozenset[Place]] = {}
        carried = self._carried(program)
        self._waiting = dict.fromkeys(range(len(carried)))
        while self._waiting:
            at = next(iter(self._waiting))
            del self._waiting[at]
            self._pass(*carried[at])

    def _carried(self, program: m.Program) -> list[tuple[str, Assignment | CallSite]]:
        """The ways on which pieces come somewhere, each with its function."""
        found: list[tuple[str, Assignment | CallSite]] = []
        for function in program.functions:
            for step in piece_flow(function):
                if self._may_carry(function.name, step.way):
                    for place in chain(step.places, *map(self._places, step.names)):
                        self._readers.setdefault(place, []).append(len(found))
                    found.append((function.name, step.way))
        return found

    def _may_carry(self, function: str, way: Assignment | CallSite) -> bool:
        """True if pieces may come somewhere on a way in some game."""
        if isinstance(way, Assignment):
            return not isinstance(way.to, str) or not way.to.startswith("field ") or way.to[6:] in self.fields
        own, given = self._pieces[function], self._pieces[way.function]
        handed = any(slot < len(way.args) for slot in given)
        return way.into in own or handed or not own.keys().isdisjoint(way.shared)

    def _places(self, name: str) -> frozenset[Place]:
        """The zones and fields that are read by the name of one, or by a query."""
        query = self._queries.get(name.removeprefix(ASKS)) if name.startswith(ASKS) else None
        if query is None:
            return frozenset((name,))
        if name not in self._reads_of:
            self._reads_of[name] = frozenset()  # queries never form a cycle
            self._reads_of[name] = frozenset[Place]().union(*map(self._places, _asked_by(query)))
        return self._reads_of[name]

    def _declared(self, zone: m.Zone) -> int:
        """The pieces that a zone is declared for, and those that are of no narrower kind than one above."""
        wanted = union_of(self._kinds[kind] for kind in zone.kinds) if zone.kinds else self._all
        found, seen = wanted, 0
        for members in sorted(self._kinds.values(), key=int.bit_count):
            found |= members & ~seen if members & wanted else 0
            seen |= members
        return found

    def of(self, function: str, e: m.Expr, kind: Kind = "", names: Mapping[str, int] = _NO_NAMES) -> int:
        """The pieces that a value in a function may be or hold; `kind` is that of its type, if it is known, `names` are
        the variables around it."""

        def own(e: m.Expr, kind: Kind) -> int:
            match e:
                case m.Const(value) | m.ListConst(value):
                    return self._constant(value, kind)
                case m.Local(slot) if slot in self._pieces.get(function, ()):
                    return self._slots.get((function, slot), 0)
                case m.Kind(name):
                    return self._kinds.get(name, self._all)
                case m.FieldGet(field):
                    return self.fields.get(field, self._all)
                case _ if isinstance(e, Zoned):
                    return self.zones[e.zone]
                case _:
                    return self._all

        return from_origins(e, own, at_most, kind=kind, names=names, queries=self._queries)

    def _pass(self, name: str, way: Assignment | CallSite) -> None:
        """Let the pieces of a way come to where it leads."""
        if isinstance(way, Assignment):
            to = way.to
            if isinstance(to, tuple):
                self._come(to, self.of(name, way.value, way.kind))
            elif to.startswith("field "):
                held, field = self.fields, to.removeprefix("field ")
                held[field] = self._joined(to, held[field], self.of(name, way.value, self._kind_of[field]))
            else:
                held, zone = self.zones, to.removeprefix("zone ")
                held[zone] = self._joined(to, held[zone], self.of(name, way.value, way.kind))
            return
        own, given = self._pieces[name], self._pieces[way.function]
        for slot, arg in enumerate(way.args):
            if slot in given:
                self._come((way.function, slot), self.of(name, arg, given[slot]))
        for slot, mine in enumerate(way.shared):
            if mine in own:
                self._come((name, mine), self.of(way.function, m.Local(slot), own[mine]))
        if way.into is not None and way.into in own:
            self._come((name, way.into), self._slots.get((way.function, RESULT), 0))

    def _come(self, to: tuple[str, int], more: int) -> None:
        """Pieces come to a slot or result."""
        self._slots[to] = self._joined(to, self._slots.get(to, 0), more)

    def _joined(self, place: Place, known: int, more: int) -> int:
        """The pieces that a place may hold, if some come to it; who looks at it is looked at again if it holds more."""
        if more & ~known:
            self._waiting.update(dict.fromkeys(self._readers.get(place, ())))
        return known | more

    def _constant(self, value: int | tuple[int, ...], kind: str) -> int:
        """The pieces of a constant: one of them, or a set or list of them; any of these, if its type is not known."""
        if isinstance(value, tuple):
            return union_of(self._constant(one, "entity") for one in value)
        if value < 0:
            return 0
        found = value if kind != "entity" else 0
        if kind != "set" and value < self._all.bit_length():
            found |= 1 << value
        return found & self._all


_kept: ShapeCache[HeldPieces] = ShapeCache()


def held_pieces(program: m.Program, laid_out: bool = False) -> HeldPieces:
    """The pieces that slots, fields and zones may hold; found once for all games in which pieces flow in the same
    way."""
    fields = {f"field {f.name}": (f.initial, f.ty.kind) for f in program.fields if f.ty.universe == "Piece"}
    zones, kinds = tuple((z.name, z.kinds) for z in program.zones), tuple((k.name, k.members) for k in program.kinds)
    slots = {f.name: piece_slots(f) for f in program.functions}
    flow: list[object] = []
    for name, digest in ((f.name, flow_digest(f)) for f in program.functions):
        if digest.own:
            flow.append(digest.own)
        flow += [(name, *one) for one in digest.fields if one[0] in fields]
        handed = ((called, slot, args) for called, args in digest.calls for slot in slots[called])
        flow += [(name, called, slot, args[slot]) for called, slot, args in handed if slot < len(args)]
    queries = tuple(_digest(query) for query in program.queries if query.ty.universe == "Piece")
    key = laid_out, tuple(fields.items()), zones, kinds, program.begins, tuple(flow), queries
    return _kept.get(key, lambda: HeldPieces(program, laid_out))


@memoized_by_node
def _digest(query: m.QueryDef) -> bytes:
    return structural_digest(query.name, query.params, answered(query))


@memoized_by_node
def _asked_by(query: m.QueryDef) -> tuple[str, ...]:
    return names_of(nodes(answered(query)))


def _given(function: m.Function) -> Iterable[int]:
    """The parameters of a function that hold pieces."""
    return (slot for slot in piece_slots(function) if slot < function.params)


def union_of(sets: Iterable[int]) -> int:
    """All that is in one of some sets."""
    return reduce(or_, sets, 0)


_Zones = frozenset[str] | None
"""Names of zones; None for all."""


def source_zones(
    program: m.Program,
    e: m.Expr | None,
    stored: Callable[[int], frozenset[str] | None] = lambda slot: None,
    is_piece: bool = False,
) -> frozenset[str] | None:
    """The zones in which each piece lies that an expression may be or hold; None if it may lie anywhere.

    Values that were stored are not followed: `stored` gives the zones for a slot. If it is not a collection, it
    `is_piece`.
    """

    def own(e: m.Expr, kind: Kind) -> frozenset[str] | None:
        match e:
            case m.Local(slot):
                return stored(slot)
            case m.Const(m.NONE) | m.ListConst(()):
                return frozenset()
            case m.Const(0) if kind in ("set", "list"):
                return frozenset()
            case _:
                return frozenset((e.zone,)) if isinstance(e, Zoned) else None

    if e is None:
        return None
    queries = {query.name: query for query in program.queries}
    combined: Callable[[SetOperation, _Zones, _Zones], _Zones] = at_most_of
    return from_origins(e, own, combined, kind="entity" if is_piece else "set", queries=queries)
