"""The syntax tree of the rules language: what a designer wrote, with its places, comments and citations.

Every node is immutable and knows its :class:`~rulewright.diagnostics.Span`, which does not take part in
comparison: two trees are equal when they say the same. Nodes that stand on a line of their own (declarations,
statements, restrictions, modifiers, cases, overlay operations, scenario lines) are *clauses*: they also carry
:class:`Trivia`, the comments above and behind them, and the rulebook statements they cite.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal

from rulewright.diagnostics import NOWHERE, Span


@dataclass(frozen=True, slots=True)
class Trivia:
    """What stands around a clause and means nothing to the engine."""

    comments: tuple[str, ...] = ()
    """Comment lines above the clause, without the ``#``; an empty string is a bare ``#``, a newline a blank line."""
    behind: str | None = None
    """The comment at the end of its line."""
    cites: tuple[str, ...] = ()
    """Statement ids, without the ``@``; these do mean something, to the tools. First those on the line of the
    clause itself, then those of its `inner` lines."""
    gap: bool = False
    """Whether a blank line stands above."""
    below: tuple[str, ...] = ()
    """Comment lines at the end of a block, behind its last clause; on :class:`File`, at the end of the file."""
    inner: tuple[tuple[str, Trivia], ...] = ()
    """The trivia of lines that belong to the clause without being clauses: ``else``, ``then``, ``named`` …"""


NO_TRIVIA = Trivia()


@dataclass(frozen=True, slots=True, kw_only=True)
class Node:
    """Anything that was written somewhere."""

    span: Span = field(default=NOWHERE, compare=False, repr=False)


@dataclass(frozen=True, slots=True, kw_only=True)
class Clause(Node):
    """A node that stands on a line of its own."""

    trivia: Trivia = field(default=NO_TRIVIA, compare=False, repr=False)


# ---------------------------------------------------------------------------------------------- expressions


@dataclass(frozen=True, slots=True)
class Name(Node):
    """A lower-case word: a binder, parameter, local, zone, field, enum value or player."""

    name: str


@dataclass(frozen=True, slots=True)
class TypeName(Node):
    """A capitalised word used as a value: the set of all that are of this type."""

    name: str


@dataclass(frozen=True, slots=True)
class Number(Node):
    """A whole number."""

    value: int


@dataclass(frozen=True, slots=True)
class Key(Node):
    """A quoted key of a piece or place, as players see it: ``"disc 3"``."""

    text: str


@dataclass(frozen=True, slots=True)
class NoneValue(Node):
    """``none``."""


@dataclass(frozen=True, slots=True)
class Truth(Node):
    """``true`` or ``false``."""

    value: bool


@dataclass(frozen=True, slots=True)
class Tuple(Node):
    """Coordinates of a place: ``(3, 4)``."""

    items: tuple[Expr, ...]


@dataclass(frozen=True, slots=True)
class ListOf(Node):
    """``[a, b, c]``."""

    items: tuple[Expr, ...]


@dataclass(frozen=True, slots=True)
class SetOf(Node):
    """``{a, b, c}`` or ``{}``."""

    items: tuple[Expr, ...]


@dataclass(frozen=True, slots=True)
class Range(Node):
    """``{1 .. n}``: the whole numbers from one to the other, both included."""

    low: Expr
    high: Expr


@dataclass(frozen=True, slots=True)
class Bind(Node):
    """``x in S`` or ``x: Kind in S`` inside a comprehension."""

    name: str
    kind: str | None
    source: Expr


@dataclass(frozen=True, slots=True)
class Comprehension(Node):
    """``{x in S where C}`` (no element: the members themselves) or ``{f(x) for x in S, y in T where C}``."""

    element: Expr | None
    binds: tuple[Bind, ...]
    where: Expr | None


@dataclass(frozen=True, slots=True)
class Aggregate(Node):
    """``count(x in S where C)``, ``sum(f(x) for x in S)``, ``max({..})``.

    Without binds the element is a set or list that is aggregated itself.
    """

    kind: Literal["count", "some", "no", "sum", "max", "min", "first"]
    element: Expr | None
    binds: tuple[Bind, ...]
    where: Expr | None


