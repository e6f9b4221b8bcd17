"""Expressions: everything that only asks."""

from __future__ import annotations

from typing import Literal, get_args

from rulewright.foundation.lazy_dataclass import dataclass
from rulewright.syntax.ast.base import Node

Leading = Literal["", "while", "until"]

LogicOp = Literal["or", "and"]
CompareOp = Literal["is", "is not", "<", "<=", ">", ">="]
MembershipOp = Literal["in", "not in"]
SelectingOp = Literal["except", "intersect"]
SELECTING: frozenset[BinaryOp] = frozenset(get_args(SelectingOp))
"""Operators that give some of the members of their left side."""
SumOp = Literal["+", "-", "except", "or else"]
TermOp = Literal["*", "mod", "intersect", "|"]
BinaryOp = Literal[LogicOp, CompareOp, MembershipOp, SumOp, TermOp]
"""Infix operators by levels of precedence, loose ones first."""
UnaryOp = Literal["not", "-", "clockwise from"]
AggregateKind = Literal["count", "some", "no", "sum", "max", "min", "first", "last", "single"]
RankedKind = Literal["best", "sorted"]


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
class StringLiteral(Node):
    """A quoted key of a piece or place, as players see it: ``"disc 3"``."""

    text: str


@dataclass(frozen=True, slots=True)
class NoneValue(Node):
    """``none``."""


@dataclass(frozen=True, slots=True)
class BoolLiteral(Node):
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
class Entry(Node):
    """``wood: 1`` inside of braces: what belongs to a key."""

    key: Expr
    value: Expr


@dataclass(frozen=True, slots=True)
class SetOf(Node):
    """``{a, b, c}``, ``{}``, or ``{wood: 1, brick: 2}``, in which all items are entries."""

    items: tuple[Expr, ...]


@dataclass(frozen=True, slots=True)
class Range(Node):
    """``{1 .. n}``: the whole numbers from one to the other, both included; ``[1 .. n]`` as a list."""

    low: Expr
    high: Expr
    listed: bool = False


@dataclass(frozen=True, slots=True)
class Bind(Node):
    """``x in S`` or ``x: Kind in S`` inside a comprehension, with ``where C`` if others come behind it."""

    gives = ("name",)

    name: str
    kind: str | None
    source: Expr
    where: Expr | None = None
    """The condition on members of this source; that behind the last one of a comprehension belongs to the whole."""
    leading: Leading = ""
    """The word in place of ``where``, about a list: ``while`` takes its members before the first for which the
    condition does not hold, ``until`` those up to the first for which it does, with that one."""


@dataclass(frozen=True, slots=True)
class Comprehension(Node):
    """``{x in S where C}`` (no element: the members themselves) or ``{f(x) for x in S, y in T where C}``; a list in the
    order of its sources is ``[f(x) for x in S, y in T where C]``, and the element of ``{x: f(x) for x in S}`` is an
    entry."""

    element: Expr | None
    binds: tuple[Bind, ...]
    where: Expr | None
    leading: Leading = ""
    """The word in place of ``where``, about the last source."""
    listed: bool = False


@dataclass(frozen=True, slots=True)
class Aggregate(Node):
    """``count(x in S where C)``, ``sum(f(x) for x in S)``, ``max({..})``.

    Without binds the element is a set or list that is aggregated itself.
    """

    kind: AggregateKind
    element: Expr | None
    binds: tuple[Bind, ...]
    where: Expr | None
    leading: Leading = ""
    """The word in place of ``where``, as in a comprehension."""


@dataclass(frozen=True, slots=True)
class Ranked(Node):
    """``best(x in S where C by K)``: the those with the highest K; ``sorted(...)``: a stable list, lowest first."""

    kind: RankedKind
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
    """``reach(from a within S across b where C)``: the places one can come to; ``reach(from a by x to S)`` in steps
    from x to a member of S."""

    gives = ("across", "by")

    start: Expr
    within: Expr | None
    across: str | None
    where: Expr | None
    by: str | None = None
    to: Expr | None = None


@dataclass(frozen=True, slots=True)
class Binary(Node):
    """An infix operator. ``except`` is set difference, ``intersect`` intersection, ``+`` also union; ``|`` names the
    edge between two places; ``or else`` gives the right side where the left one is none; ``mod`` is what a division
    rounded down leaves over."""

    op: BinaryOp
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

    op: UnaryOp
    operand: Expr


@dataclass(frozen=True, slots=True)
class After(Node):
    """``in_check(p) after shift(man, c)``: what is asked of the position after an effect."""

    of: Expr
    done: Expr


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
class Index(Node):
    """``name[i, j]``: a zone or field, what can change; or an element of a list."""

    operand: Expr
    index: tuple[Expr, ...]


@dataclass(frozen=True, slots=True)
class ByCount(Node):
    """``8 with 3 players`` after the value of a parameter or cell."""

    value: Expr
    counts: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Call(Node):
    """``name(a, b)``: something computed, or in a statement something done."""

    operand: Expr
    args: tuple[Expr, ...]


Primary = (
    Name
    | TypeName
    | Number
    | StringLiteral
    | NoneValue
    | BoolLiteral
    | Tuple
    | ListOf
    | Entry
    | SetOf
    | Range
    | Comprehension
    | Aggregate
    | Ranked
    | Every
    | Reach
    | Dot
    | Index
    | Call
)
"""Expressions that need no brackets where they stand."""

Operation = Binary | Divide | Unary | After | IsA | IsEmpty | IfElse
"""Expressions that hold together by precedence."""

Expr = Primary | Operation
