"""Cells and stacks that note which of their places are read: all that an answer found with them depends on."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any


class RecordedReads(list[int]):
    """Numbers as a list, and the places that were read since it was made."""

    def __init__(self, numbers: Iterable[int]) -> None:
        super().__init__(numbers)
        self.read: set[int] = set()
        """The places that were read, from 0."""

    def __getitem__(self, place: Any) -> Any:
        if isinstance(place, slice):
            self.read.update(range(*place.indices(len(self))))
        else:
            self.read.add(place if place >= 0 else place + len(self))
        return super().__getitem__(place)

    def differ(self, others: list[int]) -> bool:
        """True if a place that was read holds something else in another list."""
        plain = super().__getitem__
        return any(place >= len(others) or plain(place) != others[place] for place in self.read)


def _reading_all(name: str) -> Callable[..., Any]:
    """A method of lists that reads every place."""
    plain = getattr(list, name)

    def method(self: RecordedReads, *args: Any) -> Any:
        self.read.update(range(len(self)))
        return plain(self, *args)

    return method


for _name in ("__iter__", "__reversed__", "__contains__", "__eq__", "__ne__", "__add__", "copy", "count", "index"):
    setattr(RecordedReads, _name, _reading_all(_name))
