"""All that the expressions and instructions of a function look at, found once for all programs it is part of."""

from __future__ import annotations

from typing import Any, TypeVar, overload

from rulewright.foundation.lazy_dataclass import dataclass
from rulewright.foundation.node_memo import memoized_by_node
from rulewright.ir import model as m
from rulewright.ir.dataflow.effects import OwnReads, own_reads
from rulewright.ir.walk import nodes

A = TypeVar("A")
B = TypeVar("B")

Names = frozenset[str]


@dataclass(frozen=True, slots=True)
class ExpressionReads:
    """All that an expression itself looks at: the same in every program."""

    slots: tuple[int, ...]
    reads: OwnReads
    counted: Names
    """Zones of which it asks nothing but how many lie there."""
    uncounted: Names
    """Zones of which it asks more than that."""


@memoized_by_node
def known_reads(function: m.Function) -> dict[int, ExpressionReads]:
    """All that the expressions of a function look at, by identity; each is looked at when it is asked for."""
    return {}


@overload
def instructions_of(function: m.Function, kinds: tuple[type[A]]) -> tuple[tuple[int, A], ...]: ...


@overload
def instructions_of(function: m.Function, kinds: tuple[type[A], type[B]]) -> tuple[tuple[int, A | B], ...]: ...


@overload
def instructions_of(
    function: m.Function, kinds: tuple[type, type, type, *tuple[type, ...]]
) -> tuple[tuple[int, m.Instr], ...]: ...


def instructions_of(function: m.Function, kinds: tuple[type, ...]) -> tuple[tuple[int, Any], ...]:
    """The instructions of some kinds, with their numbers."""
    known = _sorted_out(function)
    found = known.get(kinds)
    if found is None:
        found = known[kinds] = tuple((pc, i) for pc, i in enumerate(function.code) if isinstance(i, kinds))
    return found


@memoized_by_node
def _sorted_out(function: m.Function) -> dict[tuple[type, ...], tuple[tuple[int, m.Instr], ...]]:
    """Instructions of a function by their kinds, as they are asked for."""
    return {}


def expression_reads(e: m.Expr) -> ExpressionReads:
    """All that an expression looks at."""
    inside = list(nodes(e))
    counted = {id(node.of) for node in inside if isinstance(node, m.Size)}
    counted |= {id(node.left) for node in inside if isinstance(node, m.SetEq) and node.right == m.Const(0)}
    zones = [node for node in inside if isinstance(node, m.ZoneGet | m.ZoneList | m.Top)]
    return ExpressionReads(
        tuple(dict.fromkeys(node.slot for node in inside if isinstance(node, m.Local))),
        own_reads(e),
        frozenset(f"zone {z.zone}" for z in zones if id(z) in counted),
        frozenset(f"zone {z.zone}" for z in zones if id(z) not in counted),
    )


__all__ = ["ExpressionReads", "expression_reads", "known_reads", "instructions_of"]
