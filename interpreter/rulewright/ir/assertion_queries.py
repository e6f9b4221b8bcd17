"""Assertions as queries without parameters, for a backend that asks them while it plays."""

from __future__ import annotations

from dataclasses import replace

from rulewright.ir import model as m
from rulewright.ir.walk import nodes
from rulewright.lazy_dataclass import dataclass


@dataclass(frozen=True, slots=True)
class AssertionQueries:
    """A program in which each invariant and property is a query, too, and the names of these queries."""

    program: m.Program
    invariants: tuple[str, ...]
    always: tuple[str, ...]
    """The properties that compare a state with the one before."""
    blocks: dict[str, tuple[str, ...]]
    """For each block the properties that compare its end with its begin."""


def assertion_queries(program: m.Program) -> AssertionQueries:
    """The invariants and properties of a program as queries."""
    queries: list[m.QueryDef] = []
    invariants, always = [], []
    blocks: dict[str, tuple[str, ...]] = {}
    for assertion in program.assertions:
        name = f"{assertion.word} {assertion.name}"
        if assertion.word == "invariant":
            invariants.append(name)
        elif assertion.word == "witness":
            continue
        elif assertion.after is None:
            always.append(name)
        else:
            blocks[assertion.after] = (*blocks.get(assertion.after, ()), name)
        queries.append(m.QueryDef(name, (), m.BOOL, whole(assertion)))
    asked = replace(program, queries=(*program.queries, *queries))
    return AssertionQueries(asked, tuple(invariants), tuple(always), blocks)


def whole(assertion: m.Assertion) -> m.Expr:
    """An assertion for all of its members."""
    if assertion.var is None or assertion.source is None:
        return assertion.condition
    return m.Fold("every", (m.Bound(assertion.var, assertion.source),), None, assertion.condition)


def compares(e: m.Expr) -> bool:
    """True if an expression is about what has changed: then a single state says nothing about it."""
    return any(isinstance(node, m.Old) for node in nodes(e))
