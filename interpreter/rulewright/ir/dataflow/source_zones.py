"""The zones out of which the pieces of an expression come, as far as the expression alone says it."""

from __future__ import annotations

from collections.abc import Callable

from rulewright.ir import model as m


def source_zones(
    program: m.Program, e: m.Expr | None, stored: Callable[[int], frozenset[str] | None] = lambda slot: None
) -> frozenset[str] | None:
    """The zones in which each piece lies that an expression may be or hold; None if it may lie anywhere.

    It looks into queries, which never call each other in a circle, but not where values that were stored come from:
    `stored` says that of a slot.
    """
    queries = {query.name: query.body for query in program.queries}

    def zones(e: m.Expr) -> frozenset[str] | None:
        match e:
            case m.ZoneGet(zone) | m.ZoneList(zone) | m.Top(zone):
                return frozenset({zone})
            case m.Local(slot):
                return stored(slot)
            case m.Const(0 | m.NONE):
                return frozenset()
            case m.MakeSet(items) | m.MakeList(items):
                return _united([zones(item) for item in items])
            case m.SetOp("union", left, right):
                return _united([zones(left), zones(right)])
            case m.SetOp("inter", left, right):
                one, other = zones(left), zones(right)
                return other if one is None else one if other is None else one & other
            case m.SetOp("minus", left, _):
                return zones(left)
            case m.IfElse(_, then, otherwise):
                return _united([zones(then), zones(otherwise)])
            case m.LetIn(body=body):
                return zones(body)
            case m.First(of) | m.Single(of) | m.ToSet(of) | m.ToList(of) | m.Lowest(of) | m.Charged(of=of):
                return zones(of)
            case m.Filter(source) | m.Leading(source) | m.Best(source) | m.Sort(source):
                return zones(source)
            case m.CallQuery(query):
                return zones(queries[query])
            case _:
                return None

    return None if e is None else zones(e)


def _united(each: list[frozenset[str] | None]) -> frozenset[str] | None:
    known = [one for one in each if one is not None]
    return frozenset().union(*known) if len(known) == len(each) else None
