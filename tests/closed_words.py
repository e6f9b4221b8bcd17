"""The closed sets of words of a language or program: the fields of its nodes whose type is a literal.

Generators draw from them, and tests count them, so that a word which is added is drawn and counted by itself.
"""

from __future__ import annotations

import sys
from collections.abc import Iterable
from dataclasses import fields
from types import NoneType, UnionType
from typing import Any, Literal, Union, get_args, get_origin


def words_of(kind: type, field: str) -> tuple[Any, ...]:
    """The words that a field of a node can be, in the order of its type; nothing if it is no literal."""
    written = next(f.type for f in fields(kind) if f.name == field)
    try:
        hint = eval(written, vars(sys.modules[kind.__module__])) if isinstance(written, str) else written
    except NameError:  # a type that is there for mypy only: of nodes
        return ()
    return tuple(dict.fromkeys(_words(hint)))


def _words(hint: Any) -> Iterable[Any]:
    if get_origin(hint) is Literal:
        yield from get_args(hint)
    elif get_origin(hint) in (Union, UnionType) and any(get_origin(part) is Literal for part in get_args(hint)):
        for part in get_args(hint):
            yield from (None,) if part is NoneType else _words(part)


def closed_words(kinds: Iterable[type]) -> set[tuple[str, str, Any]]:
    """All words of some classes of nodes, each with its class and field."""
    return {
        (kind.__name__, field.name, word)
        for kind in kinds
        for field in fields(kind)
        if len(found := words_of(kind, field.name)) > 1
        for word in found
    }


def used_words(nodes: Iterable[object], wanted: set[tuple[str, str, Any]]) -> set[tuple[str, str, Any]]:
    """Those of them that some nodes use."""
    by_class: dict[str, set[str]] = {}
    for kind, field, _ in wanted:
        by_class.setdefault(kind, set()).add(field)
    return {
        (name, field, getattr(node, field))
        for node in nodes
        for name in (type(node).__name__,)
        for field in by_class.get(name, ())
    } & wanted
