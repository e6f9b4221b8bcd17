"""The program: a small, closed, typed form of a game, which every backend runs with the same answers.

A program belongs to one ruleset, one number of players, one chain of variants and one set of options; all of these
are folded in. Nothing in it is a Python object: it is a tree of the frozen classes below, and
:mod:`rulewright.program.codec` turns it into JSON and back.

**Values.** Every value is an integer, a set or a list of integers.

=============  =====================================================================================
type           at run time
=============  =====================================================================================
Bool           0 or 1
Int            a 32-bit integer
entity         its index in its universe, from 0
none           :data:`NONE`
set of T       a bit set over T's universe (bit *i* is member *i*); for whole numbers bit *i* is *i*
list of T      a sequence of at most `capacity` integers
=============  =====================================================================================

**Universes.** Enums, players, parties, places, edges, regions and pieces are universes of fixed size. All kinds of
pieces share one universe, ``Piece``; a kind is a constant set in it (:class:`Kind`). A *merged* universe (regions)
has one member for each place; the member of least index stands for all that were merged with it
(:class:`Canon`), the others are not alive.

**State.** A block of integers, the *cells*, laid out by :class:`Field` and :class:`Zone` in order, and a stack of
frames ``[function, pc, caller's base, locals…]``. See :mod:`rulewright.engine.layout`.

**None.** Printed things (:class:`Attr`), fields and zones of none are none (for sets: empty). ``eq`` is false and
``ne`` is false when both sides are none, unless the operation is marked `nothing`, which asks just that; ``lt`` and
the like are false with none. Arithmetic with none is none. A truth that is none does not hold. What is asked of none
(its neighbours, its area, who sits clockwise from it) is none or empty.

**Keys of merged universes** in fields and zones are taken to the living region first.

**Errors.** A whole number beyond 32 bits, or one outside 0 to 1023 that shall go into a set, is an error of the rules.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal

NONE = -(2**31)
"""The integer that stands for none."""

INT_MAX = 2**31 - 1


@dataclass(frozen=True, slots=True)
class Ty:
    """A run-time type."""

    kind: Literal["bool", "int", "entity", "set", "list"]
    universe: str = ""
    """Of an entity, or of the members of a set or list, where it may also be ``Int`` or ``Bool``."""
    low: int = -INT_MAX
    high: int = INT_MAX
    """Bounds of an int, or of the ints in a set or list."""
    optional: bool = False
    capacity: int = 0
    """Most elements of a list."""


BOOL = Ty("bool")
INT = Ty("int")

# -------------------------------------------------------------------------------------------- declarations


@dataclass(frozen=True, slots=True)
class Universe:
    """A finite, ordered set of things that are spoken of by index."""

    name: str
    sort: Literal["enum", "player", "party", "place", "edge", "piece", "merged"]
    keys: tuple[str, ...]
    """The key of each member; keys of pieces may repeat (pieces that are alike)."""

    @property
    def size(self) -> int:
        """How many members there are."""
        return len(self.keys)


@dataclass(frozen=True, slots=True)
class Table:
    """Something printed: one value for each member of a universe. Sets are bit sets, lists tuples."""

    name: str
    """``Universe.attribute``; for pieces ``Piece.attribute``."""
    universe: str
    ty: Ty
    values: tuple[int | tuple[int, ...], ...]


@dataclass(frozen=True, slots=True)
class KindSet:
    """A kind of piece and the pieces that are of it (kinds below it included)."""

    name: str
    members: int
    """A bit set over ``Piece``."""
    sides: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Graph:
    """The map. Places and edges are universes; everything here is by index."""

    name: str
    shape: Literal["ring", "grid", "hexes", "graph", "growing"]
    place: str
    edge: str | None
    neighbours: tuple[int, ...]
    """For each place the bit set of places beside it."""
    edges: tuple[tuple[int, int], ...]
    """The two ends of each edge (empty if the map declares no edges)."""
    towards: tuple[tuple[int, ...], ...]
    """For each direction of the map's ``Direction`` universe, for each place the next place or NONE."""
    distance: tuple[tuple[int, ...], ...]
    """Steps between two places, NONE if there is no way."""
    layout: tuple[tuple[int, int], ...]
    """For each place where it is drawn, in thousandths of a unit: x to the right, y down."""