@dataclass(frozen=True, slots=True)
class Ranked(Node):
    """``best(x in S where C by K)``: the those with the highest K; ``sorted(...)``: a stable list, lowest first."""

    kind: Literal["best", "sorted"]
    bind: Bind
    where: Expr | None
    by: Expr


@dataclass(frozen=True, slots=True)
class Every(Node):
    """``every(x in S where C has P)``."""

    bind: Bind
    where: Expr | None
    has: Expr


@dataclass(frozen=True, slots=True)
class Reach(Node):
    """``reach(from a within S across b where C)``: the places one can come to."""

    start: Expr
    within: Expr | None
    across: str | None
    where: Expr | None


@dataclass(frozen=True, slots=True)
class Binary(Node):
    """An infix operator. ``except`` is set difference, ``+`` also union; ``|`` names the edge between two places."""

    op: Literal["or", "and", "is", "is not", "<", "<=", ">", ">=", "in", "not in", "+", "-", "except", "*", "|"]
    left: Expr
    right: Expr


@dataclass(frozen=True, slots=True)
class Divide(Node):
    """``a / b rounded up``."""

    left: Expr
    right: Expr
    rounded: Literal["up", "down"]


@dataclass(frozen=True, slots=True)
class Unary(Node):
    """``not x``, ``-x`` or ``clockwise from x``."""

    op: Literal["not", "-", "clockwise from"]
    operand: Expr


@dataclass(frozen=True, slots=True)
class IsA(Node):
    """``x is a Knight`` / ``x is not an Ogre``."""

    operand: Expr
    kind: str
    negated: bool


@dataclass(frozen=True, slots=True)
class IsEmpty(Node):
    """``S is empty`` / ``S is not empty``."""

    operand: Expr
    negated: bool


@dataclass(frozen=True, slots=True)
class IfElse(Node):
    """``a if c else b``."""

    then: Expr
    condition: Expr
    otherwise: Expr


@dataclass(frozen=True, slots=True)
class Dot(Node):
    """``x.name``: what is printed on x and never changes."""

    operand: Expr
    name: str


@dataclass(frozen=True, slots=True)
class At(Node):
    """``name[i, j]``: a zone or field, what can change; or an element of a list."""

    operand: Expr
    index: tuple[Expr, ...]


@dataclass(frozen=True, slots=True)
class Call(Node):
    """``name(a, b)``: something computed, or in a statement something done."""

    operand: Expr
    args: tuple[Expr, ...]


Expr = (
    Name
    | TypeName
    | Number
    | Key
    | NoneValue
    | Truth
    | Tuple
    | ListOf
    | SetOf
    | Range
    | Comprehension
    | Aggregate
    | Ranked
    | Every
    | Reach
    | Binary
    | Divide
    | Unary
    | IsA
    | IsEmpty
    | IfElse
    | Dot
    | At
    | Call
)

# ---------------------------------------------------------------------------------------------------- types


@dataclass(frozen=True, slots=True)
class NamedType(Node):
    """``Family``, ``Player``, ``Int``, ``Bool``."""

    name: str


@dataclass(frozen=True, slots=True)
class RangeType(Node):
    """``1..5``, ``0..`` (no upper bound)."""

    low: int
    high: int | None


@dataclass(frozen=True, slots=True)
class SetType(Node):
    """``set of T``."""

    element: TypeExpr


@dataclass(frozen=True, slots=True)
class ListType(Node):
    """``list of T``."""

    element: TypeExpr


@dataclass(frozen=True, slots=True)
class ChoiceType(Node):
    """``{actor, owner}``: an enum without a name."""

    values: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class OptionalType(Node):
    """``T or none``."""

    base: TypeExpr


TypeExpr = NamedType | RangeType | SetType | ListType | ChoiceType | OptionalType

# ------------------------------------------------------------------------------------------------- statements


@dataclass(frozen=True, slots=True)
class Param(Node):
    """``name: Type`` in the head of a declaration."""

    name: str
    type: TypeExpr


@dataclass(frozen=True, slots=True)
class Let(Clause):
    """``let x = e``; with `changes`, ``var x = e``, which may be assigned again."""

    name: str
    value: Expr
    changes: bool = False


@dataclass(frozen=True, slots=True)
class Assign(Clause):
    """``target = e``, ``target += e``, ``target -= e``."""

    target: Expr
    op: Literal["=", "+=", "-="]
    value: Expr


