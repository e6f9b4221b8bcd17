"""The call graph: the functions of a program, and which of them call which."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import count

from rulewright.ir import model as m
from rulewright.ir.dataflow.digraphs import components
from rulewright.node_memo import memoized_by_node

Functions = frozenset[int]
"""Serial numbers of functions: equal sets mean the very same functions, whatever programs they stand in."""

_next = count()


@memoized_by_node
def serial(function: m.Function) -> int:
    """A number that no other function of this process has."""
    return next(_next)


@memoized_by_node
def callees(function: m.Function) -> tuple[str, ...]:
    """The functions that a function calls, each once."""
    return tuple(dict.fromkeys(i.function for i in function.code if isinstance(i, m.Call)))


class CallGraph:
    """The functions of a program by what they call."""

    def __init__(self, functions: Iterable[m.Function]) -> None:
        known = {f.name: f for f in functions}
        self._closures: dict[str, Functions] = {}
        self._cycles: dict[str, frozenset[str]] = {}
        for component in map(frozenset, components({f.name: callees(f) for f in known.values()})):
            # What is called comes before its callers.
            closure = {serial(known[name]) for name in component}
            for name in component:
                closure.update(*(self._closures[c] for c in callees(known[name]) if c not in component))
            for name in component:
                self._closures[name] = frozenset(closure)
                if len(component) > 1 or name in callees(known[name]):
                    self._cycles[name] = component

    def closure(self, name: str) -> Functions:
        """A function with all that it calls, directly or not."""
        return self._closures[name]

    def cycle(self, name: str) -> frozenset[str] | None:
        """The functions that call one another in a cycle with this one; None if it stands in none."""
        return self._cycles.get(name)
