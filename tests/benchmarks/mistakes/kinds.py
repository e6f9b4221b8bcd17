"""The kinds of mistakes: each has a name, a sentence, and a function that finds every place where it could be made."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from mistakes.book import Book, Mistake

Find = Callable[[Book], Iterator[Mistake]]


@dataclass(frozen=True)
class Kind:
    """A kind of mistake."""

    name: str
    topic: str
    why: str
    """The reason why a tool that does not play the game can find it, or why it cannot."""
    find: Find


KINDS: dict[str, Kind] = {}
"""All kinds, by name, in the order of topics."""


def kind(name: str, why: str) -> Callable[[Find], Find]:
    """Make a function a kind of mistake."""

    def note(find: Find) -> Find:
        assert name not in KINDS, f"the kind {name} occurs twice"
        KINDS[name] = Kind(name, find.__module__.rpartition(".")[2], why, find)
        return find

    return note
