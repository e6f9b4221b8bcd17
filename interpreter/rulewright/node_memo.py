"""Facts about tree nodes that are found out once for each node, however many games ask for them.

Trees never change, and an overlay shares with the rules beneath it every declaration that it leaves alone. So a fact
that depends on nothing but a node belongs to the node, by identity: comparing trees would cost more than most facts.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import TypeVar, cast
from weakref import ref

N = TypeVar("N")
T = TypeVar("T")


def memoized_by_node(find: Callable[[N], T]) -> Callable[[N], T]:
    """The same function, which keeps its answer for each node as long as the node lives.

    The answer must not hold the node itself: it would live for ever.
    """
    known: dict[int, tuple[ref[N], T]] = {}

    @wraps(find)
    def ask(node: N) -> T:
        key = id(node)
        held = known.get(key)
        if held is not None and held[0]() is node:
            return held[1]
        found = find(node)
        known[key] = ref(node, lambda _: known.pop(key, None)), found
        return found

    return ask


C = TypeVar("C")
_made: dict[tuple[int, int], tuple[ref[object], ref[object], object]] = {}


def made_once(made: C, first: object, second: object) -> C:
    """The node that was made of two others before, so that it stays the same; else `made`, which is made of them now.

    It must follow from these two alone, and must not hold either of them itself.
    """
    if made is first or made is second:
        return made
    key = id(first), id(second)
    held = _made.get(key)
    if held is not None and held[0]() is first and held[1]() is second:
        return cast(C, held[2])

    def forget(_: object) -> None:
        _made.pop(key, None)

    _made[key] = ref(first, forget), ref(second, forget), made
    return made


__all__ = ["made_once", "memoized_by_node"]
