"""Values that everybody may know, because they are worked out only from what all players see.

Found from the program alone, so an answer holds in every state. It may be too careful, never too generous: a value is
public only if each read of the state is.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator, Sequence
from functools import cached_property, reduce
from operator import or_
from typing import assert_never, cast

from rulewright.foundation.lazy_dataclass import dataclass
from rulewright.foundation.memo import memoized_by_node
from rulewright.ir import model as m
from rulewright.ir.control_flow.function_shape import ShapeCache, shapes
from rulewright.ir.dataflow.held_pieces import held_pieces, union_of
from rulewright.ir.declared_sight import sight_of
from rulewright.ir.reads import STATE_READS, Read, counted, reads
from rulewright.ir.walk import children
from rulewright.knowledge.piece_visibility import Backs

Known = Callable[[int], bool]
"""True of a slot whose value everybody may know."""


@dataclass(frozen=True, slots=True)
class Needs:
    """All that everybody must know of slots to know a value."""

    slots: frozenset[int]
    sizes: frozenset[int]
    """The slots of which it is enough to know how many members they have."""

    def met(self, slot: Known, size: Known) -> bool:
        """True if all of it is known."""
        return all(map(slot, self.slots)) and all(size(number) or slot(number) for number in self.sizes)


_answers: ShapeCache[tuple[dict[str, bool], tuple[m.Expr, ...]]] = ShapeCache()
"""For each sort of games with the very same queries and areas what is known of them; and those, so that they live."""


def _no_slot(slot: int) -> bool:
    return False


class PublicValues:
    """Looks through expressions, and the queries and areas that they ask."""

    def __init__(self, program: m.Program) -> None:
        sight = sight_of(program)
        self.faces = {z.name for z in program.zones if sight.open(z)}
        hides = any(z.name not in self.faces for z in program.zones)
        seen_by_all = [f for f in program.fields if sight.everybody(f)]
        self.naming = {f.name for f in seen_by_all if not hides or sight.names(f)}
        """Fields that show all which pieces they mention; others show of a hidden one only where it lies. Where none
        that is mentioned ever lies hidden, it is the same."""
        if any(f.ty.universe == "Piece" and f.name not in self.naming for f in seen_by_all):
            held = held_pieces(program)
            hidden = union_of(pieces for zone, pieces in held.zones.items() if zone not in self.faces)
            self.naming |= {f.name for f in seen_by_all if not held.fields.get(f.name, -1) & hidden}
        self.marking = {f.name for f in seen_by_all if f.ty.universe == "Piece"}
        """Fields of which all see which places of pieces they mean."""
        self.fields = {f.name for f in seen_by_all if f.ty.universe != "Piece" or f.name in self.naming}
        self.counts = {z.name for z in program.zones if sight.everybody(z, "count")}
        self._backs, backs = Backs(program), [z for z in program.zones if sight.everybody(z, "back")]
        on_backs = tuple((z.name, t.name) for z in backs for t in program.tables if self._backs.shows(z, t.name))
        self._back_of = {z.name: z for z in backs}
        """The zones of which all see the backs."""
        self._zones = program.zones
        self._sided = _zones_of_sides(program)
        self._bodies: dict[str, m.Expr] = {q.name: q.body for q in program.queries}
        self._bodies |= {f"area {a.name}": a.across for a in program.areas}
        self._places = {g.name: g.place for g in program.graphs}
        self._open = len(self.faces) == len(program.zones) and len(self.fields) == len(program.fields)
        self.seen = (
            self._open,
            frozenset(self.fields),
            frozenset(self.naming),
            frozenset(self.marking),
            tuple((z.name, z.index, z.name in self.faces, z.name in self.counts) for z in self._zones),
            frozenset(self._sided),
            on_backs,
            tuple(self._places.items()),
        )
        """All that decides upon what a read shows, but for its own subject."""
        bodies = tuple(self._bodies.values())
        self._named, _ = _answers.get((self.seen, tuple(map(id, bodies))), lambda: ({}, bodies))

    @cached_property
    def kind(self) -> Hashable:
        """All that decides upon the answers: equal in two games, equal answers about equal expressions in both."""
        return self.seen, tuple((name, self._body(name)) for name in self._bodies)

    def known(self, e: m.Expr, slot: Known = _no_slot, size: Known = _no_slot) -> bool:
        """True if everybody may know the value of an expression, whatever its variables stand for: everything that it
        reads is seen by all. `slot` is true of slots of which all know the value, `size` of which they know how many
        members it has."""
        needs = self.needs(e)
        return needs is not None and needs.met(slot, size)

    def needs(self, e: m.Expr) -> Needs | None:
        """The knowledge of slots from which that of a value follows; none if it reads what not all see."""
        slots, sizes = set[int](), set[int]()
        left: list[m.Expr] = [e]  # no recursion: a query may have thousands of modifiers, each around those before it
        while left:
            e = left.pop()
            inner = counted(e)
            if isinstance(e, m.Local):
                slots.add(e.slot)
            elif isinstance(inner, m.Local):
                sizes.add(inner.slot)
            elif (parts := self._in_sight(e, inner)) is not None:
                left += parts
            elif type(e) in STATE_READS and not all(map(self.shows, reads(cast(m.StateRead, e)))):
                return None
            else:
                left += children(e)
        return Needs(frozenset(slots), frozenset(sizes))

    def _in_sight(self, e: m.Expr, inner: m.Expr | None) -> Sequence[m.Expr] | None:
        """The parts that decide upon the value of an expression that asks of a zone or field no more than all see of
        it, be it hidden: how much there is (of `inner`), or the backs of the pieces; None of any other."""
        if isinstance(inner, m.FieldGet) and inner.field in self.marking:
            return inner.index
        if isinstance(inner, m.ZoneGet | m.ZoneList) and inner.zone in self.counts:
            return inner.index
        if isinstance(e, m.Fold) and len(e.binds) == 1:
            [bind] = e.binds
            if isinstance(bind.source, m.ZoneGet | m.ZoneList) and self._by_backs(e, bind.source.zone, bind.var):
                return (*bind.source.index, *(part for part in (e.where, e.body) if part is not None))
        elif isinstance(e, m.Attr) and isinstance(e.of, m.First | m.Item):
            place, *at = children(e.of)
            if isinstance(place, m.ZoneList) and self._told_by_back(place.zone, e.table):
                return (*place.index, *at)
        return None

    def _by_backs(self, e: m.Fold, zone: str, var: str) -> bool:
        """True if no more than the backs, which all see, is looked at of each piece in a zone."""
        seen = self._back_of.get(zone)
        some = e.where is not None or e.body is not None
        return some and seen is not None and self._backs.facet(seen, var, (e.where, e.body)) != "face"

    def _told_by_back(self, zone: str, table: str) -> bool:
        return zone in self._back_of and self._backs.shows(self._back_of[zone], table)

    def shows(self, read: Read) -> bool:
        """True if all see what is read, whatever it is read of."""
        aspect, name = read
        match aspect:
            case "field":
                return name in self.fields
            case "pieces" | "order" | "contents" | "in":
                return name in self.faces
            case "at":
                return self.faces.issuperset(self._zones_at(name))
            case "map":  # whether anything lies in a place
                return self.counts.issuperset(self._zones_at(self._places[name]))
            case "slot":
                return self.faces.issuperset(zone.name for zone in self._zones)
            case "side":
                return self.faces.issuperset(self._sided)
            case "query" | "area":
                return self._body(read.callee)
            case "after":
                return self._open  # the function may read anything
            case "members" | "merged":
                return True  # who is still in the game, and which places have become one region: all see it
            case _:
                assert_never(aspect)

    def _zones_at(self, universe: str) -> Iterator[str]:
        """The zones of the members of a universe, also those that belong to several."""
        return (zone.name for zone in self._zones if universe in zone.index)

    def _body(self, name: str) -> bool:
        if name not in self._bodies:
            return False
        if name not in self._named:
            self._named[name] = True  # a cycle adds nothing
            self._named[name] = self.known(self._bodies[name])
        return self._named[name]


public_values: Callable[[m.Program], PublicValues] = memoized_by_node(PublicValues)
"""The public values of a program, for all analyses that ask for them."""


@memoized_by_node
def sort_of_game(program: m.Program) -> Hashable:
    """All that decides upon who may know what: equal for games that differ in numbers only."""
    zones = tuple(zone.kinds for zone in program.zones)
    return public_values(program).kind, program.kinds, zones, tuple(shapes(program).values())


def _zones_of_sides(program: m.Program) -> set[str]:
    """The zones in which pieces that have sides may lie, or any face down: all others have one side up anywhere."""
    members = {kind.name: kind.members for kind in program.kinds}
    sided = reduce(or_, (kind.members for kind in program.kinds if kind.sides), 0)
    return {z.name for z in program.zones if z.faced or not z.kinds or any(members[kind] & sided for kind in z.kinds)}


def public_queries(program: m.Program) -> frozenset[str]:
    """The queries that read nothing but what all players see, in any state. None is named by mistake, but one that
    reads a secret without telling it is left out."""
    values = _OfKnownArguments(program)
    return frozenset(query.name for query in program.queries if values.answers(query.name))


class _OfKnownArguments(PublicValues):
    """Takes parameters for known: the caller of a query looks through the arguments."""

    def answers(self, query: str) -> bool:
        """True if the answer is known to all."""
        return self._body(query)

    def _body(self, name: str) -> bool:
        if name not in self._bodies:
            return False
        if name not in self._named:
            self._named[name] = True  # a cycle adds nothing
            self._named[name] = self.known(self._bodies[name], lambda slot: True)
        return self._named[name]
