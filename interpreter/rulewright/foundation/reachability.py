"""Search in directed graphs."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator
from typing import TypeVar

N = TypeVar("N", bound=Hashable)


def reachable(starts: Iterable[N], after: Callable[[N], Iterable[N]]) -> Iterator[N]:
    """The nodes to which paths lead from some, these included: breadth first, each once, while the search goes on."""
    waiting = list(dict.fromkeys(starts))
    found = set(waiting)
    for node in waiting:
        yield node
        for to in after(node):
            if to not in found:
                found.add(to)
                waiting.append(to)