@dataclass(frozen=True, slots=True)
class MergedMap:
    """A universe of regions over the places of a graph."""

    name: str
    place: str


@dataclass(frozen=True, slots=True)
class AreaMap:
    """Live components: places joined across those edges for which `across` holds; `var` is bound to the edge."""

    name: str
    place: str
    var: str
    across: Expr


@dataclass(frozen=True, slots=True)
class Audience:
    """Who sees a zone or field. `index` names the binders of its index; `by` is a set of players, or None: nobody."""

    facet: Literal["face", "back", "count", "all"]
    by: Expr | None


@dataclass(frozen=True, slots=True)
class Field:
    """What can change and is no piece."""

    name: str
    index: tuple[str, ...]
    """Universes of its keys."""
    binders: tuple[str, ...]
    """A variable for each key, free in the audiences."""
    ty: Ty
    initial: int | tuple[int, ...]
    audiences: tuple[Audience, ...]
    cites: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Zone:
    """Where pieces lie."""

    name: str
    index: tuple[str, ...]
    binders: tuple[str, ...]
    order: Literal["set", "bag", "stack", "row"]
    kinds: tuple[str, ...]
    capacity: int
    """Most pieces in it."""
    faced: bool
    audiences: tuple[Audience, ...]
    cites: tuple[str, ...] = ()
    limited: bool = False
    """Whether the capacity was declared (``at most n``), so that going over it is an error of the rules."""


@dataclass(frozen=True, slots=True)
class Stream:
    """A source of chance, named by what it is for."""

    name: str


# --------------------------------------------------------------------------------------------- expressions


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
    """Whether two sets (or two lists) are the same."""

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
    """Whether `item` is in a set or list; none is in nothing."""

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
class Span:
    """The whole numbers from `low` to `high` (0 ≤ low, high ≤ 1023), as a set."""

    low: Expr
    high: Expr


@dataclass(frozen=True, slots=True)
class Size:
    """How many members a set or list has."""

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
    """Whether `source` is a list."""


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
class Ask:
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
    """Whether a piece lies in any instance of one of these zones."""

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
    """The place `steps` steps from `place` in a direction, else none."""

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


Expr = (
    Const
    | ListConst
    | Var
    | Local
    | Alive
    | Kind
    | Attr
    | FieldGet
    | ZoneGet
    | ZoneList
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
    | Span
    | Size
    | Single
    | First
    | Lowest
    | Top
    | Filter
    | Collect
    | Fold
    | Best
    | Sort
    | ToList
    | ToSet
    | Ask
    | Old
    | ClockwiseFrom
    | PlaceOf
    | SlotOf
    | InZone
    | SideOf
    | NeighboursOf
    | Towards
    | DistanceOf
    | EdgeBetween
    | EdgesOf
    | Component
    | ReachFrom
    | Canon
    | PlacesOf
    | RegionsBeside
    | Ahead
)

# -------------------------------------------------------------------------------------------- instructions


@dataclass(frozen=True, slots=True)
class SetLocal:
    """Store a value in a slot of the frame."""

    slot: int
    value: Expr


@dataclass(frozen=True, slots=True)
class Append:
    """Add an element to a list in a slot of the frame; over its capacity is an error."""

    slot: int
    value: Expr


@dataclass(frozen=True, slots=True)
class SetField:
    """Store a value in a field. Out of its bounds, or under a none key, is an error of the rules."""

    field: str
    index: tuple[Expr, ...]
    value: Expr


