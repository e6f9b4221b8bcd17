"""The program and its declarations: universes, tables, maps, fields, zones, functions, assertions."""

from __future__ import annotations

from dataclasses import field
from typing import Literal

from rulewright.foundation.lazy_dataclass import dataclass
from rulewright.ir.expressions import Expr
from rulewright.ir.expressions.collections import Bound
from rulewright.ir.instructions import Instr
from rulewright.ir.types import Ty


@dataclass(frozen=True, slots=True)
class Universe:
    """A finite, ordered set of things that are referred to by index."""

    name: str
    sort: Literal["enum", "player", "party", "place", "edge", "piece", "merged", "text"]
    keys: tuple[str, ...]
    """The key of each member; keys of pieces may repeat (pieces that are alike)."""

    @property
    def size(self) -> int:
        """The number of members."""
        return len(self.keys)


@dataclass(frozen=True, slots=True)
class Table:
    """A printed attribute: one value for each member of a universe. Sets are bit sets, lists tuples."""

    name: str
    """``Universe.attribute``; for pieces ``Piece.attribute``."""
    universe: str
    ty: Ty
    values: tuple[int | tuple[int, ...], ...]

    @property
    def is_conversion(self) -> bool:
        """True if it leads from the members of a universe to those of another that stand for them: it is not printed
        on anything."""
        return CONVERSION in self.name


CONVERSION = ".as "
"""The middle of the name of a table that leads from one universe to another."""


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
    at_most: int = 0
    """Of a growing map how many places may be laid. All else about it follows from this, and the program leaves it
    out: neighbours, edges, ways, distances and layout are empty (see ``rulewright.ir.graphs.unfolded``)."""
    base: str = ""
    """The universe of the cells whose corners the places are, with a layout on the same scale; empty: of none."""


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


PAID = "paid so far"
"""The field of what each player was paid, in games whose rules say it; no rule can name it, and no view shows it."""

STAND_IN = "stand-in for "
"""The name of a kind of pieces that stand for the members of a universe begins so."""

STAND_INS = "stand-ins"
"""The zone of pieces that stand for players, places or values where something may be a piece or one of those; no rule
can name it, and no view shows it."""

PAYOFF = "payoff"
"""The name of the slots that hold what is paid at the end of the game; what is paid on the way has others."""


@dataclass(frozen=True, slots=True)
class Audience:
    """The players who see a zone or field. `index` names the binders of its index; `by` is a set of players, or None:
    nobody.
    """

    facet: Literal["face", "back", "count", "all"]
    by: Expr | None


@dataclass(frozen=True, slots=True)
class Field:
    """A variable of the state that is no piece."""

    name: str
    index: tuple[str, ...]
    """Universes of its keys."""
    binders: tuple[str, ...]
    """A variable for each key, free in the audiences."""
    ty: Ty
    initial: int | tuple[int, ...]
    audiences: tuple[Audience, ...]
    cites: tuple[str, ...] = ()
    is_record: bool = False
    """True of a list of fingerprints, four numbers each."""
    is_internal: bool = False
    """True of what no view shows, and no scenario gives: records, and the marks of blocks that are going on."""


@dataclass(frozen=True, slots=True)
class Zone:
    """A zone in which pieces lie."""

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
    """True if the capacity was declared (``at most n``), so that going over it is an error of the rules."""
    covered: tuple[str, ...] = ()
    """The kinds that may lie face down in a faced zone, if not all of them: the others always lie face up."""

    @property
    def is_internal(self) -> bool:
        """True of the zone that no view shows."""
        return self.name == STAND_INS


@dataclass(frozen=True, slots=True)
class Stream:
    """A source of chance, named by what it is for."""

    name: str


@dataclass(frozen=True, slots=True)
class Slot:
    """A local variable of a frame. A list takes ``1 + capacity`` integers."""

    name: str
    ty: Ty


@dataclass(frozen=True, slots=True, weakref_slot=True)
class QueryDef:
    """A pure function: one expression over its parameters. Calls of queries never form a cycle."""

    name: str
    params: tuple[Slot, ...]
    ty: Ty
    body: Expr
    cites: tuple[str, ...] = ()
    is_measure: bool = False
    """True of a number, of the game or of a player, that is watched and aimed at."""


@dataclass(frozen=True, slots=True, weakref_slot=True)
class Function:
    """An effect or procedure: its first slots are the parameters."""

    name: str
    word: Literal["effect", "procedure", "reaction", "consequence", "end", "system"]
    params: int
    slots: tuple[Slot, ...]
    code: tuple[Instr, ...]
    result: Ty | None = None
    cites: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, weakref_slot=True)
class Assertion:
    """An invariant, property or witness. `condition` is about `var` running over `source`, or closed; and about the
    binders `inner`, inside of that one, running over theirs."""

    name: str
    word: Literal["invariant", "property", "witness"]
    after: str | None
    """For properties: the function after which it must hold; None: always."""
    var: str | None
    source: Expr | None
    condition: Expr
    cites: tuple[str, ...] = ()
    inner: tuple[Bound, ...] = ()


@dataclass(frozen=True, slots=True)
class RuleInfo:
    """The place of a rule and what it transcribes: for errors, traces and refusals."""

    name: str
    cites: tuple[str, ...]
    file: str
    line: int
    column: int


@dataclass(frozen=True, slots=True, weakref_slot=True)
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
    backs: tuple[str, ...] = ()
    """For each piece what is printed on its back; an empty text where its kind declares no back. Empty: none does."""
    digest: str = field(default="", compare=False)
    """Hash of all the files it was made from; saves carry it."""
