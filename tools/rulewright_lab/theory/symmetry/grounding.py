"""Expressions as terms: binders and queries are unrolled over the members of universes, operations are kept.

Only what treats all members of a permuted universe alike is known here; of anything else, such as the first of a set of
places, or arithmetic of them, nothing is proved.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from rulewright.engine import bits_of
from rulewright.ir import model as m
from rulewright_lab.theory.symmetry.collections import Collections
from rulewright_lab.theory.symmetry.kinds import NOTHING, NUMBER, Environment, truth_of
from rulewright_lab.theory.symmetry.terms import (
    Formula,
    Members,
    NotProved,
    Scalar,
    Term,
    Truth,
    Value,
    all_of,
    constant,
    member,
    one_of,
    opposite,
)


class Patience:
    """The expressions that may still be looked at before it is given up."""

    def __init__(self, left: int) -> None:
        self.left = left

    def spend(self) -> None:
        """Look at one; :class:`NotProved` if no more may be."""
        self.left -= 1
        if self.left < 0:
            raise NotProved


class Grounding(Collections):
    """Gives the terms of expressions of one program, where some universes are permuted."""

    def __init__(self, program: m.Program, moving: frozenset[str], patience: Patience) -> None:
        super().__init__(program, moving)
        self._tables = {table.name: table for table in program.tables}
        self._fields = {declared.name: declared for declared in program.fields}
        self._queries = {query.name: query for query in program.queries}
        self._graphs = {graph.name: graph for graph in program.graphs}
        self._known: dict[tuple[str, tuple[Term, ...]], Value] = {}
        self._patience = patience
        self._rules: dict[type, Callable[[Any, Environment], Value]] = {
            m.Const: lambda e, env: Scalar(None, member(None, e.value)),
            m.Var: self._variable,
            m.Local: self._variable,
            m.Attr: self._printed,
            m.Cmp: self._comparison,
            m.And: lambda e, env: Truth(all_of(self.truth(one, env) for one in e.items)),
            m.Or: lambda e, env: Truth(one_of(self.truth(one, env) for one in e.items)),
            m.Not: lambda e, env: Truth(opposite(self.truth(e.operand, env))),
            m.IfElse: self._either,
            m.LetIn: lambda e, env: self.value(e.body, {**env, e.var: self.value(e.value, env)}),
            m.Arith: lambda e, env: Scalar(
                NUMBER, ("arith", e.op, self.scalar(e.left, env, NUMBER), self.scalar(e.right, env, NUMBER))
            ),
            m.SetOp: self.operation,
            m.SetEq: lambda e, env: self.same_sets(self.members(e.left, env), self.members(e.right, env)),
            m.Contains: self.contains,
            m.MakeSet: lambda e, env: self.union([self.alone(self.value(one, env)) for one in e.items]),
            m.IntRange: self.range,
            m.Size: self.size,
            m.Single: self.single,
            m.First: self.first,
            m.Filter: self.filtered,
            m.Collect: self.collected,
            m.Best: self.best,
            m.Fold: self.fold,
            m.NeighboursOf: self._neighbours,
            m.Towards: self._towards,
            m.ReachFrom: self._reached,
            m.Alive: self._alive,
            m.FieldGet: self._field,
            m.CallQuery: self._query,
        }

    # ------------------------------------------------------------------------------------------------------- kinds

    def value(self, e: m.Expr, env: Environment) -> Value:
        """The value of an expression."""
        self._patience.spend()
        rule = self._rules.get(type(e))
        if rule is None:
            raise NotProved
        return rule(e, env)

    # ------------------------------------------------------------------------------------------------- expressions

    def _variable(self, e: m.Var | m.Local, env: Environment) -> Value:
        found = env.get(e.name if isinstance(e, m.Var) else e.slot)
        if found is None:
            raise NotProved
        return found

    def _printed(self, e: m.Attr, env: Environment) -> Value:
        table = self._tables.get(e.table)
        if table is None:
            raise NotProved
        of = Scalar(table.universe, self.scalar(e.of, env, table.universe))
        number = constant(of)
        if number is None:
            if table.universe in self.moving or table.ty.universe in self.moving:
                raise NotProved
            return self.unknown(table.ty, ("printed", e.table, of.term))
        if table.ty.kind == "list":
            raise NotProved
        if number == m.NONE:
            return Members(table.ty.universe, {}) if table.ty.kind == "set" else NOTHING
        printed = table.values[number]
        assert isinstance(printed, int)
        if table.ty.kind == "set":
            return Members(table.ty.universe, dict.fromkeys(bits_of(printed), True))
        universe = {"entity": table.ty.universe, "bool": None}.get(table.ty.kind, NUMBER)
        return Scalar(universe, member(universe, printed))

    def _comparison(self, e: m.Cmp, env: Environment) -> Value:
        left, right = self.value(e.left, env), self.value(e.right, env)
        if isinstance(left, Truth) or isinstance(right, Truth):
            return Truth(("compared", e.op, e.nothing, truth_of(left), truth_of(right)))
        if not isinstance(left, Scalar) or not isinstance(right, Scalar):
            raise NotProved
        return Truth(self.same(left, right, e.nothing, e.op))

    def _either(self, e: m.IfElse, env: Environment) -> Value:
        condition = self.truth(e.condition, env)
        if isinstance(condition, bool):
            return self.value(e.then if condition else e.otherwise, env)
        one, other = self.value(e.then, env), self.value(e.otherwise, env)
        if isinstance(one, Truth) or isinstance(other, Truth):
            return Truth(_chosen(condition, truth_of(one), truth_of(other)))
        if isinstance(one, Members) or isinstance(other, Members):
            universe = next((v.universe for v in (one, other) if isinstance(v, Members) and v.universe), None)
            first, second = self.set_of(one, universe), self.set_of(other, universe)
            each = {**first.formulas, **second.formulas}
            return Members(
                universe,
                {n: _chosen(condition, first.formulas.get(n, False), second.formulas.get(n, False)) for n in each},
            )
        universe = one.universe or other.universe
        if universe is None:
            return Scalar(None, ("if", condition, one.term, other.term))
        return Scalar(universe, ("if", condition, self.of_universe(one, universe), self.of_universe(other, universe)))

    def _place(self, graph: m.Graph, e: m.Expr, env: Environment) -> int:
        number = constant(Scalar(graph.place, self.scalar(e, env, graph.place)))
        if number is None:
            raise NotProved
        return number

    def _neighbours(self, e: m.NeighboursOf, env: Environment) -> Value:
        graph = self._graphs[e.graph]
        of = Scalar(graph.place, self.scalar(e.place, env, graph.place))
        place = constant(of)
        if place is None:  # who is beside whom stays, whichever place it is
            return self.symbolic(("beside", e.graph, of.term), graph.place)
        near = 0 if place == m.NONE else graph.neighbours[place]
        return Members(graph.place, dict.fromkeys(bits_of(near), True))

    def _towards(self, e: m.Towards, env: Environment) -> Value:
        graph = self._graphs[e.graph]
        place = self._place(graph, e.place, env)
        direction, steps = constant(self.value(e.direction, env)), constant(self.folded(e.steps, env))
        if direction is None or steps is None or steps < 0 or not 0 <= direction < len(graph.towards):
            raise NotProved
        for _ in range(steps):
            place = m.NONE if place == m.NONE else graph.towards[direction][place]
        return Scalar(graph.place, member(graph.place, place))

    def _reached(self, e: m.ReachFrom, env: Environment) -> Value:
        graph = self._graphs[e.graph]
        if e.across is not None:
            raise NotProved
        start = self.value(e.start, env)
        begun = self.alone(start) if isinstance(start, Scalar) and start.universe else self.set_of(start, graph.place)
        within = None if e.within is None else self.set_term(self.members(e.within, env, graph.place))
        return self.symbolic(("reach", e.graph, self.set_term(begun), within), graph.place)

    def _alive(self, e: m.Alive, env: Environment) -> Value:
        each = range(self.sizes[e.universe])
        if e.universe == "Player":
            return Members(e.universe, {n: ("alive", member(e.universe, n)) for n in each})
        return Members(e.universe, dict.fromkeys(each, True))

    def _field(self, e: m.FieldGet, env: Environment) -> Value:
        declared = self._fields[e.field]
        keys = tuple(
            Scalar(universe, self.scalar(key, env, universe))
            for key, universe in zip(e.index, declared.index, strict=True)
        )
        if any(constant(key) == m.NONE for key in keys):
            return Members(declared.ty.universe, {}) if declared.ty.kind == "set" else NOTHING
        return self.unknown(declared.ty, ("field", e.field, *(key.term for key in keys)))

    def _query(self, e: m.CallQuery, env: Environment) -> Value:
        query = self._queries[e.query]
        args = [self.typed(self.value(one, env), slot.ty) for one, slot in zip(e.args, query.params, strict=True)]
        terms = tuple(_term_of(arg) for arg in args)
        known = self._known.get((e.query, terms))
        if known is None:
            bound: dict[str | int, Value] = {slot.name: arg for slot, arg in zip(query.params, args, strict=True)}
            known = self._known[e.query, terms] = self.typed(self.value(query.body, bound), query.ty)
        return known


def _chosen(condition: Formula, one: Formula, other: Formula) -> Formula:
    return one_of((all_of((condition, one)), all_of((opposite(condition), other))))


def _term_of(value: Value) -> Term:
    """A value as an argument of a query."""
    if isinstance(value, Truth):
        return "truth", value.formula
    return value.term() if isinstance(value, Members) else value.term