@dataclass(frozen=True, slots=True)
class Reset:
    """Give every cell of these fields its initial value."""

    fields: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Move:
    """Move pieces (a set, in canonical order, or a list, in its order) to a zone. In a stack ``top`` is the default
    (the last one moved lies on top), in a row the end. `face` turns them up (0) or down (1); in a zone that is not
    faced pieces lie face up."""

    what: Expr
    is_list: bool
    zone: str
    index: tuple[Expr, ...]
    at: Literal["top", "bottom"] = "top"
    face: int | None = None


@dataclass(frozen=True, slots=True)
class Turn:
    """Turn pieces to a side (by number); pieces without sides face up (0) or down (1), if their zone is faced."""

    what: Expr
    side: int


@dataclass(frozen=True, slots=True)
class SwapItems:
    """Exchange two positions of a stack (from the top), row or list field (`zone` or `field` is given, the other
    empty)."""

    zone: str
    field: str
    index: tuple[Expr, ...]
    first: Expr
    second: Expr


@dataclass(frozen=True, slots=True)
class Join:
    """Merge two regions: pieces in zones keyed by the second are moved to the first's; the one of least index stands
    for both."""

    merged: str
    left: Expr
    right: Expr


@dataclass(frozen=True, slots=True)
class Jump:
    """Go to an instruction."""

    to: int


@dataclass(frozen=True, slots=True)
class JumpUnless:
    """Go to an instruction if the condition does not hold."""

    condition: Expr
    to: int


@dataclass(frozen=True, slots=True)
class Invoke:
    """Call an effect or procedure; its result goes to `into`."""

    function: str
    args: tuple[Expr, ...]
    into: int | None
    at: str
    """Name of this place in the function, stable when the rules are edited elsewhere."""


@dataclass(frozen=True, slots=True)
class Back:
    """Return from the function."""

    value: Expr | None


@dataclass(frozen=True, slots=True)
class Exception_:
    """An exception of a restriction."""

    label: str
    condition: Expr
    cites: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Restriction:
    """Refuses a candidate when `condition` holds and no exception does. The candidate is the variable of the choice."""

    label: str
    """``declaration.label``"""
    condition: Expr
    unless: tuple[Exception_, ...]
    cites: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Extra:
    """An option that is a word: ``done``, ``pass``, or the label of an ``either``. Offered if `guard` holds and no
    restriction refuses it; goes to `to`."""

    key: str
    guard: Expr | None
    restrictions: tuple[Restriction, ...]
    to: int
    cites: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Choose:
    """The one decision primitive: `who` is asked, the rules wait.

    Offered are the members of `source` that pass `where` and all restrictions, each under its key, and the extras.
    Alike pieces in one zone are one option, for which the first of them stands. The answer is stored in `into` and
    the rules go on behind this instruction; an extra goes to its target. If nothing at all is offered, they go on at
    `on_empty`, or, if that is None, stop with an error. The same happens if the one who is asked is out of the game.
    """

    label: str
    """The binder, or the label of the ``either``; the decision's name is ``function.label``."""
    at: str
    who: Expr
    """A player, or a set or party whose first player in the game answers; see `who_is`."""
    who_is: Literal["player", "party"]
    universe: str
    """Of the members; ``Int`` for numbers; empty if there are only extras."""
    source: Expr | None
    is_list: bool
    var: str
    """The candidate, in `where` and the restrictions."""
    where: Expr | None
    restrictions: tuple[Restriction, ...]
    extras: tuple[Extra, ...]
    into: int
    on_empty: int | None
    secret: bool = False
    """Asked together with others; nobody else sees the answer until the rules use it."""
    cites: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Chance:
    """A decision of chance: one member of `source`, all equally likely (pieces that are alike are one outcome with
    their number as weight). Drawn from `stream`. If there is none, `into` becomes none."""

    label: str
    at: str
    stream: str
    universe: str
    source: Expr
    is_list: bool
    into: int


@dataclass(frozen=True, slots=True)
class Announce:
    """Show a piece or zone to players; only the log and their knowledge change, not the state."""

    what: Expr
    to: Expr


@dataclass(frozen=True, slots=True)
class PutOut:
    """Eliminate a player."""

    player: Expr


