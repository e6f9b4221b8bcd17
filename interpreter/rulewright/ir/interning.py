"""Equal functions as one object, as in hash consing.

Games of one ruleset are compiled one by one, and most of their functions are equal: numbers of players and options
change few. Analyses keep what they find with the function, by identity, so that functions which are one object are
analysed once. To find equal ones takes a while, so only programs that are run are worth it.
"""

from __future__ import annotations

from dataclasses import replace
from hashlib import blake2b
from weakref import WeakValueDictionary

from rulewright.ir import model as m
from rulewright.ir.walk import field_names
from rulewright.tree_fields import below

_known: WeakValueDictionary[bytes, m.Function] = WeakValueDictionary()


def interned(program: m.Program) -> m.Program:
    """The same program, made of functions that it shares with others."""
    return replace(program, functions=tuple(map(_shared, program.functions)))


def _shared(function: m.Function) -> m.Function:
    """The function made first of all that are equal to this one and still in use."""
    return _known.setdefault(_digest(function), function)


def _digest(function: m.Function) -> bytes:
    """A digest of all that is in a function."""
    found: list[object] = []
    stack: list[object] = [function]
    while stack:
        top = stack.pop()
        kind = type(top)
        if kind is tuple:
            assert isinstance(top, tuple)
            found.append(len(top))
            stack.extend(reversed(top))
        elif below(kind) is None:
            found.append(top)
        else:
            found.append(kind.__name__)
            stack.extend([getattr(top, name) for name in reversed(field_names(kind))])
    return blake2b(repr(found).encode(), digest_size=20).digest()


__all__ = ["interned"]
