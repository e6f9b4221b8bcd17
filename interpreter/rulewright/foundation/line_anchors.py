"""Lines at which declarations stand now, and which facts have asked for it.

While somebody edits a file, most declarations stay what they are and come to stand on other lines. So the nodes of a
declaration count their lines from an *anchor*, and only the anchor moves: they stay the same nodes, and so does all
that is known of them (spans relative to a stable anchor, as in rust-analyzer; trees without absolute positions, as the
green trees of Roslyn).

A fact that has looked at an absolute line, to write it in a message for instance, holds as long as the anchor is there.
So whoever remembers a fact lets :func:`watched` tell which anchors have been asked while it was found, and asks
:func:`unmoved` before it is used again. Nobody has to declare on what a fact depends.
"""

from __future__ import annotations

from collections.abc import Callable
from contextvars import ContextVar
from typing import TypeVar, TypeVarTuple

A = TypeVarTuple("A")
T = TypeVar("T")


class Anchor:
    """The number of lines above a declaration."""

    __slots__ = ("_line",)

    def __init__(self, line: int) -> None:
        self._line = line

    @property
    def line(self) -> int:
        """The number as it is now; who asks depends on it."""
        seen = _seen.get()
        if seen is not None:
            seen[self] = self._line
        return self._line

    def move(self, line: int) -> None:
        """From here on the declaration stands elsewhere."""
        self._line = line

    def is_at(self, line: int) -> bool:
        """True if the number is what it was."""
        return self._line == line


Places = dict[Anchor, int]
"""Anchors, and where they were when they were asked."""

_seen: ContextVar[Places | None] = ContextVar("seen", default=None)


def watched(find: Callable[[*A], T], *about: *A) -> tuple[T, Places | None]:
    """The result of a function, and the anchors that were asked on the way."""
    outer = _seen.get()
    places: Places = {}
    token = _seen.set(places)
    try:
        found = find(*about)
    finally:
        _seen.reset(token)
    if not places:
        return found, None
    if outer is not None:
        outer.update(places)
    return found, places


def unmoved(places: Places | None) -> bool:
    """True if these anchors are where they were; whoever asks for that depends on it."""
    if places is None:
        return True
    for anchor, line in places.items():
        if not anchor.is_at(line):
            return False
    seen = _seen.get()
    if seen is not None:
        seen.update(places)
    return True


def unwatched(find: Callable[[*A], T], *about: *A) -> T:
    """The result of a function, where whoever asks compares the answer itself each time."""
    token = _seen.set(None)
    try:
        return find(*about)
    finally:
        _seen.reset(token)
