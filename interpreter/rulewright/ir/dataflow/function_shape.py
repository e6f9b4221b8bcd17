"""The shape of a function: its code without the numbers in it.

Games of one ruleset differ in numbers above all, for parameters are constants of a program. What an analysis of flow
finds out does not depend on them, so it is the same for all games whose functions have the same shapes.
"""

from __future__ import annotations

from hashlib import blake2b

from rulewright.ir import model as m
from rulewright.ir.walk import field_names, nodes
from rulewright.node_memo import memoized_by_node
from rulewright.tree_fields import below


@memoized_by_node
def shape(function: m.Function) -> bytes:
    """A digest of name, sorts of slots and code.

    Of the constants only 0 and none count, and those that say who is asked: others are not looked at.
    """
    who = {id(node) for i in function.code if isinstance(i, m.Choose) for node in nodes(i.who)}
    found: list[object] = [function.name, function.params, [slot.ty.universe for slot in function.slots]]
    stack: list[object] = [function.code]
    while stack:
        top = stack.pop()
        kind = type(top)
        if kind is tuple:
            assert isinstance(top, tuple)
            found.append(len(top))
            stack.extend(reversed(top))
        elif isinstance(top, m.Const):
            found.append((top.value if id(top) in who or top.value in (0, m.NONE) else "",))
        elif isinstance(top, m.ListConst):
            found.append(())
        elif below(kind) is None:
            found.append(top)
        else:
            found.append(kind.__name__)
            stack.extend([getattr(top, name) for name in reversed(field_names(kind))])
    return blake2b(repr(found).encode(), digest_size=20).digest()


__all__ = ["shape"]
