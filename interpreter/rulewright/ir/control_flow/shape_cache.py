"""Results of analyses that games of one ruleset have in common, because they differ in numbers only."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Hashable
from typing import Generic, TypeVar

T = TypeVar("T")

KEPT = 64
"""The number of sorts of games of which a result is kept, those asked last."""


class ShapeCache(Generic[T]):
    """Results by all that decides upon them."""

    def __init__(self) -> None:
        self._kept: OrderedDict[Hashable, T] = OrderedDict()

    def get(self, kind: Hashable, find: Callable[[], T]) -> T:
        """The result for a sort of games, found once."""
        if kind in self._kept:
            self._kept.move_to_end(kind)
            return self._kept[kind]
        found = self._kept[kind] = find()
        if len(self._kept) > KEPT:
            self._kept.popitem(last=False)
        return found


__all__ = ["ShapeCache"]