@dataclass(frozen=True, slots=True)
class Do(Clause):
    """A call that stands as a statement."""

    call: Expr


Face = Literal["face up", "face down", "on top", "at bottom"]


@dataclass(frozen=True, slots=True)
class Move(Clause):
    """``move [n of] what to zone [face]``."""

    amount: Expr | None
    what: Expr
    to: Expr
    face: Face | None


@dataclass(frozen=True, slots=True)
class Draw(Clause):
    """``draw [n] from zone to zone [as name] [face]``: from the top of a stack, at random from a bag or set."""

    amount: Expr | None
    source: Expr
    to: Expr
    name: str | None
    face: Face | None


@dataclass(frozen=True, slots=True)
class Flip(Clause):
    """``flip x face up`` or ``flip x to heads``."""

    what: Expr
    side: str


@dataclass(frozen=True, slots=True)
class Show(Clause):
    """``show x to p``."""

    what: Expr
    to: Expr


@dataclass(frozen=True, slots=True)
class Shuffle(Clause):
    """``shuffle zone`` or ``shuffle list_field``."""

    what: Expr


@dataclass(frozen=True, slots=True)
class Merge(Clause):
    """``merge r with n``."""

    left: Expr
    right: Expr


@dataclass(frozen=True, slots=True)
class Roll(Clause):
    """``p rolls [n] Die as name``: one die gives its face, ``n`` dice a list."""

    who: Expr
    amount: Expr | None
    die: str
    name: str


@dataclass(frozen=True, slots=True)
class Proceed(Clause):
    """``proceed``: in an ``instead of`` reaction, do now what was replaced."""


@dataclass(frozen=True, slots=True)
class Stop(Clause):
    """``stop`` leaves the nearest repetition; ``stop label`` the step or repetition so named."""

    label: str | None


@dataclass(frozen=True, slots=True)
class Return(Clause):
    """``return [e]``."""

    value: Expr | None


@dataclass(frozen=True, slots=True)
class Win(Clause):
    """``finish with winner e``: a player, a party, or a set of them."""

    who: Expr


@dataclass(frozen=True, slots=True)
class RankAll(Clause):
    """``finish ranking x in S by e then e``: highest first; equal in all measures share the place."""

    bind: Bind
    by: tuple[Expr, ...]


@dataclass(frozen=True, slots=True)
class Branch(Node):
    """One condition of an ``if`` with what is done when it holds."""

    condition: Expr
    body: tuple[Stmt, ...]


@dataclass(frozen=True, slots=True)
class If(Clause):
    """``if c`` … ``else if c`` … ``else``; `one_line` was written ``if c then s``."""

    branches: tuple[Branch, ...]
    otherwise: tuple[Stmt, ...]
    one_line: bool = False


@dataclass(frozen=True, slots=True)
class Arm(Clause):
    """``a, b: statement`` or ``a, b`` with a block, inside ``match``."""

    values: tuple[Expr, ...]
    body: tuple[Stmt, ...]
    one_line: bool = False


@dataclass(frozen=True, slots=True)
class Match(Clause):
    """``match e`` with arms; `otherwise` stands last."""

    subject: Expr
    arms: tuple[Arm, ...]
    otherwise: Arm | None


@dataclass(frozen=True, slots=True)
class Each(Clause):
    """``each x in S where C`` in canonical order, ``by K [descending]``, ``at once`` or ``, order chosen by p``."""

    bind: Bind
    where: Expr | None
    order: Literal["by", "by descending", "at once", "chosen"] | None
    key: Expr | None
    body: tuple[Stmt, ...]


@dataclass(frozen=True, slots=True)
class Repeat(Clause):
    """``repeat [until c | while c | n times] [, at most m times]``."""

    mode: Literal["until", "while", "times", "forever"]
    value: Expr | None
    at_most: Expr | None
    label: str | None
    body: tuple[Stmt, ...]


@dataclass(frozen=True, slots=True)
class Many(Node):
    """How many are chosen: ``exactly n``, ``up to n``, ``a to b``, ``any number of``, ``as many as possible of n``."""

    mode: Literal["exactly", "up to", "between", "any number", "as many as possible"]
    low: Expr | None
    high: Expr | None


@dataclass(frozen=True, slots=True)
class Unless(Clause):
    """``unless label: condition`` under a ``forbid``."""

    label: str
    condition: Expr


