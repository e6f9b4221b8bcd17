"""Expectiminax: what a small game with chance is worth, by all positions that can follow (D. Michie, *Game-playing and
game-learning automata*, 1966). Each is looked at once; values are exact fractions."""

from __future__ import annotations

from fractions import Fraction

from rulewright_lab.theory.alpha_beta import ComesAgain, Payoff, short
from rulewright_lab.theory.node_budget import NodeBudget
from rulewright_lab.theory.positions import ChancePositions


class _Node:
    """A position on the way."""

    __slots__ = ("kept", "key", "next", "seat", "size", "values", "weights")

    def __init__(self, key: bytes, kept: object, at: ChancePositions) -> None:
        self.key, self.kept, self.seat, self.weights, self.size = key, kept, at.seat, at.weights, at.options
        self.next = 0
        self.values: list[Fraction] = []

    def value(self) -> Fraction:
        """The worth to the first seat."""
        if self.seat is None:
            weighed = sum((w * v for w, v in zip(self.weights, self.values, strict=True)), Fraction(0))
            return weighed / sum(self.weights)
        return max(self.values) if self.seat == 0 else min(self.values)


class Expectiminax:
    """The values of positions."""

    def __init__(self, at: ChancePositions, budget: NodeBudget) -> None:
        self._at, self._budget = at, budget
        self.payoff = Payoff()
        self._known: dict[bytes, Fraction | None] = {}
        """None while a position is on the way."""

    def value(self) -> Fraction:
        """The worth of the position to the first seat. It is another one afterwards."""
        nodes: list[_Node] = []
        result = self._enter(nodes)
        while nodes:
            node = nodes[-1]
            if result is not None:
                node.values.append(result)
            if node.next == node.size:
                nodes.pop()
                result = self._known[node.key] = node.value()
                continue
            self._at.go_to(node.kept)
            node.next += 1
            self._at.apply(node.next - 1)
            result = self._enter(nodes)
        assert result is not None
        return result

    def _enter(self, nodes: list[_Node]) -> Fraction | None:
        at = self._at
        self._budget.count(1)
        if not at.options:
            return self.payoff.of(at)
        key = short(at.key())
        if key in self._known:
            known = self._known[key]
            if known is None:
                raise ComesAgain
            return known
        self._known[key] = None
        nodes.append(_Node(key, at.keep(), at))
        return None
