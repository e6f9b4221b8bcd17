"""Charges: what a program costs is written into it, before anything is optimised.

Each instruction has its steps (:mod:`rulewright.ir.step_costs`). Where a part of it, or of a query, takes more than
:data:`MOST` operations it becomes :class:`~rulewright.ir.model.Charged`: it pays whenever it is evaluated, and what it
stands in does not. So a step is paid for everything that may be worked out, and not for most of what is never
evaluated.

Passes and engines must evaluate what is charged as often as the program does (:meth:`ExprFacts.pays`); what they do to
all else changes no price. A flood has one price, whatever it asks of how many edges: engines go through them as they
like.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import field, replace
from functools import cached_property
from itertools import count
from operator import is_
from typing import Any, NamedTuple, TypeVar

from rulewright.foundation.lazy_dataclass import dataclass
from rulewright.foundation.memo import memoized_by_node
from rulewright.ir import model as m
from rulewright.ir.control_flow.function_shape import ShapeCache
from rulewright.ir.step_costs import ENDLESS, MOST, NOTHING, OPERATIONS, PASS, Counting, Declared, Loop, Price
from rulewright.ir.transform.rewriting import Rewriter
from rulewright.ir.walk import EXPR_TYPES, ExprFacts, deep_recursion, nodes, queries_asked, scoped

L = TypeVar("L", bound=Loop)
_EXPRESSIONS = frozenset(EXPR_TYPES)
_LOOPS = m.Filter | m.Leading | m.Collect | m.Mapped | m.Best | m.Sort
_KNOWN = (m.Alive, m.Const, m.Kind, m.ListConst)
"""Sources of which it is known how many members they have, as of ranges between constants."""


class _Query(NamedTuple):
    """A query in which charges are written."""

    query: m.QueryDef
    price: Price
    counting: Counting


class _Function(NamedTuple):
    """A function in which charges are written."""

    function: m.Function
    steps: tuple[int, ...]


@dataclass(slots=True)
class _Kept:
    """All that was charged in programs with equal declarations, by the numbers of versions."""

    versions: dict[tuple[object, ...], int] = field(default_factory=dict)
    """The identity of a query or function with the versions of the queries that it asks, to a number."""
    queries: dict[int, _Query] = field(default_factory=dict)
    functions: dict[int, _Function] = field(default_factory=dict)
    nodes: list[object] = field(default_factory=list)
    """The queries and functions, which must live as long as their identities count."""
    unused: Iterator[int] = field(default_factory=count)
    """Numbers that no version has had."""

    def make_room(self) -> None:
        """Forget all, if it is too much; numbers are not given twice."""
        if len(self.versions) > KEPT:
            self.versions.clear()
            self.queries.clear()
            self.functions.clear()
            self.nodes.clear()


KEPT = 1 << 12
"""So many versions are kept of programs with equal declarations; then all of them are forgotten."""
_kept: ShapeCache[_Kept] = ShapeCache()


@memoized_by_node
def _queries_in(node: m.QueryDef | m.Function) -> tuple[str, ...]:
    callers = nodes(node.body if isinstance(node, m.QueryDef) else node.code)
    return tuple(dict.fromkeys(one.query for one in callers if isinstance(one, m.CallQuery)))


class Charges(Mapping[str, m.QueryDef]):
    """The queries of a program, and its functions, each made when it is first wanted."""

    def __init__(self, program: m.Program) -> None:
        self._program, self._declared, self._rewriter = program, Declared(program), Rewriter()
        self._bodies = {query.name: query for query in program.queries}
        self._functions = {function.name: function for function in program.functions}
        self._queries: dict[str, _Query] = {}
        self._made: dict[str, _Function] = {}
        self._whole: dict[str, Price] = {}
        self._areas: dict[str, frozenset[str]] = {}
        self._kept = _kept.get(self._declared.kind(), _Kept)
        self._kept.make_room()
        self._versions: dict[str, int] = {}
        self.facts = ExprFacts(self)

    def __getitem__(self, name: str) -> m.QueryDef:
        return self._query(name).query

    def __iter__(self) -> Iterator[str]:
        return iter(self._bodies)

    def __len__(self) -> int:
        return len(self._bodies)

    def pays(self, query: str) -> bool:
        """True of a query that pays for itself whenever it is evaluated, or for some of it."""
        return query in self._bodies and self.facts.pays(self[query].body)

    @cached_property
    def program(self) -> m.Program:
        """The whole program."""
        functions = tuple(self._function(f.name).function for f in self._program.functions)
        return replace(self._program, queries=tuple(self.values()), functions=functions)

    def code(self, function: str) -> tuple[m.Instr, ...]:
        """The instructions of a function."""
        return self._function(function).function.code

    def steps(self, function: str) -> tuple[int, ...]:
        """The steps of each of them, beside what pays for itself."""
        return self._function(function).steps

    def written(self, e: m.Expr) -> m.Expr:
        """An expression that no instruction asks: all of it pays for itself."""
        counting = self._counting()
        with deep_recursion():
            found: m.Expr = self._charged(counting, e)
            return _paid(found, counting.operations(found) + self._found(self._called(found)))

    def _query(self, name: str) -> _Query:
        if name not in self._queries:
            version = self._version(name)
            if version not in self._kept.queries:
                self._kept.queries[version] = self._find_query(self._bodies[name])
            self._queries[name] = self._kept.queries[version]
        return self._queries[name]

    def _find_query(self, query: m.QueryDef) -> _Query:
        counting = self._counting(room={slot.name: self._declared.room(slot.ty) for slot in query.params})
        with deep_recursion():
            body = self._charged(counting, query.body)
            made = query if body is query.body else replace(query, body=body)
            price = Price(counting.operations(body), counting.room(body))
        return _Query(made, price, counting.with_charged(_no_price))

    def _version(self, name: str) -> int:
        """A number for a query with all that it asks: equal in two programs with equal declarations, equal charges."""
        if name not in self._versions:
            self._versions[name] = self._number(self._bodies[name])
        return self._versions[name]

    def _number(self, node: m.QueryDef | m.Function) -> int:
        callers: tuple[object, ...] = tuple(map(self._version, _queries_in(node)))
        flooding = self._flooding
        versions = self._kept.versions
        if (key := (id(node), *callers, *map(id, flooding))) not in versions:
            versions[key] = next(self._kept.unused)
            self._kept.nodes.append((node, flooding))
        return versions[key]

    @cached_property
    def _flooding(self) -> tuple[m.QueryDef, ...]:
        """The queries that floods ask, for which any query and function may ask."""
        return tuple(queries_asked(self._bodies, self._program.areas).values())

    def _function(self, name: str) -> _Function:
        if name not in self._made:
            version = self._number(self._functions[name])
            if version not in self._kept.functions:
                self._kept.functions[version] = self._find_function(self._functions[name])
            self._made[name] = self._kept.functions[version]
        return self._made[name]

    def _find_function(self, function: m.Function) -> _Function:
        counting = self._counting(function.slots)
        with deep_recursion():
            code = tuple(self._instruction(counting, i) for i in function.code)
            steps = tuple(1 + (counting.of_instruction(i) + self._found(self._called(i))) // OPERATIONS for i in code)
        made = function if all(map(is_, code, function.code)) else replace(function, code=code)
        return _Function(made, steps)

    def _counting(self, slots: tuple[m.Slot, ...] = (), room: Mapping[str, int] = NOTHING) -> Counting:
        return Counting(self._declared, lambda name: self._query(name).price, slots, room)

    def _instruction(self, counting: Counting, i: m.Instr) -> m.Instr:
        made: m.Instr = self._charged(counting, i)
        if isinstance(made, m.Choose | m.FinishRank) and made.source is not None:
            return self._loop(counting, made)
        return made

    def _loop(self, counting: Counting, loop: L) -> L:
        """A loop that is paid for when its source is known, if it is long."""
        assert loop.source is not None
        each = counting.each(loop)
        if counting.loop(loop.source, each) <= MOST:
            return loop
        return self._rewriter.changed(loop, {"source": _for_each(loop.source, each)})

    def _charged(self, counting: Counting, node: Any) -> Any:
        counting.note(node)
        return self._rewriter.rebuilt(node, _EXPRESSIONS, lambda e: self._part(counting, e))

    def _part(self, counting: Counting, e: m.Expr) -> m.Expr:
        """An expression whose parts have been charged already."""
        match e:
            case _ if isinstance(e, _LOOPS) and not _is_known(e.source):
                e = self._loop(counting, e)
            case m.Fold():
                e = self._fold(counting, e)
            case m.ReachFrom() | m.Closure() if any(self.facts.pays(part) for part, bound in scoped(e) if bound):
                return _paid(e, self._of_all(counting, e), True)
            case m.Component(area) if self.facts.pays(self._declared.areas[area].across):
                return _paid(e, PASS, True)
            case m.After() if self._declared.areas:  # those of the position after it, and those of now again
                return _paid(e, counting.operations(e) + 2 * self._found(frozenset(self._declared.areas)))
            case _:
                pass
        operations = counting.operations(e)
        return _paid(e, operations) if operations > MOST else e

    def _fold(self, counting: Counting, e: m.Fold) -> m.Fold:
        """An aggregate whose long loops are paid for when their sources are known."""
        each, binds, long = counting.each(e), list(e.binds), False
        for number, bind in reversed(list(enumerate(binds))):
            operations = min(counting.loop(bind.source, each), ENDLESS)
            if operations > MOST and (number or not _is_known(bind.source)):
                binds[number] = replace(bind, source=_for_each(bind.source, each))
                operations, long = counting.loop(binds[number].source, each), True
            each = operations
        return self._rewriter.changed(e, {"binds": tuple(binds)}) if long else e

    def _called(self, node: object) -> frozenset[str]:
        """The areas for which something asks, itself or through queries."""
        found = set[str]()
        for one in nodes(node) if self._declared.areas else ():
            if isinstance(one, m.Component):
                found.add(one.area)
            elif isinstance(one, m.CallQuery):
                if one.query not in self._areas:
                    self._areas[one.query] = self._called(self._bodies[one.query].body)
                found |= self._areas[one.query]
        return frozenset(found)

    def _found(self, areas: frozenset[str]) -> int:
        """The operations that it takes to find some areas."""
        counting = self._counting().with_charged(self._of_whole_query)
        return sum(counting.area(self._declared.areas[area]) for area in areas)

    def _of_all(self, counting: Counting, e: m.Expr) -> int:
        """The operations of an expression, with those that are charged."""
        return counting.with_charged(self._of_whole_query).operations(e)

    def _of_whole_query(self, name: str) -> Price:
        if name not in self._whole:
            made = self._query(name)
            self._whole[name] = Price(self._of_all(made.counting, made.query.body), made.price.room)
        return self._whole[name]


def _is_known(source: m.Expr) -> bool:
    """True of a source of which it is known how many members it has."""
    match source:
        case m.IntRange(m.Const(), m.Const() | m.Size(m.ListConst())):
            return True
        case m.IntRange(m.Const(), m.Arith("add" | "sub", m.Size(m.ListConst()), m.Const())):
            return True
        case _:
            return isinstance(source, _KNOWN)


def _no_price(query: str) -> Price:
    raise LookupError(query)  # who counts on gives a function for this


def _paid(e: m.Expr, operations: int, all: bool = False) -> m.Charged:
    """An expression that pays for so many operations."""
    return m.Charged(1 + operations // OPERATIONS, e, all=all)


def _for_each(source: m.Expr, each: int) -> m.Charged:
    """A source that pays for what is done for each of its members."""
    return m.Charged(1, source, PASS + each)
