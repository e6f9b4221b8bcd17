"""Digests of parts of a program by their structure, as in hash consing: equal parts have equal digests."""

from __future__ import annotations

from collections.abc import Callable
from hashlib import blake2b

from rulewright.ir import model as m
from rulewright.ir.walk import field_names
from rulewright.tree_fields import below

Constant = m.Const | m.ListConst
Operation = m.Arith | m.Cmp


def structural_digest(
    *parts: object,
    constant: Callable[[Constant], object] | None = None,
    operation: Callable[[Operation], object] | None = None,
) -> bytes:
    """A digest of nodes, tuples of them and plain values.

    `constant` gives what counts of a constant, and `operation` of the operator of an operation, else all does.
    """
    found: list[object] = []
    stack = list(reversed(parts))
    while stack:
        top = stack.pop()
        kind = type(top)
        if kind is tuple:
            assert isinstance(top, tuple)
            found.append(len(top))
            stack.extend(reversed(top))
        elif constant is not None and isinstance(top, Constant):
            found.append((constant(top),))
        elif below(kind) is None:
            found.append(top)
        else:
            found.append(kind.__name__)
            names = field_names(kind)
            if operation is not None and isinstance(top, Operation):
                found.append((operation(top),))
                names = tuple(name for name in names if name != "op")
            stack.extend([getattr(top, name) for name in reversed(names)])
    return blake2b(repr(found).encode(), digest_size=20).digest()


__all__ = ["Constant", "Operation", "structural_digest"]
