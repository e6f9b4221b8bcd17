"""Facts about tree nodes that are found out once for each node, however many games ask for them.

Trees never change, and an overlay shares with the rules beneath it every declaration that it leaves alone. So a fact
that depends on nothing but a node belongs to the node, by identity: comparing trees would cost more than most facts.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import TypeVar, cast
from weakref import ref

from rulewright.foundation.line_anchors import Places, unmoved, watched

N = TypeVar("N")
T = TypeVar("T")


def memoized_by_node(find: Callable[[N], T]) -> Callable[[N], T]:
    """The same function, which keeps its answer for each node as long as the node lives.

    The answer must not hold the node itself: it would live for ever. If it has asked on which line something stands, it
    is found again when that has moved.
    """
    known: dict[int, tuple[ref[N], T, Places | None]] = {}

    @wraps(find)
    def ask(node: N) -> T:
        key = id(node)
        held = known.get(key)
        if held is not None and held[0]() is node and (held[2] is None or unmoved(held[2])):
            return held[1]
        found, places = watched(find, node)
        known[key] = ref(node, lambda _: known.pop(key, None)), found, places
        return found

    return ask


_Made = dict[tuple[int, ...], tuple[tuple[ref[object], ...], object]]
_made: _Made = {}


def made_once(make: Callable[[], T], *nodes: object) -> T:
    """The thing that is made of some nodes, by identity: the same as long as all of them live.

    It must follow from them alone, not from the lines on which they stand, and must not hold any of them.
    """
    key = tuple(map(id, nodes))
    held = _made.get(key)
    if held is not None and all(one() is node for one, node in zip(held[0], nodes, strict=True)):
        return cast(T, held[1])
    made = make()
    if not any(made is node for node in nodes):

        def forget(_: object, known: _Made = _made) -> None:  # at the end of the program the name may be gone
            known.pop(key, None)

        _made[key] = tuple(ref(node, forget) for node in nodes), made
    return made


__all__ = ["made_once", "memoized_by_node"]
