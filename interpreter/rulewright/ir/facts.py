"""Facts on expressions: where values and the members of sets and lists come from, and of which universe they are.

An origin is one of three forms: a part of one collection, a set operation on several, or an expression with members of
its own, such as a zone or a constant. Analyses fold over the origins with what they know of those, in a lattice of
their own (:func:`from_origins`), and so need no list of all operators. The result may be too large, never too small.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial, reduce
from typing import Literal, TypeVar, assert_never

from rulewright.foundation.lazy_dataclass import dataclass
from rulewright.ir import model as m
from rulewright.ir.declared_types import DeclaredTypes
from rulewright.ir.set_operations import SetOperation

T = TypeVar("T")

Kind = Literal["", "bool", "int", "entity", "set", "list"]
"""The kind of a type; empty if it is not known."""
Zoned = m.ZoneGet | m.ZoneList | m.Top
"""Expressions that read the pieces in a zone."""
_Own = (
    m.Const | m.Fault | m.ListConst | m.Var | m.Local | m.Kind | m.Attr | m.Arith | m.Cmp | m.SetEq | m.And | m.Or
    | m.Not | m.LetIn | m.Old | m.Contains | m.Occurrences | m.IntRange | m.Size | m.Preimage | m.Collect | m.Mapped
    | m.Closure | m.Fold | m.NeighboursOf | m.Towards | m.DistanceOf | m.EdgeBetween | m.EdgesOf | m.ReachFrom
    | m.Reaches | m.Ray | m.Alive | m.After | m.Fingerprint | m.FieldGet | Zoned | m.CallQuery | m.ClockwiseFrom
    | m.PlaceOf | m.SlotOf | m.InZone | m.SideOf | m.Component | m.Grown | m.Canon | m.PlacesOf | m.RegionsBeside
    | m.Ahead
)  # fmt: skip
"""Expressions that are, or hold, something of their own."""


@dataclass(frozen=True, slots=True)
class Part:
    """All members of a collection, some of them or one of them; or a value as it is."""

    of: m.Expr
    kind: Kind
    """The kind of the collection or value."""


@dataclass(frozen=True, slots=True)
class Combined:
    """A set operation on several collections; or on single values, which then are the members."""

    op: SetOperation
    parts: tuple[m.Expr, ...]
    kind: Kind
    """The kind of the parts."""


_TO_PIECES = f"{m.CONVERSION}Piece"
"""The name of a table that leads to the pieces that stand for the members of a universe ends so."""


def origin(e: m.Expr, kind: Kind = "") -> Part | Combined | m.Expr:
    """The expressions from which a value or the members of a collection come, one step back; the expression itself,
    if these are its own. `kind` is that of its type, if it is known."""
    match e:
        case m.SetOp(op, left, right):
            return Combined(op, (left, right), "set")
        case m.Joined(left, right):
            return Combined("union", (left, right), "list")
        case m.MakeSet(items) | m.MakeList(items):
            return Combined("union", items, "entity")
        case m.IfElse(_, then, otherwise):
            return Combined("union", (then, otherwise), kind)
        case m.Filter(source, is_list=is_list) | m.Best(source, is_list=is_list) | m.Sort(source, is_list=is_list):
            return Part(source, "list" if is_list else "set")
        case m.First(source, is_list):
            return Part(source, "list" if is_list else "set")
        case m.Leading(source) | m.Item(source) | m.ToSet(source):
            return Part(source, "list")
        case m.Single(source) | m.Lowest(source) | m.ToList(source) | m.Nearest(of=source):
            return Part(source, "set")
        case m.Charged(of=of):
            return Part(of, kind)
        case m.Attr(table) | m.Collect(element=m.Attr(table)) | m.Mapped(element=m.Attr(table)) if _TO_PIECES in table:
            return m.Kind(m.STAND_IN + table.removesuffix(_TO_PIECES))
        case _ if isinstance(e, _Own):
            return e
        case _:
            assert_never(e)


def _as_they_are(_e: m.Expr, known: T) -> T:
    return known


def from_origins(
    e: m.Expr,
    own: Callable[[m.Expr, Kind], T],
    combined: Callable[[SetOperation, T, T], T],
    *,
    part: Callable[[m.Expr, T], T] = _as_they_are,
    kind: Kind = "",
    names: Mapping[str, T] | None = None,
    queries: Mapping[str, m.QueryDef] | None = None,
) -> T:
    """A fact on a value or on the members of a collection, folded over its origins.

    `own` gives it for expressions with members of their own, `combined` for set operations on facts, `part` for an
    expression whose members are among those for which a fact is known. `names` are facts on variables around it; of
    `queries` the bodies are looked into, which never form a cycle.
    """
    queries = queries or {}
    known: dict[tuple[str, tuple[T, ...]], T] = {}

    def of(e: m.Expr, kind: Kind, names: Mapping[str, T]) -> T:
        match origin(e, kind):
            case Part(source, inner):
                return part(e, of(source, inner, names))
            case Combined(op, parts, inner):
                each = [of(one, inner, names) for one in parts]
                return reduce(partial(combined, op), each) if each else own(m.Const(0), "set")
            case m.Var(name) if name in names:
                return names[name]
            case m.LetIn(var, value, body):
                return of(body, kind, {**names, var: of(value, "", names)})
            case m.CallQuery(query, args) if query in queries:
                called = queries[query]
                given = tuple(of(arg, slot.ty.kind, names) for slot, arg in zip(called.params, args, strict=True))
                if (query, given) not in known:
                    inside = dict(zip((slot.name for slot in called.params), given, strict=True))
                    known[query, given] = of(called.body, called.ty.kind, inside)
                return known[query, given]
            case itself:
                return own(itself, kind)

    return of(e, kind, names or {})


def lies_in(e: m.Expr) -> m.ZoneGet | m.ZoneList | None:
    """The zone in which a piece lies, or all pieces of a set or list, if an expression gives no more than that."""
    match origin(e):
        case Part(of) | Combined("union", (of,)) | Combined("minus" | "inter", (of, _)):
            return lies_in(of)
        case m.Top(zone, index):
            return m.ZoneList(zone, index)
        case own:
            return own if isinstance(own, m.ZoneGet | m.ZoneList) else None


class Universes:
    """The universes of values, and of the members of collections, in one program."""

    def __init__(self, program: m.Program) -> None:
        self._types = DeclaredTypes(program)
        self._tables = {table.name: table.universe for table in program.tables}
        self._places = {graph.name: graph.place for graph in program.graphs}
        self._places |= {area.name: area.place for area in program.areas}
        self._places |= {merged.name: merged.place for merged in program.merged}
        self._edges = {graph.name: graph.edge or "" for graph in program.graphs}

    def of(self, e: m.Expr, function: m.Function | None = None, names: Mapping[str, str] | None = None) -> str:
        """The universe of an expression of a function, ``Int`` for numbers in a set; empty if it cannot be read off."""
        return from_origins(e, partial(self._own, function), _first_known, names=names)

    def _own(self, function: m.Function | None, e: m.Expr, _kind: Kind) -> str:
        match e:
            case m.Alive(name) | m.Closure(name) | m.PlaceOf(name) | m.RegionsBeside(name) | m.Canon(name):
                return name
            case m.Preimage(name):
                return self._tables[name]
            case m.ClockwiseFrom():
                return "Player"
            case m.IntRange():
                return "Int"
            case m.EdgesOf(name) | m.EdgeBetween(name):
                return self._edges[name]
            case (
                m.Grown(name) | m.NeighboursOf(name) | m.ReachFrom(name) | m.Ray(name) | m.Towards(name)
                | m.Component(name) | m.PlacesOf(name) | m.Ahead(name, "")
            ):  # fmt: skip
                return self._places[name]
            case m.Ahead(_, merged):
                return merged
            case m.Collect(source, var, element) | m.Mapped(source, var, element):
                return self.of(element, function, {var: self.of(source, function)})
            case m.Old(of) | m.After(of=of):
                return self.of(of, function)
            case _ if isinstance(e, m.Kind | Zoned):
                return "Piece"
            case _:
                ty = self._types.of(e, function)
                return "" if ty is None else ty.universe


def _first_known(_op: SetOperation, left: str, right: str) -> str:
    return left or right
