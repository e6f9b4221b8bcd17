"""Alpha-beta search to the end of the game, by questions with a yes or no: is it worth that much to the first seat?

The questions are those of MTD(f) (A. Plaat, J. Schaeffer, W. Pijls, A. de Bruin, *Best-first fixed-depth minimax
algorithms*, Artificial Intelligence 87, 1996): null windows with a transposition table, so that each answer is a bound
that is proved. All answers to a question are given before any of them is searched, since many are known or end the game
(enhanced transposition cutoffs; J. Schaeffer and A. Plaat, *New advances in alpha-beta searching*, 1996); of the others
those come first that leave the opponent the fewest options, and that were good elsewhere (history heuristic;
J. Schaeffer, 1983).

The search is a kernel, :mod:`rulewright.engine.kernels.alpha_beta`: CPython runs it here, and machine code is
translated from it. It searches the same positions in the same order, as long as the table has room for all.

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
from rulewright.engine import alpha_beta_kernel as kernel
from rulewright_lab.theory.node_budget import BudgetSpent, NodeBudget
from rulewright_lab.theory.positions import Positions, SteppedPositions

Known = tuple[int, int]
"""The least and the most that a position can be worth."""
LOWEST, HIGHEST = kernel.LOWEST, kernel.HIGHEST
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


class KernelPositions:
    """Positions of a stepper for the kernel (:class:`rulewright.engine.alpha_beta_kernel.Positions`)."""

    looks, has_two_sums = False, False
    """False: the budget looks at the clock, and an exception is raised where there are two sums."""

    def __init__(self, at: SteppedPositions, table: Transpositions, budget: NodeBudget, payoff: Payoff) -> None:
        self._at, self._table, self._budget, self._payoff = at, table, budget, payoff
        self.times = kernel.history()
        self.key = self.more = 0
        self.low, self.high = NOTHING
        self._kept: list[object] = []
        self._labels: list[int] = []

    @property
    def options(self) -> int:
        """The options of the stepper."""
        return self._at.options

    @property
    def is_first(self) -> bool:
        """True if the stepper asks the first seat."""
        return self._at.seat == 0

    def has_room(self, answers: int) -> bool:
        """True."""
        return True

    def find_key(self, ahead: int) -> None:
        """Find the digest of the position, in two halves."""
        key = self._at.key()
        digest = short((key, ahead) if ahead else key)
        self.key, self.more = int.from_bytes(digest[:8], "little"), int.from_bytes(digest[8:], "little")

    def look_up(self, key: int, more: int) -> None:
        """Look into the table."""
        self.low, self.high = self._table.find(_digest(key, more))

    def note(self, key: int, more: int, low: int, high: int) -> None:
        """Note it in the table."""
        self._table.note(_digest(key, more), low, high)

    def count(self, positions: int) -> bool:
        """Count positions in the budget, which raises :class:`BudgetSpent`."""
        self._budget.count(positions)
        return False

    def label(self, option: int) -> int:
        """The label of an option of the stepper, found with those of all others."""
        if not option:
            self._labels = self._at.labels()
        return self._labels[option]

    def apply(self, option: int) -> int:
        """Answer."""
        return self._at.apply(option)

    def end(self) -> int:
        """The payoff of the first seat."""
        return int(self._payoff.of(self._at))

    def keep(self) -> int:
        """Keep the position behind the others on the way."""
        self._kept.append(self._at.keep())
        return len(self._kept) - 1

    def go_to(self, kept: int) -> None:
        """Restore a position."""
        self._at.go_to(self._kept[kept])

    def release(self, node: kernel.Node) -> None:
        """Forget what was kept from a node on."""
        del self._kept[node.kept :]

    def begin(self) -> None:
        """Forget all that was kept."""
        self._kept.clear()


def _digest(key: int, more: int) -> bytes:
    return key.to_bytes(8, "little") + more.to_bytes(8, "little")


class AlphaBeta(Search):
    """The search with the steps of a stepper: CPython runs the kernel."""

    def __init__(self, at: SteppedPositions, table: Transpositions, budget: NodeBudget, payoff: Payoff) -> None:
        self._at, self.payoff = at, payoff
        self._positions = KernelPositions(at, table, budget, payoff)
        self._search = kernel.AlphaBeta(self._positions)

    def look_ahead(self, answers: int, beyond: int) -> None:
        """Note it."""
        self._search.horizon, self._search.beyond = answers, beyond

    def bound(self, wanted: int) -> int:
        """A bound of what the position is worth to the first seat: a lower one if it is `wanted` or more, else an upper
        one. The position is another one afterwards."""
        if not self._at.options:
            return int(self.payoff.of(self._at))
        self._positions.begin()
        self._search.wanted = wanted
        self._search.ask()
        if self._search.prove() == kernel.COMES_AGAIN:
            raise ComesAgain
        return self._search.result
