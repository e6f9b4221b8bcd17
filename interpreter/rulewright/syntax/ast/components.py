"""Declarations of what there is: players, pieces, maps, zones, fields."""

from __future__ import annotations

from typing import Literal

from rulewright.foundation.lazy_dataclass import dataclass
from rulewright.syntax.ast.base import Clause, Node
from rulewright.syntax.ast.expressions import ByCount, Expr
from rulewright.syntax.ast.types import NamedType, RangeType, RowEdit, TypeExpr


@dataclass(frozen=True, slots=True)
class Game(Clause):
    """``game name``."""

    name: str


@dataclass(frozen=True, slots=True)
class Players(Clause):
    """``players 2 to 4[, teams of 2[ with 4 players][, seated p]]``."""

    low: int
    high: int
    team_size: int | None = None
    team_count: int | None = None
    """The number of players with which teams are played, if it is written."""
    seated: str | None = None

    @property
    def in_teams(self) -> int | None:
        """The number of players with which teams are played: where only one can be, it need not be written."""
        only = self.high if self.low == self.high and self.team_size is not None else None
        return only if self.team_count is None else self.team_count


@dataclass(frozen=True, slots=True)
class Member(Node):
    """A member of a party: ``players``, ``teams`` or a name, perhaps only with some player counts."""

    name: str
    counts: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class Party(Clause):
    """``party Army: players, wild``: everyone who can own or fight, players or not."""

    name: str
    members: tuple[Member, ...]


@dataclass(frozen=True, slots=True)
class Parameter(Clause):
    """``param name [: type] = e, e with 3 players``, or ``param name[Player] = [a, b]``."""

    name: str
    type: TypeExpr | None
    value: Expr
    by_count: tuple[ByCount, ...]
    key: str | None = None
    """The type of its keys: then the value is a list with a value for each, and the type is that of one of them."""


@dataclass(frozen=True, slots=True)
class Attribute(Clause):
    """``name: type [= e]`` in a table-backed declaration: a column, or something computed from columns."""

    name: str
    type: TypeExpr
    value: Expr | None


@dataclass(frozen=True, slots=True)
class EnumDecl(Clause):
    """``enum Family: red, pink`` or ``enum Terrain from "terrain.json"`` with attributes."""

    name: str
    values: tuple[str, ...]
    table: str | None
    attributes: tuple[Attribute, ...]
    edits: tuple[RowEdit, ...] = ()
    """Changes that overlays have made in the rows of the table, in order."""


@dataclass(frozen=True, slots=True)
class Die(Clause):
    """``die D6: 1 to 6`` or ``die FamilyDie: Family, crown``."""

    name: str
    low: int | None
    high: int | None
    faces: tuple[str, ...]
    """Names of faces; a capitalised one stands for all values of that enum."""


@dataclass(frozen=True, slots=True)
class Piece(Clause):
    """``piece Knight [is a Figure] [from "table"]`` with attributes, key, back, sides and where its pieces
    begin."""

    name: str
    base: str | None
    table: str | None
    attributes: tuple[Attribute, ...]
    named: str | None
    back: str | None
    """The text printed on the back, like the key: ``back shows "{letter}"``."""
    sides: tuple[str, ...]
    begins: Expr | None
    edits: tuple[RowEdit, ...] = ()
    """Changes that overlays have made in the rows of the table, in order."""


@dataclass(frozen=True, slots=True)
class Place(Clause):
    """``place Space`` or ``edge Border``."""

    word: Literal["place", "edge"]
    name: str
    attributes: tuple[Attribute, ...]
    named: str | None


@dataclass(frozen=True, slots=True)
class MapDecl(Clause):
    """``map Name: ring of 15 Province``, ``grid 12 by 12 of Space``, ``hexes from "f" of Hex``, ``graph from "f" of
    City``, ``hexes of radius 4 of Cell``, ``growing hexes of Cell, at most 73``, ``corners of Board of Corner``;
    perhaps ``, edges Border``."""

    name: str
    shape: Literal["ring", "grid", "hexes", "graph", "growing", "corners"]
    sizes: tuple[Expr, ...]
    table: str | None
    place: str
    edges: str | None
    form: Literal["hexagon", "rhombus", "triangle", "diagonals"] | None = None
    """Of hexes that stand in no file; of a grid whether squares that share a corner only are neighbours, too."""
    base: str | None = None
    """The map whose corners these are."""


@dataclass(frozen=True, slots=True)
class Area(Clause):
    """``area Land of Space, joined across b where C``: live components of the map, a value."""

    gives = ("across",)

    name: str
    place: str
    across: str
    where: Expr


@dataclass(frozen=True, slots=True)
class Merged(Clause):
    """``merged Region of Province``: classes of places that only grow, an entity."""

    name: str
    place: str


@dataclass(frozen=True, slots=True)
class IndexPart(Node):
    """``p: Player``, ``Player`` or ``1..4`` in the index of a zone or field."""

    gives = ("name",)

    name: str | None
    type: str
    """The name of a type, or the first and the last number."""

    @property
    def numbers(self) -> tuple[int, int] | None:
        """The first and the last number, if keys are numbers."""
        low, dots, high = self.type.partition("..")
        return (int(low), int(high)) if dots else None

    @property
    def key(self) -> TypeExpr:
        """The type of a key."""
        return NamedType(self.type) if self.numbers is None else RangeType(*self.numbers)


@dataclass(frozen=True, slots=True)
class Audience(Node):
    """``face seen by p``; no facet means all of them."""

    facet: Literal["face", "back", "count"] | None
    by: Expr


@dataclass(frozen=True, slots=True)
class Zone(Clause):
    """``zone hand[p: Player]: set of Card, at most 3, face seen by p``."""

    name: str
    index: tuple[IndexPart, ...]
    order: Literal["set", "stack", "bag", "row"]
    kinds: tuple[str, ...]
    at_most: Expr | None
    faced: tuple[str, ...] | None
    """The kinds that may lie face down, all of them if none is named; None if the zone is not faced."""
    audiences: tuple[Audience, ...]


@dataclass(frozen=True, slots=True)
class FieldDecl(Clause):
    """``field control[Family]: Player or none = none, lasting round, seen by everyone``."""

    name: str
    index: tuple[IndexPart, ...]
    type: TypeExpr
    value: Expr | None
    lasting: str | None
    audiences: tuple[Audience, ...]
    """None: everyone sees it."""
    at_most: Expr | None = None
    """Capacity of a list."""
