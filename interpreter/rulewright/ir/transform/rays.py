"""Rays: queries of the places in one direction use a set that is known when the program is compiled.

A ray is written by the compiler as a list of so many steps in a direction. Where their order does not matter, the set
of the same places does; and of places in one direction the nearest is the least or the greatest.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import reduce

from rulewright.ir import model as m
from rulewright.ir.graphs import longest_way, rising
from rulewright.ir.transform.rewriting import PLAIN, Rewriter
from rulewright.ir.walk import ExprFacts, children, conjuncts

MOST_PLACES = 256
"""A map has so many places at most whose rays are kept."""
_LISTS: Mapping[type, str] = {m.Collect: "source", m.Size: "of", m.Contains: "collection"}
"""Questions that are the same of a list and of the set of its items, and the part that is the list."""
_UNORDERED = ("some", "no", "every", "count", "max", "min")
"""Aggregates that are the same in any order."""

_Asking = m.Fold | m.Collect | m.Size | m.ToSet | m.Contains | m.First | m.Towards


class Rays:
    """Writes lists of places in one direction as sets."""

    name = "rays"
    kinds = frozenset({m.Fold, m.ToSet, m.First, m.Towards, *_LISTS})

    def __init__(self, graphs: Iterable[m.Graph], rewriter: Rewriter, facts: ExprFacts) -> None:
        self._graphs = {
            graph.name: graph
            for graph in graphs
            if 0 < len(graph.neighbours) <= MOST_PLACES and None not in rising(graph)
        }
        self._rewriter, self._facts = rewriter, facts

    def describe(self, node: object) -> str:
        """No description of a single rewrite."""
        return ""

    def rewritten(self, node: _Asking) -> m.Expr:
        """An equal query of a set, for a query of a ray."""
        if not self._graphs:
            return node
        if isinstance(node, m.Fold):
            return self._fold(node)
        if isinstance(node, m.Towards):
            return self._rewriter.moved(node, _behind(node))
        if isinstance(node, m.First):
            found = self._nearest(node.of) if node.is_list else None
            return node if found is None else self._rewriter.moved(node, found)
        places = self._as_set(next(children(node))) if isinstance(node, m.ToSet) or node.is_list else None
        if places is None:
            return node
        if isinstance(node, m.ToSet):
            return self._rewriter.moved(node, places)
        if isinstance(node, m.Collect) and node.element == m.Var(node.var) and not node.flat:
            return self._rewriter.moved(node, places)
        if isinstance(node, m.Collect) and self._facts.fallible(node):
            return node
        return self._rewriter.changed(node, {_LISTS[type(node)]: places, "is_list": False})

    def _fold(self, node: m.Fold) -> m.Expr:
        match node:
            case m.Fold("some" | "no", (m.Bound(source=m.Ray() as ray),), None):
                there = has_places(ray)
                if there is None:
                    return node
                return self._rewriter.moved(node, there if node.kind == "some" else m.Not(there))
            case m.Fold(kind, binds) if kind in _UNORDERED and any(bind.is_list for bind in binds):
                return node if self._facts.fallible(node) else self._of_sets(node)
            case _:
                return node

    def _of_sets(self, node: m.Fold) -> m.Expr:
        binds: list[m.Bound] = []
        where, parts = node.where, conjuncts(node.where) if node.where is not None else []
        for bind in node.binds:
            found = self._as_set(bind.source) if bind.is_list else None
            is_there = m.Cmp("ne", m.Var(bind.var), m.Const(m.NONE), nothing=True)
            if found is None and bind.is_list and is_there in parts:  # of a set that is not made
                found = self._ray(m.Filter(bind.source, bind.var, is_there, True))
                parts = parts if found is None else [part for part in parts if part != is_there]
            same = found is None
            binds.append(bind if same else self._rewriter.changed(bind, {"source": found, "is_list": False}))
        if all(a is b for a, b in zip(binds, node.binds, strict=True)):
            return node
        if where is not None and len(parts) < len(conjuncts(where)):
            where = None if not parts else parts[0] if len(parts) == 1 else m.And(tuple(parts))
        return self._rewriter.changed(node, {"binds": tuple(binds), "where": where})

    def _as_set(self, e: m.Expr) -> m.Expr | None:
        """The places of a list that is a ray, or some of one, as a set; None if it is none."""
        found: m.Expr | None = None
        match e:
            case m.LetIn(name, value, body):
                inner = self._as_set(body)
                found = None if inner is None else m.LetIn(name, value, inner)
            case m.Filter(m.MakeList(), _, _, True) if (ray := self._ray(e)) is not None:
                found = ray
            case m.Filter(source, var, where, True) if not self._facts.fallible(where):
                inner = self._as_set(source)
                found = None if inner is None else m.Filter(inner, var, where)
            case m.Leading(source, var, where) if not self._facts.fallible(where):
                found = self._leading(source, var, where)
            case _:
                pass
        return None if found is None else self._rewriter.moved(e, found)

    def _leading(self, source: m.Expr, var: str, where: m.Expr) -> m.Expr | None:
        """The places of a ray before the first for which something does not hold."""
        match self._as_set(source):
            case m.Ray(graph, place, direction, None) as ray:
                return m.Ray(graph, place, direction, _refused(ray, var, where))
            case m.LetIn(name, value, m.Ray(graph, place, direction, None) as ray):
                some = m.Ray(graph, place, direction, _refused(ray, var, where))
                return None if name in self._facts.free(where) else m.LetIn(name, value, some)
            case _:
                return None

    def _nearest(self, e: m.Expr) -> m.Expr | None:
        """The first place of a list that is a ray, or some of one."""
        if isinstance(e, m.LetIn):
            found = self._nearest(e.body)
            return None if found is None else m.LetIn(e.var, e.value, found)
        places = self._as_set(e)
        if places is None:
            return None
        ray = places
        while isinstance(ray, m.Filter):
            ray = ray.source
        return m.Nearest(ray.graph, ray.direction, places) if isinstance(ray, m.Ray) else None

    def _ray(self, e: m.Filter) -> m.Ray | None:
        """A ray as the compiler writes it: a list of steps, of which those are left that come to a place."""
        match e:
            case m.Filter(m.MakeList((m.Towards(name, place, direction) as first, *_) as ways), var, there, True):
                is_left = m.Cmp("ne", m.Var(var), m.Const(m.NONE), nothing=True)
                graph = self._graphs.get(name)
                if graph is None or there != is_left or len(ways) < longest_way(graph):
                    return None
                if not isinstance(place, PLAIN) or not isinstance(direction, PLAIN):
                    return None
                steps = (m.Towards(first.graph, place, direction, m.Const(1 + n)) for n in range(len(ways)))
                return m.Ray(name, place, direction) if all(a == b for a, b in zip(ways, steps, strict=True)) else None
            case m.Filter():
                return None


def _refused(ray: m.Ray, var: str, where: m.Expr) -> m.Expr:
    """The places of a ray for which something does not hold, for each condition by itself, as these can be sets."""
    parts: list[m.Expr] = [
        m.Filter(ray, var, one.operand if isinstance(one, m.Not) else m.Not(one)) for one in conjuncts(where)
    ]
    return reduce(lambda one, other: m.SetOp("union", one, other), parts)


def _behind(node: m.Towards) -> m.Expr:
    """The place behind those of a ray, as the nearest of those before which it ends."""
    steps = node.steps
    if isinstance(steps, m.Arith) and steps.op == "add" and m.Const(1) in (steps.left, steps.right):
        size = steps.left if steps.right == m.Const(1) else steps.right
        of = size.of if isinstance(size, m.Size) else None
        if isinstance(of, m.Ray) and of.before is not None:
            same = (of.graph, of.place, of.direction) == (node.graph, node.place, node.direction)
            return m.Nearest(of.graph, of.direction, of.before) if same else node
    return node


def has_places(ray: m.Ray) -> m.Expr | None:
    """The test whether there is any place in a ray, by the nearest one; None if that is not known to do."""
    whole = m.Ray(ray.graph, ray.place, ray.direction)
    refused = [] if ray.before is None else _united(ray.before)
    var, conditions = "step", list[m.Expr]()
    for one in refused:
        if not isinstance(one, m.Filter) or one.source != whole or (conditions and one.var != var):
            return None
        var = one.var
        conditions.append(one.where.operand if isinstance(one.where, m.Not) else m.Not(one.where))
    step = m.Towards(ray.graph, ray.place, ray.direction, m.Const(1))
    is_there = m.Cmp("ne", m.Var(var) if conditions else step, m.Const(m.NONE), nothing=True)
    return m.LetIn(var, step, m.And((is_there, *conditions))) if conditions else is_there


def _united(e: m.Expr) -> list[m.Expr]:
    """The sets of which one is the union."""
    match e:
        case m.SetOp("union", left, right):
            return [*_united(left), right]
        case _:
            return [e]
