"""Algorithms on directed graphs: cycles, dominators, least fixpoints over recursive functions."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Mapping
from dataclasses import field
from typing import Generic, TypeVar

from rulewright.foundation.lazy_dataclass import dataclass

N = TypeVar("N", bound=Hashable)


def components(after: Mapping[N, Iterable[N]]) -> list[list[N]]:
    """The strongly connected components, each after those that it leads to.

    R. Tarjan, *Depth-first search and linear graph algorithms*, SIAM Journal on Computing 1(2), 1972.
    """
    number: dict[N, int] = {}
    least: dict[N, int] = {}
    open_nodes: dict[N, None] = {}
    """The nodes whose component is not found yet, in the order in which they were reached."""
    found: list[list[N]] = []
    for root in after:
        if root in number:
            continue
        number[root] = least[root] = len(number)
        open_nodes[root] = None
        path = [(root, iter(after[root]))]
        while path:
            node, rest = path[-1]
            for to in rest:
                if to not in number:
                    number[to] = least[to] = len(number)
                    open_nodes[to] = None
                    path.append((to, iter(after[to])))
                    break
                if to in open_nodes:
                    least[node] = min(least[node], number[to])
            else:
                path.pop()
                if path:
                    above = path[-1][0]
                    least[above] = min(least[above], least[node])
                if least[node] == number[node]:
                    component = [node]
                    while (last := open_nodes.popitem()[0]) != node:
                        component.append(last)
                    found.append(component)
    return found


def immediate_dominators(after: Mapping[N, Iterable[N]], root: N) -> dict[N, N]:
    """For each node but the root that can be reached from it the last one before it that all ways lead through.

    K. D. Cooper, T. J. Harvey, K. Kennedy, *A simple, fast dominance algorithm*, Rice University, 2001.
    """
    order = _postorder(after, root)
    rank = {node: number for number, node in enumerate(order)}
    before: dict[N, list[N]] = {node: [] for node in order}
    for node in order:
        for to in after[node]:
            before[to].append(node)
    found = {root: root}
    changed = True
    while changed:
        changed = False
        for node in reversed(order[:-1]):
            known = [one for one in before[node] if one in found]
            best = known[0]
            for one in known[1:]:
                while one != best:
                    if rank[one] < rank[best]:
                        one = found[one]
                    else:
                        best = found[best]
            if found.get(node) != best:
                found[node], changed = best, True
    del found[root]
    return found


def _postorder(after: Mapping[N, Iterable[N]], root: N) -> list[N]:
    """All nodes that can be reached, each after those that were first reached from it."""
    found: list[N] = []
    seen = {root}
    path = [(root, iter(after[root]))]
    while path:
        node, rest = path[-1]
        for to in rest:
            if to not in seen:
                seen.add(to)
                path.append((to, iter(after[to])))
                break
        else:
            found.append(node)
            path.pop()
    return found


K = TypeVar("K", bound=Hashable)
V = TypeVar("V")


@dataclass(slots=True)
class _Rounds(Generic[K, V]):
    """The answers of a cycle as they are in this round, and those worked out in it."""

    answers: dict[K, V] = field(default_factory=dict)
    done: set[K] = field(default_factory=set)


class Fixpoint(Generic[K, V]):
    """Answers to questions that ask one another.

    `find` answers one question and may ask others by :meth:`of`; more in their answers must never make its own less.
    `cycle` names the cycle in which a question stands, None if in none. `known` keeps the final answers of a question.
    `extent` measures an answer: it grows whenever the answer does.
    """

    def __init__(
        self,
        find: Callable[[K], V],
        least: V,
        cycle: Callable[[K], Hashable | None],
        known: Callable[[K], dict[K, V]],
        extent: Callable[[V], object],
    ) -> None:
        self._find, self._least, self._cycle, self._known, self._extent = find, least, cycle, known, extent
        self._rounds: dict[Hashable, _Rounds[K, V]] = {}

    def of(self, key: K) -> V:
        """The answer to a question."""
        known = self._known(key)
        if key in known:
            return known[key]
        cycle = self._cycle(key)
        if cycle is None:
            known[key] = self._find(key)
            return known[key]
        rounds = self._rounds.get(cycle)
        if rounds is None:
            return self._solve(key, cycle)
        if key not in rounds.done:
            rounds.done.add(key)
            rounds.answers.setdefault(key, self._least)
            rounds.answers[key] = self._find(key)
        return rounds.answers[key]

    def _solve(self, key: K, cycle: Hashable) -> V:
        rounds = self._rounds[cycle] = _Rounds()
        before: dict[K, object] | None = None
        try:
            while before != (now := {k: self._extent(v) for k, v in rounds.answers.items()}):
                before = now
                rounds.done.clear()
                self.of(key)
        finally:
            del self._rounds[cycle]
        for found in rounds.done:
            self._known(found)[found] = rounds.answers[found]
        return rounds.answers[key]
