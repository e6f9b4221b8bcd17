"""The nodes in the instructions of a function, found once for all analyses that look through them."""

from __future__ import annotations

from rulewright.foundation.node_memo import memoized_by_node
from rulewright.ir import model as m
from rulewright.ir.walk import nodes


@memoized_by_node
def code_nodes(function: m.Function) -> tuple[tuple[object, ...], ...]:
    """For each instruction of a function itself and every node below it."""
    return tuple(tuple(nodes(i)) for i in function.code)
