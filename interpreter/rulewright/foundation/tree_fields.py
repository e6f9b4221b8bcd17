"""Fields of a class of tree nodes that can hold other nodes: found once for each class, not at each node."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import fields, is_dataclass
from functools import cache
from operator import attrgetter
from typing import Any

_PLAIN = {"str", "int", "bool", "None", "tuple", "..."}
_ASIDE = ("span", "trivia")
"""Fields around a node of a syntax tree that are not below it."""


def _find(kind: type) -> tuple[str, ...]:
    return tuple(f.name for f in reversed(fields(kind)) if f.name not in _ASIDE and _holds(str(f.type)))


def _find_below(kind: type) -> tuple[str, ...] | None:
    return node_fields(kind) if is_dataclass(kind) else None


node_fields: Callable[[type], tuple[str, ...]] = cache(_find)
"""The fields of a dataclass in which nodes can stand, the last first: what a stack needs."""
below: Callable[[type], tuple[str, ...] | None] = cache(_find_below)
"""The fields below a class, memoized; None for a class that is no dataclass."""


def values_of(names: Sequence[str]) -> Callable[[Any], tuple[Any, ...]]:
    """The values of some attributes of an object, got by one call."""
    if len(names) > 1:
        return attrgetter(*names)
    if not names:
        return lambda _: ()
    only = attrgetter(*names)
    return lambda node: (only(node),)


class _Held(dict[type, "Callable[[Any], tuple[Any, ...]] | None"]):
    """For each class what is held by the fields of a node in which nodes can stand; None if it is no class of nodes."""

    def __missing__(self, kind: type) -> Callable[[Any], tuple[Any, ...]] | None:
        names = below(kind)
        found = self[kind] = None if names is None else values_of(names)
        return found


_held = _Held()


def nodes(node: object) -> Iterator[Any]:
    """Every node at and below `node`, also in tuples, in the order of the fields."""
    stack = [node]
    pop, extend = stack.pop, stack.extend
    while stack:
        top = pop()
        kind = type(top)
        if kind is tuple:
            extend(top[::-1])  # type: ignore[index]
            continue
        held = _held[kind]
        if held is not None:
            yield top
            extend(held(top))


def _holds(annotation: str) -> bool:
    """True if a field with this annotation can hold a node; words, numbers and truths cannot."""
    words = "".join(c if c.isalnum() or c in "_." else " " for c in annotation if c not in "'\"").split()
    return "Literal" not in words and not set(words) <= _PLAIN
