"""Retrograde analysis: all positions are looked at, and what each is worth is computed from the ends of the game
backwards.

For each payoff it is found where a seat can force it: the attractor of the ends that pay as much (K. Thompson,
*Retrograde analysis of certain endgames*, ICCA Journal 9(3), 1986). So games in which positions come again are solved,
too: who cannot force anything better plays on for ever, and a game that never ends is worth 0 to both, a draw. The rank
of a position in its attractor is the number of answers in which the payoff is forced.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Sequence
from fractions import Fraction

from rulewright.foundation import dataclass
from rulewright_lab.theory.alpha_beta import Payoff, short
from rulewright_lab.theory.node_budget import NodeBudget
from rulewright_lab.theory.positions import SteppedPositions
from rulewright_lab.theory.symmetry import Symmetries

ENDLESS = Fraction(0)
"""The worth of a game that never ends."""


class TooMany(Exception):
    """Raised where there are more positions than memory is meant for."""


@dataclass(frozen=True, slots=True)
class Graph:
    """All positions of a game, by number; the first is the beginning."""

    first: Sequence[bool]
    """True where the first seat decides."""
    after: Sequence[tuple[int, ...]]
    """The position behind each option."""
    ends: dict[int, Fraction]
    """The worth to the first seat of the positions in which the game is over."""
    numbers: dict[bytes, int]
    """The numbers of positions by their keys."""
    symmetric: int
    """The positions that these stand for: each for all that are symmetric to it."""


@dataclass(frozen=True, slots=True)
class Worth:
    """The worth of each position to the first seat, and in how many answers that is forced, if anybody forces it."""

    values: Sequence[Fraction]
    ranks: Sequence[int | None]


def graph_of(at: SteppedPositions, payoff: Payoff, budget: NodeBudget, most: int, symmetries: Symmetries) -> Graph:
    """All positions that follow from here, symmetric ones as one; :class:`TooMany` if there are more than `most`."""
    symmetric = 0
    numbers: dict[bytes, int] = {}
    first: list[bool] = []
    after: list[tuple[int, ...]] = []
    ends: dict[int, Fraction] = {}
    waiting: deque[tuple[int, object, int]] = deque()

    def number_of() -> int:
        nonlocal symmetric
        merged, alike = at.merged_key(symmetries)
        key = short(merged)
        found = numbers.get(key)
        if found is None:
            symmetric += alike
            found = numbers[key] = len(after)
            if found >= most:
                raise TooMany
            first.append(at.seat == 0)
            after.append(())
            if at.options:
                waiting.append((found, at.keep(), at.options))
            else:
                ends[found] = payoff.of(at)
        return found

    number_of()
    while waiting:
        number, kept, size = waiting.popleft()
        budget.count(size)
        behind = []
        for option in range(size):
            at.go_to(kept)
            at.apply(option)
            behind.append(number_of())
        after[number] = tuple(behind)
    return Graph(first, after, ends, numbers, symmetric)


def worth_of(graph: Graph) -> Worth:
    """The worth of all positions: the highest payoff that the first seat can force, or the second cannot prevent."""
    size = len(graph.after)
    before: list[list[int]] = [[] for _ in range(size)]
    for number, behind in enumerate(graph.after):
        for one in dict.fromkeys(behind):
            before[one].append(number)
    levels = sorted({*graph.ends.values(), ENDLESS})
    values: list[Fraction] = [levels[0]] * size
    ranks: list[int | None] = [None] * size
    for level in levels:
        if level > ENDLESS:  # what the first seat must force, as it is more than to play on for ever
            reached = _attractor(graph, before, (n for n, end in graph.ends.items() if end >= level), True)
            for number, rank in enumerate(reached):
                if rank is not None:
                    values[number], ranks[number] = level, rank
        else:  # what the second seat must force it to fall below
            below = _attractor(graph, before, (n for n, end in graph.ends.items() if end < level), False)
            for number, rank in enumerate(below):
                if rank is None:
                    values[number] = level
    for level in reversed([one for one in levels if one < ENDLESS]):
        reached = _attractor(graph, before, (n for n, end in graph.ends.items() if end <= level), False)
        for number, rank in enumerate(reached):
            if values[number] == level:
                ranks[number] = rank
    return Worth(values, ranks)


def _attractor(graph: Graph, before: list[list[int]], ends: Iterable[int], first: bool) -> list[int | None]:
    """For each position in how many answers a seat can force one of these ends; None: it cannot."""
    rank: list[int | None] = [None] * len(graph.after)
    left = [len(set(behind)) for behind in graph.after]
    waiting = deque(sorted(ends))
    for end in waiting:
        rank[end] = 0
    while waiting:
        number = waiting.popleft()
        here = rank[number]
        assert here is not None
        for one in before[number]:
            if rank[one] is not None:
                continue
            left[one] -= 1
            if graph.first[one] == first or not left[one]:
                rank[one] = here + 1
                waiting.append(one)
    return rank
