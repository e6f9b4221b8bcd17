"""A budget of a translation: how much may be written before a condition counts as too large."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from rulewright.findings.model_finding.symbolic_values import Exhausted, Unknowable

NODES = 3_000
"""The expressions that are translated at most, each as often as a loop comes to it."""
LYING = 3_000
"""The pairs of a piece and a zone that are spoken of at most."""
TOTAL = 4
"""So many times as much is translated in all, with parts that were given up."""
PART = 800
"""The expressions of one of several conditions that must hold together; a larger one is taken as it is."""
MOST_EVALUATIONS = 200
"""The largest number of expressions that the engine evaluates."""


class TranslationBudget:
    """Expressions, pairs of a piece and a zone, and questions that are left; Unknowable if there are none."""

    def __init__(self) -> None:
        self._nodes, self._pairs, self._evaluations, self._most = 0, 0, 0, NODES
        self._all_nodes, self._all_pairs = 0, 0

    def begin(self, most: int) -> None:
        """A condition begins, of so many expressions at most."""
        self._nodes, self._most = 0, most

    def node(self) -> None:
        """One more expression."""
        self._nodes += 1
        self._all_nodes += 1
        if self._all_nodes > TOTAL * NODES:
            raise Exhausted
        if self._nodes > self._most:
            raise Unknowable

    def pairs(self, several: int) -> None:
        """So many more pairs."""
        self._pairs += several
        self._all_pairs += several
        if self._all_pairs > TOTAL * LYING:
            raise Exhausted
        if self._pairs > LYING:
            raise Unknowable

    def question(self) -> None:
        """One more question to the engine."""
        self._evaluations += 1
        if self._evaluations > MOST_EVALUATIONS:
            raise Unknowable

    @contextmanager
    def part(self) -> Iterator[None]:
        """One of several conditions that must hold together has a part of it; what was given up is given back."""
        before, most = (self._nodes, self._pairs), self._most
        self._most = min(most, self._nodes + PART)
        try:
            yield
        except Unknowable:
            self._nodes, self._pairs = before
            raise
        finally:
            self._most = most
