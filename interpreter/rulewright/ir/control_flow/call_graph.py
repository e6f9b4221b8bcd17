"""The call graph: the functions of a program, and which of them call which."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable
from functools import lru_cache

from rulewright.foundation.node_memo import memoized_by_node
from rulewright.ir import model as m
from rulewright.ir.control_flow.digraphs import components

Functions = frozenset[Hashable]
"""Functions, each by something that stands for it."""


@memoized_by_node
def callees(function: m.Function) -> tuple[str, ...]:
    """The functions that a function calls, each once."""
    return tuple(dict.fromkeys(i.function for i in function.code if isinstance(i, m.Call)))


@lru_cache(maxsize=64)
def _components(calls: tuple[tuple[str, tuple[str, ...]], ...]) -> tuple[frozenset[str], ...]:
    return tuple(map(frozenset, components(dict(calls))))


class CallGraph:
    """The functions of a program by what they call."""

    def __init__(self, functions: Iterable[m.Function]) -> None:
        self._functions = {f.name: f for f in functions}
        self._components = _components(tuple((name, callees(f)) for name, f in self._functions.items()))
        """The functions that call one another, those that they call before them."""
        self._cycles: dict[str, frozenset[str]] = {}
        for component in self._components:
            for name in component:
                if len(component) > 1 or name in callees(self._functions[name]):
                    self._cycles[name] = component

    def callees_first(self) -> list[str]:
        """All functions, those that one calls before it, unless they stand in a cycle with it."""
        return [name for component in self._components for name in sorted(component)]

    def closures(self, mark: Callable[[m.Function], Hashable]) -> dict[str, Functions]:
        """Each function with all that it calls, directly or not; `mark` says what stands for one."""
        found: dict[str, Functions] = {}
        for component in self._components:
            inside = [self._functions[name] for name in component]
            below = {called for function in inside for called in callees(function)} - component
            closure = frozenset(map(mark, inside)).union(*(found[name] for name in below))
            found.update(dict.fromkeys(component, closure))
        return found

    def cycle(self, name: str) -> frozenset[str] | None:
        """The functions that call one another in a cycle with this one; None if it stands in none."""
        return self._cycles.get(name)