@dataclass(frozen=True, slots=True)
class FinishWin:
    """The game is over; these players (a bit set) share the first place, the others the next."""

    players: Expr
    rule: str = ""


@dataclass(frozen=True, slots=True)
class FinishRank:
    """The game is over; members of `source` (players or parties) are ranked by their keys, highest first."""

    source: Expr
    universe: str
    var: str
    keys: tuple[Expr, ...]
    rule: str = ""


@dataclass(frozen=True, slots=True)
class Fired:
    """Nothing happens; says that this rule was used (for coverage and traces). Leads to its citations."""

    rule: str


@dataclass(frozen=True, slots=True)
class Observe:
    """Nothing happens; says that a block begins or is over whose properties somebody may be watching."""

    block: str
    leaving: bool


@dataclass(frozen=True, slots=True)
class Fail:
    """The rules have come to a place where they say nothing: an error."""

    message: str


Instr = (
    SetLocal
    | Append
    | SetField
    | Reset
    | Move
    | Turn
    | SwapItems
    | Join
    | Jump
    | JumpUnless
    | Invoke
    | Back
    | Choose
    | Chance
    | Announce
    | PutOut
    | FinishWin
    | FinishRank
    | Fired
    | Observe
    | Fail
)


@dataclass(frozen=True, slots=True)
class Slot:
    """A local variable of a frame. A list takes ``1 + capacity`` integers."""

    name: str
    ty: Ty


@dataclass(frozen=True, slots=True)
class QueryDef:
    """A pure function: one expression over its parameters. Calls of queries never form a circle."""

    name: str
    params: tuple[Slot, ...]
    ty: Ty
    body: Expr
    cites: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Function:
    """An effect or procedure: its first slots are the parameters."""

    name: str
    word: Literal["effect", "procedure", "phase", "consequence", "end", "system"]
    params: int
    slots: tuple[Slot, ...]
    code: tuple[Instr, ...]
    result: Ty | None = None
    cites: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Assertion:
    """An invariant, property or witness. `condition` is about `var` running over `source`, or closed."""

    name: str
    word: Literal["invariant", "property", "witness"]
    after: str | None
    """For properties: the function after which it must hold; None: always."""
    var: str | None
    source: Expr | None
    condition: Expr
    cites: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class RuleInfo:
    """Where a rule stands and what it transcribes: for errors, traces and refusals."""

    name: str
    cites: tuple[str, ...]
    file: str
    line: int
    column: int


@dataclass(frozen=True, slots=True)
class Program:
    """A whole game for a given number of players, variants and options."""

    game: str
    title: str
    players: int
    variants: tuple[str, ...]
    options: tuple[tuple[str, str], ...]
    """Each parameter with its value as a word."""
    universes: tuple[Universe, ...]
    """``Player`` is always there, and ``Piece`` (perhaps empty)."""
    tables: tuple[Table, ...]
    """``Piece.kind_of`` is not a table; see `kinds`. ``Party.members`` tables hold the bit set of players."""
    kinds: tuple[KindSet, ...]
    alike: tuple[int, ...]
    """For each piece a number that is equal for pieces that are alike."""
    begins: tuple[tuple[str, tuple[int, ...]], ...]
    """For each piece the zone (and keys) where it begins; the zone ``box`` always exists."""
    graphs: tuple[Graph, ...]
    merged: tuple[MergedMap, ...]
    areas: tuple[AreaMap, ...]
    fields: tuple[Field, ...]
    zones: tuple[Zone, ...]
    streams: tuple[Stream, ...]
    queries: tuple[QueryDef, ...]
    functions: tuple[Function, ...]
    main: str
    """The function that is the game."""
    assertions: tuple[Assertion, ...]
    rules: tuple[RuleInfo, ...]
    move: str = ""
    """The function one call of which is one move of the game tree; empty: every decision is."""
    digest: str = field(default="", compare=False)
    """Hash of all the files it was made from; saves carry it."""