@dataclass(frozen=True, slots=True)
class Forbid(Clause):
    """``forbid label: condition`` with its exceptions."""

    label: str
    condition: Expr
    unless: tuple[Unless, ...]


@dataclass(frozen=True, slots=True)
class Obey(Clause):
    """``obey limits(a, b)``: the restrictions of a ``limits`` declaration apply here too."""

    call: Expr


Restriction = Forbid | Obey


@dataclass(frozen=True, slots=True)
class Choose(Clause):
    """``who chooses [many] x [: Kind] [as xs] from S [where C]``, or with `optional`, ``who may choose …``."""

    who: Expr
    optional: bool
    many: Many | None
    name: str
    kind: str | None
    as_name: str | None
    source: Expr
    where: Expr | None
    restrictions: tuple[Restriction, ...]
    then: tuple[Stmt, ...] | None
    otherwise: tuple[Stmt, ...] | None


@dataclass(frozen=True, slots=True)
class Option(Clause):
    """``option label`` of an ``either``, with restrictions first and then what it does."""

    label: str
    restrictions: tuple[Restriction, ...]
    body: tuple[Stmt, ...]
    one_line: bool = False


@dataclass(frozen=True, slots=True)
class Either(Clause):
    """``who chooses either`` one of the labelled options."""

    who: Expr
    label: str | None
    options: tuple[Option, ...]
    otherwise: tuple[Stmt, ...] | None


@dataclass(frozen=True, slots=True)
class Repeats(Clause):
    """``who repeats [many] times [as label]``: as often as wanted within the bounds, as long as it is possible."""

    who: Expr
    many: Many
    label: str | None
    body: tuple[Stmt, ...]


@dataclass(frozen=True, slots=True)
class Step(Clause):
    """``step label``: a named part, handle for overlays, traces and ``during``."""

    label: str
    body: tuple[Stmt, ...]


Stmt = (
    Let
    | Assign
    | Do
    | Move
    | Draw
    | Flip
    | Show
    | Shuffle
    | Merge
    | Roll
    | Proceed
    | Stop
    | Return
    | Win
    | RankAll
    | If
    | Match
    | Each
    | Repeat
    | Repeats
    | Choose
    | Either
    | Step
    | Forbid
    | Obey
)

# ----------------------------------------------------------------------------------------------- declarations


@dataclass(frozen=True, slots=True)
class Game(Clause):
    """``game name``."""

    name: str


