"""The expressions of a program: trees that only ask. None of them can change, draw or choose anything."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal


@dataclass(frozen=True, slots=True)
class Const:
    """A number, index, truth or bit set known when the program was made."""

    value: int


@dataclass(frozen=True, slots=True)
class ListConst:
    """A list known when the program was made."""

    values: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Var:
    """A binder of an enclosing expression, or a parameter of the query."""

    name: str


@dataclass(frozen=True, slots=True)
class Local:
    """A slot of the running frame."""

    slot: int


@dataclass(frozen=True, slots=True)
class Alive:
    """All members of a universe: for merged universes those that stand for themselves, for ``Player`` those still in
    the game."""

    universe: str


@dataclass(frozen=True, slots=True)
class Kind:
    """All pieces of a kind."""

    name: str


@dataclass(frozen=True, slots=True)
class Attr:
    """A table entry; of none it is none (an empty set if the table holds sets)."""

    table: str
    of: Expr


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
class Item:
    """An element of a list, from 0; out of range is none."""

    list: Expr
    at: Expr


@dataclass(frozen=True, slots=True)
class Arith:
    """Integer arithmetic; ``div_up`` and ``div_down`` round towards plus and minus infinity. By zero is an error."""

    op: Literal["add", "sub", "mul", "div_up", "div_down", "min", "max"]
    left: Expr
    right: Expr


@dataclass(frozen=True, slots=True)
class Cmp:
    """A comparison. With `nothing`, ``eq``/``ne`` treat none as an ordinary value (``x is none``)."""

    op: Literal["eq", "ne", "lt", "le", "gt", "ge"]
    left: Expr
    right: Expr
    nothing: bool = False


@dataclass(frozen=True, slots=True)
class SetEq:
    """True if two sets (or two lists) are the same."""

    left: Expr
    right: Expr


@dataclass(frozen=True, slots=True)
class And:
    """True if all are; stops at the first that is not."""

    items: tuple[Expr, ...]


@dataclass(frozen=True, slots=True)
class Or:
    """True if one is; stops at the first that is."""

    items: tuple[Expr, ...]


@dataclass(frozen=True, slots=True)
class Not:
    """The opposite of a truth."""

    operand: Expr


@dataclass(frozen=True, slots=True)
class IfElse:
    """One of two values; only the one that is needed is computed."""

    condition: Expr
    then: Expr
    otherwise: Expr


@dataclass(frozen=True, slots=True)
class LetIn:
    """`body` with `var` bound to `value`."""

    var: str
    value: Expr
    body: Expr


@dataclass(frozen=True, slots=True)
class SetOp:
    """Union, intersection or difference of two sets."""

    op: Literal["union", "inter", "minus"]
    left: Expr
    right: Expr


@dataclass(frozen=True, slots=True)
class Contains:
    """True if `item` is in a set or list; none is in nothing."""

    collection: Expr
    item: Expr
    is_list: bool = False


@dataclass(frozen=True, slots=True)
class MakeSet:
    """A set of the values of `items`; none is left out."""

    items: tuple[Expr, ...]


@dataclass(frozen=True, slots=True)
class MakeList:
    """A list of the values of `items`."""

    items: tuple[Expr, ...]


@dataclass(frozen=True, slots=True)
class IntRange:
    """The whole numbers from `low` to `high` (0 ≤ low, high ≤ 1023), as a set."""

    low: Expr
    high: Expr


@dataclass(frozen=True, slots=True)
class Size:
    """The number of members of a set or list."""

    of: Expr
    is_list: bool = False


@dataclass(frozen=True, slots=True)
class Single:
    """The only member of a set, else none."""

    of: Expr


@dataclass(frozen=True, slots=True)
class First:
    """The least member of a set, or the first of a list, else none."""

    of: Expr
    is_list: bool = False


@dataclass(frozen=True, slots=True)
class Lowest:
    """The `count` least members of a set (all, if there are fewer; a negative count is 0)."""

    of: Expr
    count: Expr


@dataclass(frozen=True, slots=True)
class Top:
    """The `count` first pieces of a stack (from the top) or row, as a list; all, if there are fewer."""

    zone: str
    index: tuple[Expr, ...]
    count: Expr


@dataclass(frozen=True, slots=True)
class Filter:
    """Those members of a set (or list, order kept) for which `where` holds."""

    source: Expr
    var: str
    where: Expr
    is_list: bool = False


@dataclass(frozen=True, slots=True)
class Collect:
    """The set of the values of `element` for all members of `source`; none is left out. With `flat`, the union of the
    sets that `element` gives."""

    source: Expr
    var: str
    element: Expr
    flat: bool = False
    is_list: bool = False
    """True if `source` is a list."""


@dataclass(frozen=True, slots=True)
class Bound:
    """``var`` runs over `source`."""

    var: str
    source: Expr
    is_list: bool = False


@dataclass(frozen=True, slots=True)
class Fold:
    """An aggregate over nested binders (a later source may use an earlier variable).

    ``count``/``some``/``no`` count those with `where`; ``sum`` adds `body` (none adds nothing); ``max``/``min`` of
    nothing is none; ``every`` asks whether `body` holds for all with `where`.
    """

    kind: Literal["count", "some", "no", "sum", "max", "min", "every"]
    binds: tuple[Bound, ...]
    where: Expr | None
    body: Expr | None


@dataclass(frozen=True, slots=True)
class Best:
    """The set of those members of `source` with the highest `key`; members whose key is none are passed over."""

    source: Expr
    var: str
    key: Expr
    is_list: bool = False


@dataclass(frozen=True, slots=True)
class Sort:
    """`source` as a list, lowest `key` first (highest first if `descending`); stable; none comes last."""

    source: Expr
    var: str
    key: Expr
    descending: bool = False
    is_list: bool = False


@dataclass(frozen=True, slots=True)
class ToList:
    """A set as a list, least first."""

    of: Expr


@dataclass(frozen=True, slots=True)
class ToSet:
    """A list as a set."""

    of: Expr


@dataclass(frozen=True, slots=True)
class CallQuery:
    """Call of a query."""

    query: str
    args: tuple[Expr, ...]


@dataclass(frozen=True, slots=True)
class Old:
    """The value `of` had before (only in properties)."""

    of: Expr


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
class NeighboursOf:
    """Places beside a place."""

    graph: str
    place: Expr


@dataclass(frozen=True, slots=True)
class Towards:
    """The place `steps` steps from `place` in a direction, else none. Negative steps go back: to the place from which
    so many steps in that direction lead to `place`."""

    graph: str
    place: Expr
    direction: Expr
    steps: Expr


@dataclass(frozen=True, slots=True)
class DistanceOf:
    """Steps between two places, none if there is no way."""

    graph: str
    start: Expr
    end: Expr


@dataclass(frozen=True, slots=True)
class EdgeBetween:
    """The edge between two places, else none."""

    graph: str
    start: Expr
    end: Expr


@dataclass(frozen=True, slots=True)
class EdgesOf:
    """The edges of a place."""

    graph: str
    place: Expr


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
class ReachFrom:
    """The places that can be come to from `start` over places in `within` (None: all) and over edges (or, on a map
    without edges, steps) for which `across` holds, `var` being bound to the edge; the start itself included."""

    graph: str
    start: Expr
    within: Expr | None
    var: str | None
    across: Expr | None


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


StateRead = (
    Alive
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
"""Expressions that look at the state by themselves: who adds one says in `dataflow.effects` what it reads."""

Computation = (
    Const
    | ListConst
    | Var
    | Local
    | Kind
    | Attr
    | Item
    | Arith
    | Cmp
    | SetEq
    | And
    | Or
    | Not
    | IfElse
    | LetIn
    | SetOp
    | Contains
    | MakeSet
    | MakeList
    | IntRange
    | Size
    | Single
    | First
    | Lowest
    | Filter
    | Collect
    | Fold
    | Best
    | Sort
    | ToList
    | ToSet
    | Old
    | NeighboursOf
    | Towards
    | DistanceOf
    | EdgeBetween
    | EdgesOf
    | ReachFrom
)
"""Expressions whose value follows from their parts, from locals and from what is printed."""

Expr = StateRead | Computation
