"""The contents of a game, for its display: boards, zones, fields, and what is printed on things.

``game.model`` is this view of a game. It names things by their keys and contains nothing about how rules run, so tools
need not know the program.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Literal

from rulewright.foundation.bit_sets import bits_of, members_of
from rulewright.ir.declarations import STAND_INS, Graph, Table
from rulewright.ir.graphs import unfolded
from rulewright.ir.model import Program
from rulewright.ir.types import INT_MAX, Ty

Value = int | str | bool | tuple[str | int, ...] | None
"""A key of a universe, a number, a truth, several of these, or nothing."""


@dataclass(frozen=True, slots=True)
class Universe:
    """A finite, ordered set of things of one kind."""

    name: str
    sort: Literal["enum", "player", "party", "place", "edge", "piece", "merged", "text"]
    keys: tuple[str, ...]
    """The key of each member; keys of pieces may repeat (pieces that are alike)."""


@dataclass(frozen=True, slots=True)
class ValueType:
    """The type of a value."""

    kind: Literal["bool", "int", "entity", "set", "list"]
    universe: str = ""
    """Of an entity, or of the members of a set or list."""
    low: int = -INT_MAX
    high: int = INT_MAX
    """Bounds of an int."""
    optional: bool = False
    """True if it may be none."""


@dataclass(frozen=True, slots=True)
class Attribute:
    """Printed attribute: one value for each member of a universe, in the order of its keys."""

    universe: str
    name: str
    type: ValueType
    values: tuple[Value, ...]


@dataclass(frozen=True, slots=True)
class PieceKind:
    """A kind of piece."""

    name: str
    members: tuple[int, ...]
    """The numbers of its pieces, kinds below it included, in the order of the keys of ``Piece``."""
    sides: tuple[str, ...] = ()
    """The sides that its pieces turn up; none: they have but one."""


@dataclass(frozen=True, slots=True)
class Board:
    """A map: places, and the edges between them if the rules mention edges. All by number."""

    name: str
    shape: Literal["ring", "grid", "hexes", "graph", "growing"]
    place: str
    """The universe of its places."""
    edge: str | None
    """The universe of its edges."""
    layout: tuple[tuple[int, int], ...]
    """The position at which each place is drawn, in thousandths of a step; a growing map has no layout of its own."""
    links: tuple[tuple[int, int], ...]
    """Places that lie beside each other, the lower number first."""
    edges: tuple[tuple[int, int], ...]
    """The two places that each edge joins."""
    regions: tuple[str, ...]
    """The universes of regions of its places."""
    base: str = ""
    """The universe of the cells whose corners its places are, with the same layout; empty: of none."""


@dataclass(frozen=True, slots=True)
class Zone:
    """A zone in which pieces lie."""

    name: str
    index: tuple[str, ...]
    """The universes of its keys: one zone for each combination."""
    order: Literal["set", "bag", "stack", "row"]
    kinds: tuple[str, ...] = ()
    """The kinds of pieces that it takes; none: all."""
    covered: tuple[str, ...] = ()
    """The kinds of which the others may see only the back there; none: all that it takes."""

    @property
    def ordered(self) -> bool:
        """True if one piece lies on, or behind, the other."""
        return self.order in ("stack", "row")


@dataclass(frozen=True, slots=True)
class Field:
    """A variable of the state that is no piece."""

    name: str
    index: tuple[str, ...]
    """The universes of its keys."""
    type: ValueType


@dataclass(frozen=True, slots=True)
class Query:
    """A query of the rules, see ``State.ask``."""

    name: str
    index: tuple[str, ...]
    """The universes of its arguments."""


@dataclass(frozen=True)
class GameModel:
    """The contents of a game, each in the order of the rules."""

    universes: Mapping[str, Universe]
    """By name; ``Player`` and ``Piece`` are always there."""
    attributes: tuple[Attribute, ...]
    kinds: tuple[PieceKind, ...]
    boards: tuple[Board, ...]
    zones: tuple[Zone, ...]
    fields: tuple[Field, ...]
    queries: tuple[Query, ...]
    move: str
    """The rule one use of which is one move of the game tree; empty: every decision is."""
    backs: tuple[str, ...] = ()
    """The text on the back of each piece, empty where its kind declares none; empty: no kind does."""

    @cached_property
    def board(self) -> Board | None:
        """The first map; None if there is none."""
        return self.boards[0] if self.boards else None

    @cached_property
    def teams(self) -> Mapping[str, tuple[str, ...]]:
        """The seats of each party of several players, by its key."""
        found = {}
        for party in (u for u in self.universes.values() if u.sort == "party"):
            members = self.attribute(party.name, "members")
            for key, seats in zip(party.keys, members.values if members else (), strict=False):
                if isinstance(seats, tuple) and len(seats) > 1:
                    found[key] = tuple(map(str, seats))
        return found

    def keys(self, universe: str) -> tuple[str, ...]:
        """The keys of a universe; none if there is no such universe."""
        found = self.universes.get(universe)
        return found.keys if found is not None else ()

    def attribute(self, universe: str, name: str) -> Attribute | None:
        """The attribute of a universe that has this name."""
        return next((one for one in self.attributes if (one.universe, one.name) == (universe, name)), None)


def model_of(program: Program) -> GameModel:
    """The view of a program."""
    apart = {kind for zone in program.zones if zone.is_internal for kind in zone.kinds}
    pieces = sum(zone != STAND_INS for zone, _ in program.begins)  # what stands for something else comes behind them
    universes = {u.name: Universe(u.name, u.sort, u.keys) for u in program.universes}
    if apart:
        universes["Piece"] = replace(universes["Piece"], keys=universes["Piece"].keys[:pieces])
    return GameModel(
        universes,
        attributes=tuple(_attribute(table, universes) for table in program.tables if not table.is_conversion),
        kinds=tuple(
            PieceKind(k.name, tuple(bits_of(k.members)), k.sides) for k in program.kinds if k.name not in apart
        ),
        boards=tuple(_board(graph, program) for graph in program.graphs),
        zones=tuple(
            Zone(zone.name, zone.index, zone.order, zone.kinds, zone.covered)
            for zone in program.zones
            if not zone.is_internal
        ),
        fields=tuple(
            Field(field.name, field.index, _type(field.ty)) for field in program.fields if not field.is_internal
        ),
        queries=tuple(Query(query.name, tuple(p.ty.universe for p in query.params)) for query in program.queries),
        move=program.move,
        backs=program.backs,
    )


def _type(ty: Ty) -> ValueType:
    return ValueType(ty.kind, ty.universe, ty.low, ty.high, ty.optional)


def _board(graph: Graph, program: Program) -> Board:
    regions = tuple(merged.name for merged in program.merged if merged.place == graph.place)
    if graph.shape == "growing":
        # Which of its places are shown depends on the position.
        return Board(graph.name, graph.shape, graph.place, graph.edge, (), (), (), regions)
    whole = unfolded(graph)
    links = tuple(
        (number, other) for number, beside in enumerate(whole.neighbours) for other in bits_of(beside) if other > number
    )
    return Board(
        graph.name, graph.shape, graph.place, graph.edge, whole.layout, links, whole.edges, regions, graph.base
    )


def _attribute(table: Table, universes: Mapping[str, Universe]) -> Attribute:
    members = universes.get(table.universe)
    held = table.values if members is None else table.values[: len(members.keys)]
    values = tuple(_value(value, table.ty, universes) for value in held)
    return Attribute(table.universe, table.name.rpartition(".")[2], _type(table.ty), values)


def _value(value: int | tuple[int, ...], ty: Ty, universes: Mapping[str, Universe]) -> Value:
    """A printed value as people name it; of a number for each what there is: ``1 wood``, ``2 brick``."""
    if ty.keys:
        named = zip(universes[ty.keys].keys, members_of(value), strict=False)
        return tuple(key if ty.universe == "Bool" else f"{number} {key}" for key, number in named if number)
    members = universes.get(ty.universe)
    keys = members.keys if members is not None else None
    if isinstance(value, tuple) or ty.kind == "set":
        return tuple(keys[one] if keys is not None else one for one in members_of(value))
    if value < -INT_MAX:
        return None
    if ty.kind == "bool":
        return bool(value)
    if ty.kind == "entity" and keys is not None:
        return keys[value] if 0 <= value < len(keys) else None
    return value
