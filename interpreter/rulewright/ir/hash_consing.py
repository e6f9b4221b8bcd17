"""Hash consing: digests of parts of a program by their structure, and equal functions as one object."""

from __future__ import annotations

import marshal
from collections.abc import Callable
from dataclasses import replace
from functools import cache
from hashlib import blake2b
from typing import Any
from weakref import WeakValueDictionary

from rulewright.foundation.memo import memoized_by_node
from rulewright.foundation.tree_fields import below, values_of
from rulewright.ir import model as m
from rulewright.ir.walk import field_names

_WITHOUT_REFERENCES = 0
"""The format of `marshal` in which equal values are equal bytes, whichever of them are one object."""

Constant = m.Const | m.ListConst
Operation = m.Arith | m.Cmp


def structural_digest(
    *parts: object,
    constant: Callable[[Constant], object] | None = None,
    operation: Callable[[Operation], object] | None = None,
) -> bytes:
    """A digest of nodes, tuples of them and plain values.

    `constant` gives what counts of a constant, and `operation` of the operator of an operation, else all does.
    """
    found: list[object] = []
    stack: list[Any] = list(reversed(parts))
    fields_of: dict[type, Callable[[Any], tuple[Any, ...]] | None] = {}
    while stack:
        top = stack.pop()
        kind = type(top)
        if kind is str or kind is int:
            found.append(top)
        elif kind is tuple:
            found.append(len(top))
            stack.extend(top[::-1])
        elif constant is not None and isinstance(top, Constant):
            found.append((constant(top),))
        else:
            if kind not in fields_of:
                fields_of[kind] = _fields(kind, operation is not None)
            fields = fields_of[kind]
            if fields is None:
                found.append(top)
                continue
            found.append(kind.__name__)
            if operation is not None and isinstance(top, Operation):
                found.append((operation(top),))
            stack.extend(fields(top))
    return blake2b(marshal.dumps(found, _WITHOUT_REFERENCES), digest_size=20).digest()


def _find_fields(kind: type, without_operator: bool) -> Callable[[Any], tuple[Any, ...]] | None:
    if below(kind) is None:
        return None
    names = [
        name for name in field_names(kind) if not (without_operator and issubclass(kind, Operation) and name == "op")
    ]
    return values_of(names[::-1])


_fields: Callable[[type, bool], Callable[[Any], tuple[Any, ...]] | None] = cache(_find_fields)
"""For a class of nodes what gives the values of all fields of one, the last first; None if it is no such class."""


_known: WeakValueDictionary[bytes, m.Function] = WeakValueDictionary()


def interned(program: m.Program) -> m.Program:
    """An equal program, made of functions that it shares with others."""
    return replace(program, functions=tuple(map(_shared, program.functions)))


def _shared(function: m.Function) -> m.Function:
    """The function made first of all that are equal to this one and still in use."""
    return _known.setdefault(_digest(function), function)


@memoized_by_node
def _digest(function: m.Function) -> bytes:
    """The digest of a function: most come again with each game, as the compiler makes them once."""
    return structural_digest(function)
