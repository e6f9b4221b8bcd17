"""Fields of a class of tree nodes that can hold other nodes: found once for each class, not at each node."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import fields, is_dataclass
from functools import cache

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
"""The same, and None for a class that is no dataclass."""


def _holds(annotation: str) -> bool:
    """True if a field with this annotation can hold a node; words, numbers and truths cannot."""
    words = "".join(c if c.isalnum() or c in "_." else " " for c in annotation if c not in "'\"").split()
    return "Literal" not in words and not set(words) <= _PLAIN
