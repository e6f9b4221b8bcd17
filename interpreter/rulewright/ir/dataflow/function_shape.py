"""The shape of a function: its code without the numbers in it.

Games of one ruleset differ in numbers above all, for parameters are constants of a program. What an analysis of flow
finds out does not depend on them, so it is the same for all games whose functions have the same shapes.
"""

from __future__ import annotations

from rulewright.ir import model as m
from rulewright.ir.structural_digest import Constant, structural_digest
from rulewright.ir.walk import nodes
from rulewright.node_memo import memoized_by_node


@memoized_by_node
def shape(function: m.Function) -> bytes:
    """A digest of name, sorts of slots and code.

    Of the constants only 0 and none count, and those that say who is asked: others are not looked at.
    """
    asked = {id(node) for i in function.code if isinstance(i, m.Choose) for node in nodes(i.who)}

    def counts(constant: Constant) -> object:
        if isinstance(constant, m.ListConst):
            return ""
        return constant.value if id(constant) in asked or constant.value in (0, m.NONE) else ""

    slots = tuple(slot.ty.universe for slot in function.slots)
    return structural_digest(function.name, function.params, slots, function.code, constant=counts)


__all__ = ["shape"]
