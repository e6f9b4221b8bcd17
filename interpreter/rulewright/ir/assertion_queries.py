"""Assertions as queries without parameters, for a backend that asks them while it plays."""

from __future__ import annotations

from dataclasses import replace

from rulewright.foundation.lazy_dataclass import dataclass
from rulewright.ir import model as m
from rulewright.ir.walk import nodes, queries_asked

_LOOPS = m.Fold | m.Filter | m.Collect | m.Best


@dataclass(frozen=True, slots=True)
class AssertionQueries:
    """A program in which each invariant and property is a query, too, and the names of these queries."""

    program: m.Program
    invariants: tuple[str, ...]
    always: tuple[str, ...]
    """The properties that compare a state with the one before."""
    blocks: dict[str, tuple[str, ...]]
    """For each block the properties that compare its end with its begin."""
    witnesses: tuple[str, ...]
    shared: tuple[str, ...]
    """The queries that assertions ask and that look through sets, for few arguments: worth keeping between them."""


def assertion_queries(program: m.Program) -> AssertionQueries:
    """The invariants and properties of a program as queries."""
    queries: list[m.QueryDef] = []
    invariants, always, witnesses = [], [], []
    blocks: dict[str, tuple[str, ...]] = {}
    for assertion in program.assertions:
        name = f"{assertion.word} {assertion.name}"
        if assertion.word == "invariant":
            invariants.append(name)
        elif assertion.word == "witness":
            witnesses.append(name)
        elif assertion.after is None:
            always.append(name)
        else:
            blocks[assertion.after] = (*blocks.get(assertion.after, ()), name)
        queries.append(m.QueryDef(name, (), m.BOOL, whole(assertion)))
    extended = replace(program, queries=(*program.queries, *queries))
    return AssertionQueries(
        extended, tuple(invariants), tuple(always), blocks, tuple(witnesses), _shared(program, queries)
    )


def _shared(program: m.Program, assertions: list[m.QueryDef]) -> tuple[str, ...]:
    known = {query.name: query for query in program.queries}
    queries = queries_asked(known, tuple(assertions)).values()
    return tuple(q.name for q in queries if _has_few(q) and any(isinstance(n, _LOOPS) for n in nodes(q.body)))


def _has_few(query: m.QueryDef) -> bool:
    return len(query.params) <= 1 and all(slot.ty.kind == "entity" for slot in query.params)


def whole(assertion: m.Assertion) -> m.Expr:
    """An assertion for all of its members; of a witness, for any."""
    if assertion.var is None or assertion.source is None:
        return assertion.condition
    binds = (m.Bound(assertion.var, assertion.source), *assertion.inner)
    if assertion.word == "witness":
        return m.Fold("some", binds, assertion.condition, None)
    return m.Fold("every", binds, None, assertion.condition)


def compares(e: m.Expr) -> bool:
    """True if an expression is about what has changed: then a single state does not decide it."""
    return any(isinstance(node, m.Old) for node in nodes(e))
