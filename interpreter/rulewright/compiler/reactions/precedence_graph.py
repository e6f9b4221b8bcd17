"""The order of reactions that ``precedence`` declares: a graph of names, which must have no cycle."""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence

from rulewright.diagnostics import Report
from rulewright.syntax import ast


class PrecedenceGraph:
    """An edge from each name to those that come right behind it; what comes before what is whatever is reached."""

    def __init__(self) -> None:
        self._behind: dict[str, list[str]] = {}

    def before(self, a: str, b: str) -> bool:
        """True if `a` comes before `b`, directly or through others."""
        return a != b and bool(self._way(a, b))

    def add(self, a: str, b: str) -> list[str]:
        """Let `a` come before `b`. If that would close a cycle nothing is added, and the cycle is given instead, the
        shortest there is, from `a` on."""
        if way := self._way(b, a):
            return [a, *way[:-1]]
        self._behind.setdefault(a, []).append(b)
        return []

    def _way(self, start: str, end: str) -> list[str]:
        """The shortest way from one to another, both included; empty if there is none."""
        came_from: dict[str, str] = {start: start}
        todo = deque([start])
        while todo and end not in came_from:
            here = todo.popleft()
            for following in self._behind.get(here, ()):
                if following not in came_from:
                    came_from[following] = here
                    todo.append(following)
        if end not in came_from:
            return []
        way = [end]
        while way[-1] != start:
            way.append(came_from[way[-1]])
        return way[::-1]


def ordered(declared: Sequence[ast.Precedence], report: Report) -> PrecedenceGraph:
    """The graph of some declarations; what contradicts those before it is reported and left out."""
    graph = PrecedenceGraph()
    for order in declared:
        told = False
        for a, b in zip(order.names, order.names[1:], strict=False):
            cycle = graph.add(a, b)
            if cycle and not told:
                told = True
                report.error("TRG304", _told(cycle), order.span, hint="leave out one of these orders")
    return graph


def _told(cycle: Sequence[str]) -> str:
    """```one` comes before `two`, `two` before `three`, `three` before `one```."""
    if len(cycle) == 1:
        return f"`{cycle[0]}` comes before itself"
    steps = [f"`{a}` before `{b}`" for a, b in zip(cycle, [*cycle[1:], cycle[0]], strict=True)]
    return ", ".join([steps[0].replace(" before ", " comes before ", 1), *steps[1:]])


__all__ = ["PrecedenceGraph", "ordered"]
