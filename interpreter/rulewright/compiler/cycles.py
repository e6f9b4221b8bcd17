"""Cycles of declarations: topological order of what names each other, and findings for queries, limits and areas that
need themselves."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from itertools import chain

from rulewright.compiler.declaration_facts import calls
from rulewright.compiler.symbols.symbol_table import SymbolTable
from rulewright.diagnostics import Report
from rulewright.ir import model as m
from rulewright.ir.control_flow.graph_algorithms import components
from rulewright.ir.walk import nodes
from rulewright.syntax import ast


def find_cycles(uses: Mapping[str, Sequence[str]]) -> list[list[str]]:
    """Cycles of names that use each other, each written from its first name to its last; each is reported once."""
    found: list[list[str]] = []
    done: set[str] = set()
    for start in uses:
        if start in done:
            continue
        path = [start]
        rest = [iter(uses[start])]
        while path:
            following = next(rest[-1], None)
            if following is None:
                done.add(path.pop())
                rest.pop()
            elif following in path:
                found.append(path[path.index(following) :])
            elif following in uses and following not in done:
                path.append(following)
                rest.append(iter(uses[following]))
    return found


def topological_order(uses: Mapping[str, Sequence[str]]) -> list[str]:
    """All names, each after those that it uses (but for cycles)."""
    known = {name: [other for other in used if other in uses] for name, used in uses.items()}
    return list(chain.from_iterable(components(known)))


def described(cycle: Sequence[str], verb: str) -> str:
    """```a` needs `b` needs `a```."""
    return f" {verb} ".join(f"`{name}`" for name in [*cycle, cycle[0]])


def asked_by(decl: ast.Query | ast.Value) -> tuple[str, ...]:
    """The names that a query calls, without its own if its recursion is bounded."""
    bounded = isinstance(decl, ast.Query) and decl.at_most is not None
    return tuple(name for name in calls(decl) if not (bounded and name == decl.name))


def report_query_cycles(asks: Mapping[str, tuple[str, ...]], world: SymbolTable, report: Report) -> frozenset[str]:
    """Report queries that ask each other in a cycle; return their names."""
    found: set[str] = set()
    for circle in find_cycles(asks):
        found |= set(circle)
        way = described(circle, "asks")
        span = world.query_decls[circle[-1]].span
        itself = world.query_decls[circle[0]]
        alone = len(circle) == 1 and isinstance(itself, ast.Query)
        hint = f"say how often: `query {itself.name}(…) -> Type, at most 8 times`" if alone else ""
        report.error("REF008", f"queries must not ask each other in a cycle: {way}", span, hint=hint)
    return frozenset(found)


def report_limit_cycles(limits: Iterable[ast.Limits], report: Report) -> None:
    """Report limits that obey themselves."""
    clauses: dict[tuple[str, str], ast.Obey] = {}
    uses: dict[str, list[str]] = {}
    for decl in limits:
        for obey in (r for r in decl.restrictions if isinstance(r, ast.Obey)):
            if isinstance(obey.call, ast.Call) and isinstance(obey.call.operand, ast.Name):
                uses.setdefault(decl.name, []).append(obey.call.operand.name)
                clauses.setdefault((decl.name, obey.call.operand.name), obey)
    for circle in find_cycles(uses):
        way = described(circle, "obeys")
        report.error("REF008", f"limits must not obey themselves: {way}", clauses[circle[-1], circle[0]].span)


def report_area_cycles(
    areas: Iterable[m.AreaMap], queries: Mapping[str, m.QueryDef], world: SymbolTable, report: Report
) -> None:
    """Report areas that ask for themselves to know where they end."""
    bodies: dict[str, m.Expr] = {f"area {a.name}": a.across for a in areas}
    if not bodies:
        return
    bodies |= {name: query.body for name, query in queries.items()}
    uses = {
        name: [
            n.query if isinstance(n, m.CallQuery) else f"area {n.area}"
            for n in nodes(body)
            if isinstance(n, (m.CallQuery, m.Component))
        ]
        for name, body in bodies.items()
    }
    for circle in find_cycles(uses):
        area = next((n.removeprefix("area ") for n in circle if n.startswith("area ")), None)
        if area is not None:
            way = described([n.removeprefix("area ") for n in circle], "asks")
            report.error("REF008", f"an area must not depend on itself: {way}", world.areas[area].span)
