"""Declarations that need themselves: queries, limits and areas must not."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from rulewright.compiler.cycles import described, find_cycles
from rulewright.compiler.declaration_facts import calls
from rulewright.compiler.symbols.symbol_table import SymbolTable
from rulewright.diagnostics import Report
from rulewright.ir import model as m
from rulewright.ir.walk import nodes
from rulewright.syntax import ast


def asked_by(decl: ast.Query | ast.Value) -> tuple[str, ...]:
    """The names that a query calls, without its own if it says how often it asks itself."""
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


__all__ = ["asked_by", "report_area_cycles", "report_limit_cycles", "report_query_cycles"]
