"""Least fixpoints over recursive functions, found on demand.

A fact about a function often follows from the same fact about those it calls. Where the calls form a cycle, the facts
of the whole cycle are worked out together: in rounds, from the least answer on, until a round adds nothing (G. A.
Kildall, *A unified approach to global program optimization*, POPL 1973). So no answer depends on what was asked first.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable
from dataclasses import field
from typing import Generic, TypeVar

from rulewright.foundation.lazy_dataclass import dataclass

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
