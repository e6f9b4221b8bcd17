"""Declared structure that types follow from, as it is written: kinds and their bases, maps and edges, members."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cached_property
from typing import assert_never

from rulewright.compiler.symbols.static_types import BuiltIn
from rulewright.navigation.symbol_index import SymbolIndex
from rulewright.navigation.symbols import Symbol
from rulewright.syntax import ast

BOOL, INT, PLAYER = ast.NamedType("Bool"), ast.NamedType("Int"), ast.NamedType("Player")


def element_of(type: ast.TypeExpr | None) -> ast.TypeExpr | None:
    """The type of the members of a set or list, or of the values of keys; of anything else itself: a party is a set of
    players."""
    type = present(type)
    return type.element if isinstance(type, ast.SetType | ast.ListType | ast.KeyedType) else type


def present(type: ast.TypeExpr | None) -> ast.TypeExpr | None:
    """A type without ``or none``."""
    return type.base if isinstance(type, ast.OptionalType) else type


def prefix_type(op: ast.UnaryOp) -> ast.TypeExpr:
    """The type of what a prefix operator gives."""
    match op:
        case "not":
            return BOOL
        case "-":
            return INT
        case "clockwise from":
            return ast.ListType(PLAYER)
        case _:
            assert_never(op)


def built_in_type(name: BuiltIn, given: ast.TypeExpr | None) -> ast.TypeExpr | None:
    """The type of a call of a built-in function, from that of its first argument."""
    held = element_of(given)
    match name:
        case "size" | "distance" | "slot" | "seen_before":
            return INT
        case "possible" | "on_board" | "in_game" | "connected":
            return BOOL
        case "player_of":
            return ast.OptionalType(PLAYER)
        case "top" | "bottom" | "towards":
            return None if held is None else ast.OptionalType(held)
        case "ray":
            return None if held is None else ast.ListType(held)
        case "old" | "ahead" | "boundary" | "opposite" | "rotated":
            return given
        case "place" | "holder" | "side" | "places" | "edges_around":
            return None  # it hangs on zones, sides and maps, which are not looked at here
        case _:
            assert_never(name)


def first_of(types: Iterable[ast.TypeExpr | None]) -> ast.TypeExpr | None:
    """The first type that can be seen."""
    return next((type for type in types if type is not None), None)


def name_of_type(type: ast.TypeExpr | None) -> str:
    """The name of a type, or of the members of a set or list; empty if it has none."""
    found = element_of(type)
    return found.name if isinstance(found, ast.NamedType) else ""


MEMBERS = {
    "Player": {"left": PLAYER, "right": PLAYER, "seat": INT},
    "ring": {"number": INT},
    "grid": {"row": INT, "column": INT},
    "hexes": {"q": INT, "r": INT},
    "growing": {"q": INT, "r": INT},
    "graph": {},
    "corners": {},
}
"""Members that belong to the language, of players and of the places of each shape of a map."""
MEMBER_NAMES = frozenset(
    {name for of in MEMBERS.values() for name in of} | {"neighbours", "borders", "a", "b", "other", "count", "name"}
)
"""All names of members and columns that belong to the language."""


class DeclaredTypes:
    """Facts of the declarations of one ruleset from which types follow."""

    def __init__(self, index: SymbolIndex) -> None:
        self.index = index

    def zone(self, zone: ast.Zone, kinds: tuple[str, ...]) -> ast.TypeExpr:
        """The type of what lies in a zone for some kinds."""
        kind = ast.NamedType(kinds[0] if len(kinds) == 1 else self._common(kinds))
        if isinstance(zone.at_most, ast.Number) and zone.at_most.value == 1:
            return ast.OptionalType(kind)
        return ast.ListType(kind) if zone.order in ("stack", "row") else ast.SetType(kind)

    def _common(self, kinds: tuple[str, ...]) -> str:
        """The kind that several kinds of pieces are."""
        shared = [name for name in self.bases(kinds[0]) if all(name in self.bases(kind) for kind in kinds)]
        return shared[0] if shared else "Piece"

    def bases(self, kind: str) -> list[str]:
        """A kind of piece, and those that it is one of, the nearest first."""
        found: list[str] = []
        while kind and kind not in found:
            found.append(kind)
            node = self.node(kind)
            kind = (node.base or "") if isinstance(node, ast.Piece) else ""
        return found

    def node(self, name: str) -> ast.Node | None:
        """The declaration of a name."""
        places = self.index.declarations.get(Symbol("declaration", name), ())
        return places[0].node if places else None

    def faces(self, die: str) -> ast.TypeExpr | None:
        """The type of what a die shows."""
        node = self.node(die)
        if not isinstance(node, ast.Die):
            return None
        return INT if node.low is not None else ast.NamedType(die)

    def edge(self, place: str) -> ast.TypeExpr | None:
        """The type of the edges between places of a kind."""
        shape = self.map_of(place)
        return ast.NamedType(shape.edges) if shape is not None and shape.edges is not None else None

    def map_of(self, place: str) -> ast.MapDecl | None:
        """The map whose places are of this kind."""
        return next((n for n in self._maps if n.place == place), None)

    def member(self, type: ast.TypeExpr | None, name: str) -> ast.TypeExpr | None:
        """The type of ``x.name``; of several kinds the first that has it."""
        if isinstance(several := element_of(type), ast.UnionType):
            return first_of(self.member(part, name) for part in several.parts)
        held = name_of_type(type)
        if name == "neighbours" and held:
            return ast.SetType(ast.NamedType(held))
        edge = self.edge(held)
        if name == "borders":
            return ast.SetType(edge) if edge is not None else None
        for owner in self.bases(held) if held else ():
            places = self.index.declarations.get(Symbol("attribute", name, owner), ())
            if places and isinstance(places[0].node, ast.Attribute):
                return places[0].node.type
        if held == "Player" and name not in MEMBERS["Player"]:
            party = next((n for n in self._parties if n.lower() == name), None)
            return ast.NamedType(party) if party is not None else None
        shape = self.map_of(held)
        return MEMBERS["Player" if held == "Player" else shape.shape if shape is not None else "graph"].get(name)

    @cached_property
    def _parties(self) -> list[str]:
        return [s.name for s, of in self.index.declarations.items() if isinstance(of[0].node, ast.Party)]

    def members(self, type: ast.TypeExpr | None) -> dict[str, ast.TypeExpr | None] | None:
        """The members of the language that a value of a type has; None if the type is unknown."""
        held = name_of_type(type)
        if not held:
            return None
        found: dict[str, ast.TypeExpr | None] = {}
        if held == "Player":
            found |= MEMBERS["Player"]
            found |= {name.lower(): ast.NamedType(name) for name in self._parties}
        node, shape = self.node(held), self.map_of(held)
        if isinstance(node, ast.Merged):
            found["neighbours"] = ast.SetType(ast.NamedType(held))
        if shape is not None:
            found |= MEMBERS[shape.shape]
            found["neighbours"] = ast.SetType(ast.NamedType(held))
            if shape.edges is not None:
                found["borders"] = ast.SetType(ast.NamedType(shape.edges))
        if isinstance(node, ast.Place) and node.word == "edge":
            ends = next((n.place for n in self._maps if n.edges == held), "")
            found |= {name: ast.NamedType(ends) for name in ("a", "b", "other")}
        return found

    @cached_property
    def _maps(self) -> list[ast.MapDecl]:
        nodes = [of[0].node for of in self.index.declarations.values()]
        return [node for node in nodes if isinstance(node, ast.MapDecl)]