@dataclass(frozen=True, slots=True)
class Players(Clause):
    """``players 2 to 4[, teams of 2 with 4 players[, seated p]]``."""

    low: int
    high: int
    team_size: int | None = None
    team_count: int | None = None
    """The number of players with which teams are played."""
    seated: str | None = None


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
class ByCount(Node):
    """``8 with 3 players`` behind a parameter's value."""

    value: Expr
    counts: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Parameter(Clause):
    """``param name [: type] = e, e with 3 players``."""

    name: str
    type: TypeExpr | None
    value: Expr
    by_count: tuple[ByCount, ...]


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
    """``piece Knight [is a Figure] [from "table"]`` with attributes, key, sides and where its pieces begin."""

    name: str
    base: str | None
    table: str | None
    attributes: tuple[Attribute, ...]
    named: str | None
    sides: tuple[str, ...]
    begins: Expr | None


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
    City``, ``growing hexes of Cell, at most 73``; perhaps ``, edges Border``."""

    name: str
    shape: Literal["ring", "grid", "hexes", "graph", "growing"]
    sizes: tuple[Expr, ...]
    table: str | None
    place: str
    edges: str | None


@dataclass(frozen=True, slots=True)
class Area(Clause):
    """``area Land of Space, joined across b where C``: live components of the map, a value."""

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
    """``p: Player`` or ``Player`` in the index of a zone or field."""

    name: str | None
    type: str


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
    faced: bool
    audiences: tuple[Audience, ...]


@dataclass(frozen=True, slots=True)
class FieldDecl(Clause):
    """``field control[Family]: Player or none = none, lasting round, seen by everyone``."""

    name: str
    index: tuple[IndexPart, ...]
    type: TypeExpr
    value: Expr | None
    lasting: str | None
    audience: Expr | None
    at_most: Expr | None = None
    """Capacity of a list."""


@dataclass(frozen=True, slots=True)
class Case(Clause):
    """``e when c`` or ``e otherwise`` (no condition) in a query."""

    value: Expr
    condition: Expr | None


@dataclass(frozen=True, slots=True)
class Query(Clause):
    """``query name(params) -> type = e``, or with lets and cases."""

    name: str
    params: tuple[Param, ...]
    type: TypeExpr | None
    value: Expr | None
    lets: tuple[Let, ...]
    cases: tuple[Case, ...]


@dataclass(frozen=True, slots=True)
class Modifier(Clause):
    """``label: + e when c`` under a ``value``."""

    label: str
    op: Literal["+", "-", "times", "becomes", "at least", "at most"]
    value: Expr
    condition: Expr | None


@dataclass(frozen=True, slots=True)
class Value(Clause):
    """``value name(params) -> type = e`` with labelled modifiers."""

    name: str
    params: tuple[Param, ...]
    type: TypeExpr | None
    value: Expr
    modifiers: tuple[Modifier, ...]


@dataclass(frozen=True, slots=True)
class Limits(Clause):
    """``limits name(params)``: a named list of restrictions."""

    name: str
    params: tuple[Param, ...]
    restrictions: tuple[Restriction, ...]


@dataclass(frozen=True, slots=True)
class Callable(Clause):
    """``effect``, ``procedure`` or ``phase``; `open` is the order in which others may react."""

    word: Literal["effect", "procedure", "phase"]
    name: str
    params: tuple[Param, ...]
    type: TypeExpr | None
    open: Expr | None
    body: tuple[Stmt, ...]


@dataclass(frozen=True, slots=True)
class Reaction(Clause):
    """``reaction name before|after|instead of|during event(…)[, by p [with m in S]] [where C]``."""

    name: str
    moment: Literal["before", "after", "instead of", "during"]
    event: Expr
    by: str | None
    with_: Bind | None
    where: Expr | None
    body: tuple[Stmt, ...]


@dataclass(frozen=True, slots=True)
class Precedence(Clause):
    """``precedence a, b``: which of several comes first."""

    names: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Consequence(Clause):
    """``consequence name for x in S [by K] when C``: follows at once from a change of state."""

    name: str
    bind: Bind | None
    by: Expr | None
    when: Expr
    body: tuple[Stmt, ...]


@dataclass(frozen=True, slots=True)
class End(Clause):
    """``end name for x in S when C[, after block]``."""

    name: str
    bind: Bind | None
    when: Expr
    after: str | None
    body: tuple[Stmt, ...]


@dataclass(frozen=True, slots=True)
class Invariant(Clause):
    """``invariant name for x in S: e``: holds in every settled state."""

    name: str
    bind: Bind | None
    condition: Expr


@dataclass(frozen=True, slots=True)
class Property(Clause):
    """``property name after each label|always for x in S: e``; may use ``old(e)``."""

    name: str
    after: str | None
    bind: Bind | None
    condition: Expr


@dataclass(frozen=True, slots=True)
class Witness(Clause):
    """``witness name: e``: some game must reach this."""

    name: str
    condition: Expr


# ---------------------------------------------------------------------------------------------------- overlays


@dataclass(frozen=True, slots=True)
class Path(Node):
    """``declaration`` or ``declaration.label``."""

    parts: tuple[str, ...]

    def __str__(self) -> str:
        return ".".join(self.parts)


@dataclass(frozen=True, slots=True)
class SetOp(Clause):
    """``set path = e``."""

    path: Path
    value: Expr


@dataclass(frozen=True, slots=True)
class RemoveOp(Clause):
    """``remove path``."""

    path: Path


@dataclass(frozen=True, slots=True)
class ReplaceClauseOp(Clause):
    """``replace path: e`` or ``replace path: exactly 2 times``."""

    path: Path
    value: Expr | Many
    times: bool = False
    """Whether ``times`` is written behind, as befits a repetition."""


@dataclass(frozen=True, slots=True)
class ReplaceDeclOp(Clause):
    """``replace`` followed by a whole declaration of the same name."""

    decl: Decl


@dataclass(frozen=True, slots=True)
class AddDeclOp(Clause):
    """``add`` followed by a whole declaration."""

    decl: Decl


@dataclass(frozen=True, slots=True)
class ExtendOp(Clause):
    """``in path`` with more restrictions, modifiers or cases; also stands at top level."""

    path: Path
    clauses: tuple[Restriction | Modifier | Case | Unless, ...]


@dataclass(frozen=True, slots=True)
class InsertOp(Clause):
    """``before path`` / ``after path`` / ``replace step path`` with statements."""

    where: Literal["before", "after", "replace step"]
    path: Path
    body: tuple[Stmt, ...]


OverlayOp = SetOp | RemoveOp | ReplaceClauseOp | ReplaceDeclOp | AddDeclOp | ExtendOp | InsertOp


@dataclass(frozen=True, slots=True)
class WithPlayers(Clause):
    """``with 3 or 4 players`` and what is different then."""

    counts: tuple[int, ...]
    ops: tuple[OverlayOp, ...]


@dataclass(frozen=True, slots=True)
class Variant(Clause):
    """``variant "Long war" of game`` and what it changes."""

    title: str
    of: Path
    ops: tuple[OverlayOp, ...]


# --------------------------------------------------------------------------------------------------- scenarios


@dataclass(frozen=True, slots=True)
class Answer(Node):
    """``binder = e``, ``binder = done``, or a bare option label; a list answers several choices of one name."""

    name: str
    value: Expr | None


@dataclass(frozen=True, slots=True)
class SPlayers(Clause):
    """``players black, white``: names the seats, and so their number."""

    names: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class SVariant(Clause):
    """``variant "Long war"``: played with this overlay; several lines chain."""

    title: str


@dataclass(frozen=True, slots=True)
class SSet(Clause):
    """``set param = e``."""

    path: Path
    value: Expr


@dataclass(frozen=True, slots=True)
class SPut(Clause):
    """``put [n] "key" in zone [face]``."""

    amount: int | None
    key: str
    zone: Expr
    face: Face | None


@dataclass(frozen=True, slots=True)
class SGiven(Clause):
    """``given field = e``; or ``given merge (a, b, c)``-like calls are written ``given region(a) = {a, b}``."""

    target: Expr
    value: Expr


@dataclass(frozen=True, slots=True)
class SStart(Clause):
    """``start call``: from here the rules run."""

    call: Expr


@dataclass(frozen=True, slots=True)
class SWhen(Clause):
    """``when p: binder = answer, label``."""

    who: str
    answers: tuple[Answer, ...]


@dataclass(frozen=True, slots=True)
class SChance(Clause):
    """``chance: binder = [red, red, blue]``."""

    answers: tuple[Answer, ...]


@dataclass(frozen=True, slots=True)
class SThen(Clause):
    """``then e, e``: each must hold now."""

    conditions: tuple[Expr, ...]


@dataclass(frozen=True, slots=True)
class SRefused(Clause):
    """``refused p: binder = e because decl.label``; the reason may be left out."""

    who: str
    answer: Answer
    because: Path | None


@dataclass(frozen=True, slots=True)
class SOffered(Clause):
    """``offered p: binder = {a, b}``: exactly these options."""

    who: str
    name: str
    value: Expr


@dataclass(frozen=True, slots=True)
class SWins(Clause):
    """``wins a, b``: the game is over and these have won (all that share the first place)."""

    names: tuple[str, ...]


ScenarioLine = (
    SPlayers
    | SVariant
    | SSet
    | SPut
    | SGiven
    | SStart
    | SWhen
    | SChance
    | SThen
    | SRefused
    | SOffered
    | SWins
    | Let
    | Merge
)


@dataclass(frozen=True, slots=True)
class Scenario(Clause):
    """``scenario "title"`` with its lines."""

    title: str
    lines: tuple[ScenarioLine, ...]


Decl = (
    Game
    | Players
    | Party
    | Parameter
    | EnumDecl
    | Die
    | Piece
    | Place
    | MapDecl
    | Area
    | Merged
    | Zone
    | FieldDecl
    | Query
    | Value
    | Limits
    | Callable
    | Reaction
    | Precedence
    | Consequence
    | End
    | Invariant
    | Property
    | Witness
    | ExtendOp
    | WithPlayers
    | Variant
    | Scenario
)


@dataclass(frozen=True, slots=True)
class File(Clause):
    """A whole rules file."""

    decls: tuple[Decl, ...]
