"""State that expressions read: the one list of what each kind looks at, by itself.

Who may see it, what must be kept up to date for it, which names stand in a rule: these follow from it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Literal, NamedTuple, assert_never, get_args

from rulewright.ir import model as m
from rulewright.ir.walk import nodes

Aspect = Literal[
    "field", "pieces", "order", "contents", "in", "at", "slot", "map", "side", "members", "merged", "query", "area",
    "after",
]  # fmt: skip
STATE_READS = frozenset(get_args(m.StateRead))


class Read(NamedTuple):
    """One thing in the state that an expression looks at, beside what the expressions inside it do.

    ``field`` is the value of a field; ``pieces`` are those in a zone, ``order`` is these and how they lie, ``contents``
    that and which sides are up; ``in`` is whether a piece lies in a zone, ``at`` its key of a universe, ``slot`` its
    position, ``side`` the side of it that is up; ``map`` are the places of a growing map with pieces, ``members`` those
    who are in a universe, ``merged`` which regions belong together. ``query``, ``area`` and ``after`` name what reads
    for the expression.
    """

    aspect: Aspect
    name: str = ""

    @property
    def callee(self) -> str:
        """The name of what reads for the expression, as analyses know it; empty if nothing does."""
        return _ASKING[self.aspect] + self.name if self.aspect in _ASKING else ""


_ASKING: Mapping[str, str] = {"query": "", "area": "area ", "after": "after "}
"""The words before the name of what reads for an expression."""


def reads(e: m.StateRead) -> tuple[Read, ...]:
    """All that an expression looks at, without the expressions inside it."""
    match e:
        case m.FieldGet(name):
            return (Read("field", name),)
        case m.ZoneGet(name):
            return (Read("pieces", name),)
        case m.ZoneList(name) | m.Top(name):
            return (Read("order", name),)
        case m.Fingerprint(fields, zones):
            return (*(Read("field", name) for name in fields), *(Read("contents", name) for name in zones))
        case m.InZone(zones):
            return tuple(Read("in", name) for name in zones)
        case m.PlaceOf(name):
            return (Read("at", name),)
        case m.SlotOf():
            return (Read("slot"),)
        case m.SideOf():
            return (Read("side"),)
        case m.Grown(name):
            return (Read("map", name),)
        case m.Alive(name):
            return (Read("members", name),)
        case m.ClockwiseFrom():
            return (Read("members", "Player"),)
        case m.Canon(name) | m.PlacesOf(name) | m.RegionsBeside(name):
            return (Read("merged", name),)
        case m.Ahead(merged=name):
            return (Read("merged", name),) if name else ()
        case m.CallQuery(name):
            return (Read("query", name),)
        case m.Component(name):
            return (Read("area", name),)
        case m.After(name):
            return (Read("after", name),)
        case _:
            assert_never(e)


def all_reads(part: object) -> Iterator[Read]:
    """All that the expressions at and below a node of a program look at."""
    for node in nodes(part):
        if type(node) in STATE_READS:
            yield from reads(node)


Whole = m.ZoneGet | m.ZoneList | m.FieldGet
"""All that lies in a zone, or stands in a field."""
Within = m.ZoneGet | m.ZoneList | m.FieldGet | m.Top
"""All or some of that."""


def counted(e: m.Expr) -> m.Expr | None:
    """The set or list of which an expression asks no more than how many members it has."""
    match e:
        case m.Size(of):
            return of
        case m.SetEq():
            return beside(e, 0)
        case m.Cmp("eq" | "ne", nothing=True):
            one = beside(e, m.NONE)
            return one.of if isinstance(one, m.First | m.Single) else None
        case m.Fold("count" | "some" | "no", (bind,), None, None):
            return bind.source
        case _:
            return None


def beside(e: m.Cmp | m.SetEq, value: int) -> m.Expr | None:
    """The side of a comparison whose other side is a constant."""
    known = m.Const(value)
    return e.left if e.right == known else e.right if e.left == known else None
