"""The program: a small, closed, typed form of a game, which every backend runs with the same answers.

A program belongs to one ruleset, one number of players, one chain of variants and one set of options; all of these
are folded in. Nothing in it is a Python object: it is a tree of the frozen classes below, and
:mod:`rulewright.ir.codec` turns it into JSON and back.

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
frames ``[function, pc, caller's base, locals…]``. See :mod:`rulewright.engine.cells.layout`.

**None.** Printed things (:class:`Attr`), fields and zones of none are none (for sets: empty). ``eq`` is false and
``ne`` is false when both sides are none, unless the operation is marked `nothing`, which asks just that; ``lt`` and
the like are false with none. Arithmetic with none is none. A truth that is none does not hold. What is asked of none
(its neighbours, its area, who sits clockwise from it) is none or empty.

**Keys of merged universes** in fields and zones are taken to the living region first.

**Errors.** A whole number beyond 32 bits, or one outside 0 to 1023 that is to go into a set, is an error of the rules.
"""

from __future__ import annotations

from dataclasses import field

from rulewright.foundation.lazy_dataclass import dataclass
from rulewright.ir.declarations import (
    PAID,
    PAYOFF,
    AreaMap,
    Assertion,
    Audience,
    Field,
    Function,
    Graph,
    KindSet,
    MergedMap,
    QueryDef,
    RuleInfo,
    Slot,
    Stream,
    Table,
    Universe,
    Zone,
)
from rulewright.ir.expressions import Expr
from rulewright.ir.expressions.collections import (
    Best,
    Bound,
    Closure,
    Collect,
    Contains,
    Filter,
    First,
    Fold,
    IntRange,
    Item,
    Joined,
    Leading,
    Lowest,
    MakeList,
    MakeSet,
    Occurrences,
    Preimage,
    SetOp,
    Single,
    Size,
    Sort,
    ToList,
    ToSet,
)
from rulewright.ir.expressions.map_queries import (
    DistanceOf,
    EdgeBetween,
    EdgesOf,
    Nearest,
    NeighboursOf,
    Ray,
    Reaches,
    ReachFrom,
    Towards,
)
from rulewright.ir.expressions.scalars import (
    And,
    Arith,
    Attr,
    Charged,
    Cmp,
    Const,
    Fault,
    IfElse,
    Kind,
    LetIn,
    ListConst,
    Local,
    Not,
    Old,
    Or,
    SetEq,
    Var,
)
from rulewright.ir.expressions.state_reads import (
    After,
    Ahead,
    Alive,
    CallQuery,
    Canon,
    ClockwiseFrom,
    Component,
    FieldGet,
    Fingerprint,
    Grown,
    InZone,
    PlaceOf,
    PlacesOf,
    RegionsBeside,
    SideOf,
    SlotOf,
    StateRead,
    Top,
    ZoneGet,
    ZoneList,
)
from rulewright.ir.instructions import (
    Append,
    Call,
    Chance,
    Choose,
    Eliminate,
    Exception_,
    Exchange,
    Extra,
    Fail,
    FinishRank,
    FinishWin,
    Fired,
    Flip,
    Instr,
    Jump,
    JumpUnless,
    LocalChange,
    Merge,
    Move,
    NoStateChange,
    Notice,
    Observe,
    Question,
    Reset,
    Restriction,
    Return,
    SetField,
    SetLocal,
    Show,
    StateChange,
    Stores,
    SwapItems,
    Tell,
    Transfer,
    Turn,
)
from rulewright.ir.types import BOOL, FINGERPRINT, INT, INT_MAX, MAX_DRAWN, MAX_NUMBER_BITS, NONE, Ty


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


__all__ = [
    "PAID",
    "PAYOFF",
    "After",
    "Ahead",
    "Alive",
    "And",
    "Show",
    "Tell",
    "Append",
    "AreaMap",
    "Arith",
    "CallQuery",
    "Assertion",
    "Attr",
    "Audience",
    "BOOL",
    "Return",
    "Best",
    "Bound",
    "Canon",
    "Chance",
    "Closure",
    "Choose",
    "ClockwiseFrom",
    "Charged",
    "Cmp",
    "Collect",
    "Grown",
    "Component",
    "Const",
    "Fault",
    "Contains",
    "DistanceOf",
    "EdgeBetween",
    "EdgesOf",
    "Exception_",
    "Expr",
    "Extra",
    "Fail",
    "Field",
    "FINGERPRINT",
    "FieldGet",
    "Filter",
    "FinishRank",
    "FinishWin",
    "Fired",
    "First",
    "Exchange",
    "Fold",
    "Function",
    "Graph",
    "Preimage",
    "INT",
    "INT_MAX",
    "IfElse",
    "InZone",
    "Instr",
    "LocalChange",
    "NoStateChange",
    "Notice",
    "Question",
    "StateChange",
    "Stores",
    "Transfer",
    "StateRead",
    "Call",
    "Fingerprint",
    "Item",
    "Joined",
    "Occurrences",
    "Merge",
    "Jump",
    "JumpUnless",
    "Kind",
    "KindSet",
    "Leading",
    "LetIn",
    "ListConst",
    "Local",
    "Lowest",
    "MakeList",
    "MakeSet",
    "MergedMap",
    "Move",
    "MAX_DRAWN",
    "MAX_NUMBER_BITS",
    "NONE",
    "NeighboursOf",
    "Not",
    "Observe",
    "Old",
    "Or",
    "PlaceOf",
    "PlacesOf",
    "Program",
    "Eliminate",
    "QueryDef",
    "Nearest",
    "Ray",
    "ReachFrom",
    "Reaches",
    "RegionsBeside",
    "Reset",
    "Restriction",
    "RuleInfo",
    "SetEq",
    "SetField",
    "SetLocal",
    "SetOp",
    "SideOf",
    "Single",
    "Size",
    "Slot",
    "SlotOf",
    "Sort",
    "IntRange",
    "Stream",
    "SwapItems",
    "Table",
    "ToList",
    "ToSet",
    "Top",
    "Towards",
    "Turn",
    "Flip",
    "Ty",
    "Universe",
    "Var",
    "Zone",
    "ZoneGet",
    "ZoneList",
]
