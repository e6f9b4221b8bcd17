"""Walks over expressions: children, free variables, the parts of a condition, and whether an expression can fail."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Mapping
from dataclasses import fields
from functools import cache
from threading import Lock
from typing import Any, assert_never, cast, get_args

from rulewright.foundation import tree_fields
from rulewright.foundation.reachability import reachable
from rulewright.ir import model as m
from rulewright.ir.intervals import interval, is_surely_number

EXPR_TYPES: tuple[type, ...] = get_args(m.Expr)
INSTR_TYPES: tuple[type, ...] = get_args(m.Instr)

DEEP = 200_000
"""Python calls that a deeply nested expression may take: they use memory only, no machine stack."""


AMPLE = 10_000
"""Python calls for what follows chains of calls and nested blocks, which have a greatest length: see `limits`."""


class _Deeper:
    """A context in which some more Python calls may be nested: a class of its own, as evaluation enters it often."""

    __slots__ = ("_calls",)

    def __init__(self, calls: int) -> None:
        self._calls = calls

    def __enter__(self) -> None:
        _depth.enter(self._calls)

    def __exit__(self, *_: object) -> None:
        _depth.leave()


def deep_recursion(calls: int = DEEP) -> _Deeper:
    """Allow recursion over very deep trees (rules may hold thousands of brackets)."""
    return _Deeper(calls)


class _Depth:
    """The limit of recursion, which all threads of the process share: the last that needs a higher one resets it."""

    def __init__(self) -> None:
        self._lock, self._inside, self._before = Lock(), 0, 0

    def enter(self, calls: int) -> None:
        """Some more calls may be needed from now on."""
        with self._lock:
            now = sys.getrecursionlimit()
            if not self._inside:
                self._before = now
            self._inside += 1
            if calls > now:
                sys.setrecursionlimit(calls)

    def leave(self) -> None:
        """Release the bindings."""
        with self._lock:
            self._inside -= 1
            if not self._inside:
                sys.setrecursionlimit(self._before)


_depth = _Depth()


def _find_names(kind: type) -> tuple[str, ...]:
    return tuple(f.name for f in fields(kind))


def _find_expr_fields(kind: type) -> tuple[str, ...]:
    annotations = {f.name: str(f.type) for f in fields(kind)}
    return tuple(n for n, a in annotations.items() if "Expr" in a or "Bound" in a)


field_names: Callable[[type], tuple[str, ...]] = cache(_find_names)
"""The names of the fields of a node class."""
_expr_fields: Callable[[type], tuple[str, ...]] = cache(_find_expr_fields)


Taken = m.First | m.Single | m.Item | m.Lowest | m.ToSet | m.ToList
"""Expressions that give members of a set or list, their first part, by the order of these alone; their other parts
decide how many or which."""


def children(node: Any) -> Iterator[m.Expr]:
    """The expressions directly inside an expression."""
    for name in _expr_fields(type(node)):
        value = getattr(node, name)
        if isinstance(value, tuple):
            for item in value:
                yield item.source if isinstance(item, m.Bound) else item
        elif value is not None:
            yield value


INSIDE: Mapping[type, str] = {
    m.LetIn: "body",
    m.Filter: "where",
    m.Leading: "where",
    m.Collect: "element",
    m.Mapped: "element",
    m.Best: "key",
    m.Sort: "key",
    m.Closure: "step",
    m.ReachFrom: "across",
    m.Reaches: "where",
}
"""For each kind of expression that binds a variable the part that sees it, the last one; a fold binds several in turn,
and a flood over places (:class:`~rulewright.ir.model.ReachFrom`) may bind none."""

_NONE_BOUND: Mapping[str, m.Expr | None] = {}


def scoped(e: m.Expr) -> Iterator[tuple[m.Expr, Mapping[str, m.Expr | None]]]:
    """The expressions directly inside an expression, each with the variables that are bound for it; with a variable the
    value or set that it has or runs over, if an expression gives that."""
    if isinstance(e, m.Fold):
        bound: dict[str, m.Expr | None] = {}
        for bind in e.binds:
            yield bind.source, bound
            bound = {**bound, bind.var: bind.source}
        yield from ((part, bound) for part in (e.where, e.body) if part is not None)
        return
    parts = list(children(e))
    binds = type(e) in INSIDE and getattr(e, INSIDE[type(e)]) is not None
    yield from ((part, _NONE_BOUND) for part in (parts[:-1] if binds else parts))
    if binds:
        yield parts[-1], {cast(Any, e).var: None if isinstance(e, _FLOODS) else parts[0]}


_FLOODS = m.ReachFrom | m.Closure

nodes: Callable[[object], Iterator[Any]] = tree_fields.nodes
"""Every node at and below a node of a program, of whatever kind."""


Infallible = (
    m.Const | m.ListConst | m.Var | m.Local | m.Alive | m.Kind | m.Attr | m.FieldGet | m.ZoneGet | m.ZoneList | m.Item
    | m.Cmp | m.SetEq | m.And | m.Or | m.Not | m.IfElse | m.LetIn | m.SetOp | m.Contains | m.MakeList | m.Size
    | m.Single | m.First | m.Joined | m.Occurrences | m.Lowest | m.Top | m.Filter | m.Leading | m.Mapped | m.Best
    | m.Sort | m.ToList | m.ClockwiseFrom | m.PlaceOf | m.SlotOf | m.InZone | m.SideOf | m.NeighboursOf | m.Towards
    | m.DistanceOf | m.EdgeBetween | m.EdgesOf | m.Component | m.Grown | m.ReachFrom | m.Canon | m.PlacesOf
    | m.Reaches | m.Ray | m.Nearest | m.RegionsBeside | m.Ahead | m.Preimage | m.Closure | m.Fingerprint | m.Old
)  # fmt: skip
"""Expressions that cannot end in an error of the rules by themselves, whatever their parts do."""

_Member = m.Towards | m.PlaceOf
"""Expressions that give a member of a universe, or none: a set takes it."""


def _is_constant_set(expr: m.Expr) -> bool:
    """True of a set of known numbers, each of which it can hold."""
    match expr:
        case m.IntRange():
            items: tuple[m.Expr, ...] = (expr.low, expr.high)
        case m.MakeSet(items):
            pass
        case _:
            return False
    known = [interval(item) for item in items]
    return all(one is not None and one[0] >= 0 and one[1] < m.MAX_NUMBER_BITS for one in known)


class ExprFacts:
    """Facts about expressions, remembered by identity (hashing deep trees would walk them each time)."""

    def __init__(self, queries: Mapping[str, m.QueryDef]) -> None:
        self._queries = queries
        self._free: dict[int, frozenset[str]] = {}
        self._pays: dict[int, bool] = {}
        self._fallible: dict[int, bool] = {}
        self._fallible_query: dict[str, bool] = {}
        self._keep: list[Any] = []

    def free(self, expr: m.Expr) -> frozenset[str]:
        """The variables an expression mentions and does not bind itself."""
        known = self._free.get(id(expr))
        if known is None:
            known = self._free[id(expr)] = self._find_free(expr)
            self._keep.append(expr)
        return known

    def _find_free(self, expr: m.Expr) -> frozenset[str]:
        found = frozenset((expr.name,)) if isinstance(expr, m.Var) else frozenset[str]()
        for part, bound in scoped(expr):
            found |= self.free(part).difference(bound)
        return found

    def fallible(self, expr: m.Expr) -> bool:
        """True if computing it can end in an error of the rules (so that it may not be moved about)."""
        known = self._fallible.get(id(expr))
        if known is None:
            known = self._find_fallible(expr)
            self._fallible[id(expr)] = known
            self._keep.append(expr)
        return known

    def _find_fallible(self, expr: m.Expr) -> bool:
        if isinstance(expr, Infallible) or _is_constant_set(expr):
            found = False
        elif isinstance(expr, m.Arith):
            found = not is_surely_number(expr)
        elif isinstance(expr, m.MakeSet):
            found = not all(isinstance(item, _Member) for item in expr.items)
        elif isinstance(expr, m.IntRange | m.ToSet | m.After | m.Fault | m.Charged):
            return True
        elif isinstance(expr, m.Collect):
            found = not expr.flat and not isinstance(expr.element, _Member)
        elif isinstance(expr, m.Fold):
            found = expr.kind == "sum"
        elif isinstance(expr, m.CallQuery):
            found = self._query_fallible(expr.query)
        else:
            assert_never(expr)
        # no any(): a built-in on the way down would use up the machine's stack
        for child in children(expr):
            found = found or self.fallible(child)
        return found

    def ready(self, parts: list[m.Expr], missing: set[str]) -> tuple[list[m.Expr], list[m.Expr]]:
        """The first conditions, which can be evaluated before some variables are bound, and the others."""
        for number, part in enumerate(parts):
            if missing and (self.fallible(part) or self.free(part) & missing):
                return parts[:number], parts[number:]
        return parts, []

    def pays(self, expr: m.Expr) -> bool:
        """True if steps are paid while it is worked out: so the number of evaluations must not change."""
        known = self._pays.get(id(expr))
        if known is None:
            known = isinstance(expr, m.Charged | m.After)
            if isinstance(expr, m.CallQuery):
                query = self._queries.get(expr.query)
                known = query is not None and self.pays(query.body)
            for child in children(expr):
                known = known or self.pays(child)
            self._pays[id(expr)] = known
            self._keep.append(expr)
        return known

    def _query_fallible(self, name: str) -> bool:
        known = self._fallible_query.get(name)
        if known is None:
            self._fallible_query[name] = True
            query = self._queries.get(name)
            known = self._fallible_query[name] = query is None or self.fallible(query.body)
        return known


def conjuncts(e: m.Expr) -> list[m.Expr]:
    """The parts of an ``and``, flat."""
    return [part for item in e.items for part in conjuncts(item)] if isinstance(e, m.And) else [e]


def refuses(restriction: m.Restriction) -> m.Expr:
    """The condition under which a restriction refuses a candidate."""
    return m.And((restriction.condition, *(m.Not(x.condition) for x in restriction.unless)))


def allowed(restrictions: tuple[m.Restriction, ...]) -> list[m.Expr]:
    """The conditions that no restriction refuses."""
    return [
        m.Not(m.And((r.condition, *(m.Not(x.condition) for x in r.unless)))) if r.unless else m.Not(r.condition)
        for r in restrictions
    ]


def queries_asked(known: Mapping[str, m.QueryDef], parts: object) -> dict[str, m.QueryDef]:
    """The queries among some that parts of a program ask, directly or not, by name."""

    def called(part: object) -> list[str]:
        return [node.query for node in nodes(part) if isinstance(node, m.CallQuery) and node.query in known]

    return {name: known[name] for name in reachable(called(parts), lambda name: called(known[name].body))}
