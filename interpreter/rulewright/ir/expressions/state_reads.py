"""Expressions that look at the state by themselves."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rulewright.foundation.lazy_dataclass import dataclass

if TYPE_CHECKING:
    from rulewright.ir.expressions import Expr


@dataclass(frozen=True, slots=True)
class Alive:
    """All members of a universe: for merged universes those that stand for themselves, for ``Player`` those still in
    the game."""

    universe: str


@dataclass(frozen=True, slots=True)
class FieldGet:
    """A field's value; with a none among the keys it is none (for sets and lists: empty)."""

    field: str
    index: tuple[Expr, ...]


@dataclass(frozen=True, slots=True)
class ZoneGet:
    """The set of pieces in a zone."""

    zone: str
    index: tuple[Expr, ...]


@dataclass(frozen=True, slots=True)
class ZoneList:
    """The pieces of a stack or row in order: a stack from the top, a row from its first slot."""

    zone: str
    index: tuple[Expr, ...]


@dataclass(frozen=True, slots=True)
class Top:
    """The `count` first pieces of a stack (from the top) or row, as a list; all, if there are fewer."""

    zone: str
    index: tuple[Expr, ...]
    count: Expr


@dataclass(frozen=True, slots=True)
class CallQuery:
    """Call of a query."""

    query: str
    args: tuple[Expr, ...]


@dataclass(frozen=True, slots=True)
class ClockwiseFrom:
    """All players still in the game, as a list, in seat order from this one on."""

    player: Expr


@dataclass(frozen=True, slots=True)
class PlaceOf:
    """The key of the zone a piece lies in, if that zone has one key of universe `universe`, else none."""

    universe: str
    piece: Expr


@dataclass(frozen=True, slots=True)
class SlotOf:
    """The position of a piece in its stack (from the top) or row, from 0, else none."""

    piece: Expr


@dataclass(frozen=True, slots=True)
class InZone:
    """True if a piece lies in any instance of one of these zones."""

    zones: tuple[str, ...]
    piece: Expr


@dataclass(frozen=True, slots=True)
class SideOf:
    """The side of a piece that is up: 0 for its first side. A piece without sides shows its face (0) or back (1)."""

    piece: Expr


@dataclass(frozen=True, slots=True)
class Component:
    """All places of the area that `place` belongs to."""

    area: str
    place: Expr


@dataclass(frozen=True, slots=True)
class Grown:
    """The places of a growing map where pieces lie, and those beside them; while none lies, the origin."""

    graph: str


@dataclass(frozen=True, slots=True)
class Canon:
    """The living region that a region (or place, by index) now belongs to."""

    merged: str
    of: Expr


@dataclass(frozen=True, slots=True)
class PlacesOf:
    """The places of a region."""

    merged: str
    region: Expr


@dataclass(frozen=True, slots=True)
class RegionsBeside:
    """The other living regions that touch a region."""

    merged: str
    region: Expr


@dataclass(frozen=True, slots=True)
class Ahead:
    """The region (or place, if `merged` is empty) so many steps clockwise on a ring."""

    graph: str
    merged: str
    start: Expr
    steps: Expr


@dataclass(frozen=True, slots=True)
class After:
    """The value of `of` after a function without questions has run; the state is then as it was before it."""

    function: str
    args: tuple[Expr, ...]
    of: Expr


@dataclass(frozen=True, slots=True)
class Fingerprint:
    """Four numbers from 0 to 2**31 - 1 that stand for what some fields and zones hold now: the same for the same,
    whichever of several alike pieces is which; for anything else other ones (124 bits of a hash)."""

    fields: tuple[str, ...]
    zones: tuple[str, ...]


StateRead = (
    Alive
    | After
    | Fingerprint
    | FieldGet
    | ZoneGet
    | ZoneList
    | Top
    | CallQuery
    | ClockwiseFrom
    | PlaceOf
    | SlotOf
    | InZone
    | SideOf
    | Component
    | Grown
    | Canon
    | PlacesOf
    | RegionsBeside
    | Ahead
)
"""Expressions that look at the state by themselves: `ir.reads` lists what each reads."""
