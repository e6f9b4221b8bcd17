"""Equal functions as one object, as in hash consing.

Games of one ruleset are compiled one by one, and most of their functions are equal: numbers of players and options
change few. Analyses keep what they find with the function, by identity, so that functions which are one object are
analysed once. To find equal ones takes a while, so only programs that are run are worth it.
"""

from __future__ import annotations

from dataclasses import replace
from weakref import WeakValueDictionary

from rulewright.foundation.node_memo import memoized_by_node
from rulewright.ir import model as m
from rulewright.ir.structural_digest import structural_digest

_known: WeakValueDictionary[bytes, m.Function] = WeakValueDictionary()


def interned(program: m.Program) -> m.Program:
    """The same program, made of functions that it shares with others."""
    return replace(program, functions=tuple(map(_shared, program.functions)))


def _shared(function: m.Function) -> m.Function:
    """The function made first of all that are equal to this one and still in use."""
    return _known.setdefault(_digest(function), function)


@memoized_by_node
def _digest(function: m.Function) -> bytes:
    """The digest of a function: most come again with each game, as the compiler makes them once."""
    return structural_digest(function)


__all__ = ["interned"]
