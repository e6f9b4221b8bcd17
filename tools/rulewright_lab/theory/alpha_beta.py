"""Alpha-beta search to the end of the game, by questions with a yes or no: is it worth that much to the first seat?

The questions are those of MTD(f) (A. Plaat, J. Schaeffer, W. Pijls, A. de Bruin, *Best-first fixed-depth minimax
algorithms*, Artificial Intelligence 87, 1996): null windows with a transposition table, so that each answer is a bound
that is proved. All answers to a question are given before any of them is searched, since many are known or end the game
(enhanced transposition cutoffs; J. Schaeffer and A. Plaat, *New advances in alpha-beta searching*, 1996); of the others
those come first that leave the opponent the fewest options, and that were good elsewhere (history heuristic;
J. Schaeffer, 1983).

Machine code searches the same positions in the same order, as long as the table has room for all.

A position that is met again on the way to itself ends the search with :class:`ComesAgain`: what it is worth there hangs
on the way (graph history interaction), so such games are left to retrograde analysis. Where no way that was searched
meets itself, what is proved is proved by finite trees.

A table of positions whose worth is known within bounds, in so much memory and no more.

It has two halves: when the young one is full it becomes the old one, and what is looked up again moves to the young
one, so that what is no longer needed is forgotten. Keys are digests of 16 bytes: that two of a thousand million
positions have the same one is less likely than 1 in 10^20.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Hashable
from fractions import Fraction
from hashlib import blake2b
from typing import assert_never

from rulewright.engine import AlphaBetaSolver
from rulewright_lab.theory.node_budget import BudgetSpent, NodeBudget
from rulewright_lab.theory.positions import Positions, SteppedPositions

Known = tuple[int, int]
"""The least and the most that a position can be worth."""
LOWEST, HIGHEST = -(1 << 30), 1 << 30
"""In place of a bound that is not known."""
NOTHING: Known = LOWEST, HIGHEST
ENTRY_BYTES = 170
"""The memory of an entry, about."""


class Transpositions:
    """Bounds by positions."""

    def __init__(self, memory: int) -> None:
        self._most = max(1 << 10, memory // ENTRY_BYTES // 2)
        self._young: dict[bytes, Known] = {}
        self._old: dict[bytes, Known] = {}
        self._pairs: dict[Known, Known] = {}
        """Each pair of bounds once."""

    def find(self, key: bytes) -> Known:
        """The bounds of a position."""
        found = self._young.get(key)
        if found is None:
            found = self._old.get(key)
            if found is None:
                return NOTHING
            self._put(key, found)
        return found

    def note(self, key: bytes, least: int, most: int) -> None:
        """Note bounds, beside those that are known."""
        low, high = self.find(key)
        both = max(low, least), min(high, most)
        self._put(key, self._pairs.setdefault(both, both))

    def _put(self, key: bytes, known: Known) -> None:
        if len(self._young) >= self._most:
            self._old, self._young = self._young, {}
        self._young[key] = known


def short(key: Hashable) -> bytes:
    """The digest of a key."""
    return blake2b(key if isinstance(key, bytes) else repr(key).encode(), digest_size=16).digest()


SLICE = 50_000
"""Positions between two looks at the clock."""
LABELS = 1 << 10
"""Answers that the history distinguishes, as machine code does."""


class ComesAgain(Exception):
    """Raised where a position can come again."""


class NotConstant(Exception):
    """Raised where the payoffs of two games have different sums."""

    def __init__(self, one: Fraction, other: Fraction) -> None:
        super().__init__(one, other)
        self.one, self.other = one, other


class Payoff:
    """The worth of a game that is over to the first seat of two, and the sum that is the same in all games."""

    def __init__(self) -> None:
        self.total: Fraction | None = None

    def of(self, at: Positions) -> Fraction:
        """The payoff of the first seat."""
        first, second = at.payoffs
        total = first + second
        if total != self.total:
            if self.total is not None:
                raise NotConstant(self.total, total)
            self.total = total
        return first


class _Node:
    """A position on the way: the answers that are left to be searched, the best one last."""

    __slots__ = ("bound", "depth", "first", "key", "label", "left")

    def __init__(self, key: bytes, first: bool, depth: int) -> None:
        self.key, self.first, self.depth = key, first, depth
        self.bound = LOWEST if first else HIGHEST
        """The best of the answers so far, for who is to move."""
        self.left: list[tuple[tuple[int, int], object, bytes, int]] = []
        self.label = 0
        """The answer that is being searched."""


class Search(ABC):
    """A search in one game."""

    payoff: Payoff

    @abstractmethod
    def look_ahead(self, answers: int, beyond: int) -> None:
        """Look so many answers ahead from now on, and take a position beyond them to be worth so much; 0: look to the
        end of the game."""

    @abstractmethod
    def bound(self, wanted: int) -> int:
        """A bound of what the position is worth to the first seat: a lower one if it is `wanted` or more, else an upper
        one. The position may be another one afterwards."""


class NativeSearch(Search):
    """Alpha-beta search in machine code."""

    def __init__(self, at: SteppedPositions, solver: AlphaBetaSolver, payoff: Payoff, budget: NodeBudget) -> None:
        self._at, self._solver, self.payoff, self._budget = at, solver, payoff, budget
        solver.positions = budget.positions
        solver.sums = () if payoff.total is None else (int(payoff.total),)

    def look_ahead(self, answers: int, beyond: int) -> None:
        """Set it in the machine code."""
        self._solver.look_ahead(answers, beyond)

    def bound(self, wanted: int) -> int:
        """Ask, and look at the clock from time to time."""
        if not self._at.options:
            return int(self.payoff.of(self._at))
        solver, budget = self._solver, self._budget
        solver.ask(wanted, budget.most)
        while True:
            stop = solver.go_on(SLICE)
            sums = solver.sums
            self.payoff.total = Fraction(sums[0]) if sums else None
            budget.count(solver.positions - budget.positions)
            match stop:
                case "done":
                    return solver.result
                case "comes again":
                    raise ComesAgain
                case "differs":
                    raise NotConstant(*map(Fraction, sums))
                case "spent":
                    raise BudgetSpent
                case "looks":
                    pass
                case _:
                    assert_never(stop)


class AlphaBeta(Search):
    """The search with the steps of a stepper."""

    def __init__(self, at: SteppedPositions, table: Transpositions, budget: NodeBudget, payoff: Payoff) -> None:
        self._at, self._table, self._budget, self.payoff = at, table, budget, payoff
        self._history = [0] * (2 * LABELS)
        """The times that an answer was good, of the first seat and of the second."""
        self._way: set[bytes] = set()
        self._horizon, self._beyond = 0, 0

    def look_ahead(self, answers: int, beyond: int) -> None:
        """Note it."""
        self._horizon, self._beyond = answers, beyond

    def _key(self, ahead: int) -> bytes:
        """The key of the position, behind which so many answers are looked ahead."""
        key = self._at.key()
        return short((key, ahead) if ahead else key)

    def bound(self, wanted: int) -> int:
        """A bound of what the position is worth to the first seat: a lower one if it is `wanted` or more, else an upper
        one. The position is another one afterwards."""
        if not self._at.options:
            return int(self.payoff.of(self._at))
        key = self._key(self._horizon)
        low, high = self._table.find(key)
        if low >= wanted:
            return low
        if high < wanted:
            return high
        self._way.clear()
        return self._search(key, wanted)

    def _search(self, key: bytes, wanted: int) -> int:
        nodes: list[_Node] = []
        result = self._enter(nodes, key, wanted)
        while nodes:
            node = nodes[-1]
            if result is not None and self._learn(node, result, wanted):
                result = self._leave(nodes, wanted)
                continue
            if not node.left:
                result = self._leave(nodes, wanted)
                continue
            _, kept, child, node.label = node.left.pop()
            low, high = self._table.find(child)  # it may be known by now
            if low >= wanted or high < wanted:
                result = low if low >= wanted else high
                continue
            if child in self._way:
                raise ComesAgain
            self._at.go_to(kept)
            result = self._enter(nodes, child, wanted)
        assert result is not None
        return result

    def _learn(self, node: _Node, result: int, wanted: int) -> bool:
        """Note what an answer is worth; True if the question is answered by it."""
        if node.first:
            node.bound = max(node.bound, result)
            good = result >= wanted
        else:
            node.bound = min(node.bound, result)
            good = result < wanted
        if good:
            self._history[_place(node.first, node.label)] += 1
        return good

    def _leave(self, nodes: list[_Node], wanted: int) -> int:
        """Note what a position is worth."""
        node = nodes.pop()
        self._way.discard(node.key)
        bound = node.bound
        if bound >= wanted:
            self._table.note(node.key, bound, HIGHEST)
        else:
            self._table.note(node.key, LOWEST, bound)
        return bound

    def _enter(self, nodes: list[_Node], key: bytes, wanted: int) -> int | None:
        """Go on with a position, and give all answers to its question; what it is worth if that is known then."""
        at, table, history = self._at, self._table, self._history
        first, size = at.seat == 0, at.options
        depth = self._horizon if not nodes else nodes[-1].depth - 1 if self._horizon else 0
        node = _Node(key, first, depth)
        labels, kept = at.labels(), at.keep()
        self._budget.count(size)
        for option in range(size):
            if option:
                at.go_to(kept)
            more = at.apply(option)
            node.label = labels[option]
            if more and depth == 1:
                result = self._beyond
            elif more:
                child = self._key(max(depth - 1, 0))
                low, high = table.find(child)
                if low < wanted <= high:
                    again = child == key or child in self._way
                    mobility = more if (at.seat == 0) == first else -more
                    order = LOWEST if again else mobility, history[_place(first, node.label)]
                    node.left.append((order, at.keep(), child, node.label))
                    continue
                result = low if low >= wanted else high
            else:
                result = int(self.payoff.of(at))
            if self._learn(node, result, wanted):
                nodes.append(node)
                return self._leave(nodes, wanted)
        node.left.sort(key=_order)
        self._way.add(key)
        nodes.append(node)
        return None


def _order(entry: tuple[tuple[int, int], object, bytes, int]) -> tuple[int, int]:
    return entry[0]


def _place(first: bool, label: int) -> int:
    """The place of an answer in the history; of more than there are places some share one."""
    return LABELS * first + label % LABELS
