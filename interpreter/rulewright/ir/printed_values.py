"""Values of queries that ask nothing but what is printed: of their argument, of maps, of each other."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import reduce
from operator import or_

from rulewright.foundation.bit_sets import members_of
from rulewright.ir import model as m
from rulewright.ir.evaluation import NotConstant, Value, known, number, over_members
from rulewright.ir.graphs import unfolded
from rulewright.ir.model import NONE
from rulewright.ir.walk import nodes

_ASKS: tuple[type, ...] = (
    *(m.Alive, m.And, m.Arith, m.Attr, m.CallQuery, m.Cmp, m.Collect, m.Const, m.Contains, m.DistanceOf),
    *(m.EdgeBetween, m.EdgesOf, m.Filter, m.First, m.Fold, m.IfElse, m.IntRange, m.Item, m.Kind, m.LetIn),
    *(m.ListConst, m.MakeList, m.MakeSet, m.Mapped),
    *(m.NeighboursOf, m.Not, m.Or, m.Preimage, m.Ray, m.SetOp, m.Single, m.Size, m.ToSet, m.Towards, m.Var, m.Bound),
)
"""The nodes of which such queries are made."""
_WORTH = (m.Collect, m.DistanceOf, m.EdgeBetween, m.Filter, m.Fold, m.IfElse, m.NeighboursOf, m.Ray, m.Towards)
"""Queries without any of these cost no more than their table, and are conditions of which passes know the members."""
MOST_STEPS = 20_000
"""So many nodes are worked out for one query at most; those for its first member give an estimate."""
MOST_FOR_ALL = 60_000
"""So many are worked out for all queries of a program."""


NOTHING: Mapping[str, int] = {}


class PrintedValues:
    """Works them out for one program."""

    def __init__(self, program: m.Program) -> None:
        self._queries = {q.name: q for q in program.queries}
        self._tables = {table.name: table for table in program.tables}
        self._graphs = {graph.name: unfolded(graph) for graph in program.graphs}
        self._kinds = {kind.name: kind.members for kind in program.kinds}
        changing = {merged.name for merged in program.merged}
        if any(isinstance(i, m.Eliminate) for function in program.functions for i in function.code):
            changing.add("Player")
        self._full = {u.name: (1 << u.size) - 1 for u in program.universes if u.name not in changing}
        self._between: dict[str, Mapping[tuple[int, int], int]] = {}
        self._printed: dict[str, bool] = {}
        self._found: dict[tuple[str, tuple[Value, ...]], Value] = {}
        """The values of queries for arguments."""
        self._steps, self._most = 0, 0
        """The nodes that were worked out by now, and at how many to give up."""

    def of_each(self, query: m.QueryDef, size: int, given: Mapping[str, int] = NOTHING) -> tuple[int, ...] | None:
        """The values for all members of a universe as the one argument that is not `given`, and for none behind them;
        None if something else is needed, or if there is an error, or if it is not worth its time."""
        if not self._is_printed(query.name) or not any(isinstance(node, _WORTH) for node in nodes(query.body)):
            return None
        before, (param,) = self._steps, [one.name for one in query.params if one.name not in given]
        self._most = min(before + MOST_STEPS, MOST_FOR_ALL)
        call = m.CallQuery(query.name, tuple(m.Var(one.name) for one in query.params))
        found: list[int] = []
        try:
            for at in (*range(size), NONE):
                found.append(number(self._value(call, {**given, param: at})))
                if at == 0 and (self._steps - before) * size > MOST_STEPS:
                    return None
        except NotConstant:
            return None
        return tuple(found)

    def _is_printed(self, name: str) -> bool:
        """True of a query that is made of such parts only, and asks only such queries."""
        if name not in self._printed:
            self._printed[name] = False  # of one that asks itself
            self._printed[name] = self._asks_what_is_printed(self._queries[name].body)
        return self._printed[name]

    def _asks_what_is_printed(self, e: m.Expr) -> bool:
        return all(
            isinstance(node, _ASKS)
            and not (isinstance(node, m.CallQuery) and not self._is_printed(node.query))
            and not (isinstance(node, m.Alive) and node.universe not in self._full)
            for node in nodes(e)
        )

    def _value(self, e: m.Expr, env: Mapping[str, Value]) -> Value:
        self._steps += 1
        if self._steps > self._most:
            raise NotConstant
        match e:
            case m.Var(name):
                return env[name]
            case m.LetIn(name, value, body):
                return self._value(body, {**env, name: self._value(value, env)})
            case m.Alive(universe):
                return self._full[universe]
            case m.Kind(name):
                return self._kinds[name]
            case m.CallQuery(query, args):
                return self._value_of_query(self._queries[query], tuple(self._value(arg, env) for arg in args))
            case m.NeighboursOf(graph, place):
                at = self._number(place, env)
                return 0 if at == NONE else self._graphs[graph].neighbours[at]
            case m.DistanceOf(graph, start, end) if self._graphs[graph].distance:
                one, other = self._number(start, env), self._number(end, env)
                return NONE if NONE in (one, other) else self._graphs[graph].distance[one][other]
            case m.EdgeBetween(graph, start, end):
                ends = self._number(start, env), self._number(end, env)
                return self._edges(graph).get(ends, NONE)
            case m.EdgesOf(graph, place):
                at = self._number(place, env)
                return _set(edge for (one, _), edge in self._edges(graph).items() if one == at)
            case m.Towards():
                return self._towards(e, env)
            case m.First(of, True):
                items = self._value(of, env)
                return next(iter(items), NONE) if isinstance(items, tuple) else NONE
            case m.First(of) | m.Single(of):
                there = self._members(of, env)
                return there[0] if there and (isinstance(e, m.First) or len(there) == 1) else NONE
            case _:
                found_out = over_members(e, self._value, env)
                if found_out is None:
                    found_out = known(e, lambda part: self._value(part, env), self._tables)
        if found_out is None:
            raise NotConstant
        return found_out

    def _edges(self, graph: str) -> Mapping[tuple[int, int], int]:
        """The edge between each two places that one joins."""
        if graph not in self._between:
            edges = tuple(enumerate(self._graphs[graph].edges))
            self._between[graph] = {ends: edge for edge, (a, b) in edges for ends in ((a, b), (b, a))}
        return self._between[graph]

    def _value_of_query(self, query: m.QueryDef, args: tuple[Value, ...]) -> Value:
        """The value of a query for arguments, which is worked out once."""
        if (found := self._found.get((query.name, args))) is None:
            given = {slot.name: arg for slot, arg in zip(query.params, args, strict=True)}
            found = self._found[query.name, args] = self._value(query.body, given)
        return found

    def _towards(self, e: m.Towards, env: Mapping[str, Value]) -> int:
        place, direction, steps = (self._number(part, env) for part in (e.place, e.direction, e.steps))
        if NONE in (place, direction, steps):
            return NONE
        if steps < 0:
            raise NotConstant
        for _ in range(steps):
            place = self._graphs[e.graph].towards[direction][place]
            if place == NONE:
                break
        return place

    def _members(self, e: m.Expr, env: Mapping[str, Value]) -> list[int]:
        """The members of a set, or the items of a list."""
        value = self._value(e, env)
        return list(members_of(value))

    def _number(self, e: m.Expr, env: Mapping[str, Value]) -> int:
        return number(self._value(e, env))


def _set(found: Iterator[int] | list[int]) -> int:
    """A set of numbers; none is in no set."""
    there = [one for one in found if one != NONE]
    if any(one < 0 or one >= m.MAX_NUMBER_BITS for one in there):
        raise NotConstant
    return reduce(or_, (1 << one for one in there), 0)
