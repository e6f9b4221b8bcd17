"""Alpha-beta search to the end of the game, by questions with a yes or no: a kernel.

The solver of the laboratory gives the algorithm and its sources. Nothing recurses: the way to the leaf is a list of
nodes, so that the search can be stopped anywhere and goes on when the host has looked at the clock.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Protocol

from rulewright.engine.kernels.vocabulary import Vector, Word, Words

LOWEST, HIGHEST = -(1 << 30), 1 << 30
"""In place of a bound that is not known."""
LABELS = 1 << 10
"""Answers that the history distinguishes."""
GOES_ON, ENDED, SPENT, NO_ROOM, COMES_AGAIN, DIFFERS = range(6)
"""The states of a search: it goes on, an answer has a result, no more positions may be looked at, there is no room for
the way, a position comes again, payoffs have two sums."""
DONE = -1
"""The search is over, and its result is that of the position with which it began."""


class Positions(Protocol):
    """The game of two that is searched, and what is known of its positions."""

    @property
    def options(self) -> int:
        """The number of options of the pending question; 0 if the game is over."""

    @property
    def is_first(self) -> bool:
        """True if the first seat decides."""

    @property
    def key(self) -> Word:
        """The first half of the digest that was found last."""

    @property
    def more(self) -> Word:
        """The second half of the digest."""

    @property
    def low(self) -> int:
        """The least that the position is worth that was looked up last."""

    @property
    def high(self) -> int:
        """The most that it is worth."""

    @property
    def times(self) -> Words:
        """The times that an answer was good, of the first seat and of the second."""

    @property
    def has_two_sums(self) -> bool:
        """True if the payoffs of two games have different sums."""

    @property
    def looks(self) -> bool:
        """True if the host wants to look at the clock."""

    def has_room(self, answers: int) -> bool:
        """True if there is room for the position, and a node with so many answers."""

    def find_key(self, ahead: int) -> None:
        """Find the digest of the position, behind which so many answers are looked ahead."""

    def look_up(self, key: Word, more: Word) -> None:
        """Find the bounds of a position."""

    def note(self, key: Word, more: Word, low: int, high: int) -> None:
        """Note bounds of a position, beside those that are known."""

    def count(self, positions: int) -> bool:
        """Count positions; True if no more may be looked at."""

    def label(self, option: int) -> int:
        """The number of an option in every position with this question."""

    def apply(self, option: int) -> int:
        """Answer; the number of the next options."""

    def end(self) -> int:
        """The payoff of the first seat in the game that is over."""

    def keep(self) -> int:
        """Keep the position; its number."""

    def go_to(self, kept: int) -> None:
        """Go to a position that was kept."""

    def release(self, node: Node) -> None:
        """Forget a node and all that was kept behind it."""


@dataclass(slots=True, eq=False, repr=False)
class Answer:
    """An answer of a node that is left to be searched, and the position behind it."""

    key: Word
    more: Word
    mobility: int
    """The options that the seat has behind it, or less than 0 those of the other seat: most come first."""
    times: int
    """The times that it was good elsewhere, for those with as many."""
    kept: int
    label: int


@dataclass(slots=True, eq=False, repr=False)
class Node:
    """A position on the way."""

    key: Word
    more: Word
    parent: Node | None
    is_first: bool
    bound: int
    """The best of the answers so far, for who is to move."""
    depth: int
    """The answers that are looked ahead; 0 if it is to the end."""
    left: Vector[Answer]
    kept: int = 0
    """The position itself, which was kept first of all behind the node."""
    label: int = 0
    """The answer that is being searched."""


@dataclass(slots=True, eq=False, repr=False)
class AlphaBeta:
    """A search."""

    at: Positions
    node: Node | None = field(init=False)
    """The last node of the way."""
    state: int = field(init=False)
    result: int = field(init=False)
    """The bound that was found: a lower bound if it is as much as was wanted, else an upper one."""
    wanted: int = field(init=False)
    horizon: int = 0
    """The answers that are looked ahead; 0: to the end."""
    beyond: int = 0
    """The worth of a position behind them."""

    def ask(self) -> None:
        """Begin a search from the position of the game."""
        at = self.at
        self.node = None
        self.state = GOES_ON
        at.find_key(self.horizon)
        key, more = at.key, at.more
        if not self.is_known(key, more):
            self.enter(key, more)

    def prove(self) -> int:
        """Go on with the search until it is over, or the host wants to look; why it has stopped."""
        while True:
            node, state = self.node, self.state
            if state > ENDED:
                return state
            if node is None:
                return DONE
            if self.at.looks:
                return GOES_ON
            if state == ENDED:
                self.state = GOES_ON
                if self.learn(node, self.result):
                    self.leave(node)
                    continue
            if len(node.left) == 0:
                self.leave(node)
            else:
                self.go_on(node)

    def is_known(self, key: Word, more: Word) -> bool:
        """True if a position answers the question by its bounds; then one of these is the result."""
        at, wanted = self.at, self.wanted
        at.look_up(key, more)
        if at.low < wanted and at.high >= wanted:
            return False
        self.result = at.low if at.low >= wanted else at.high
        self.state = ENDED
        return True

    def enter(self, key: Word, more: Word) -> None:
        """Make a node of the position, and give all answers to its question; or the result, if one of them decides
        it."""
        at, size, is_first = self.at, self.at.options, self.at.is_first
        depth, wanted = self.horizon, self.wanted
        if depth > 0 and self.node is not None:
            depth = self.node.depth - 1
        if not at.has_room(size):
            self.state = NO_ROOM
            return
        node = Node(key, more, self.node, is_first, LOWEST if is_first else HIGHEST, depth, Vector(size))
        self.node = node
        node.kept = at.keep()
        if at.count(size):
            self.state = SPENT
            return
        for option in range(size):
            if option > 0:
                at.go_to(node.kept)
            label = at.label(option)
            node.label = label
            options = at.apply(option)
            if options == 0:
                result = at.end()
                if at.has_two_sums:
                    self.state = DIFFERS
                    return
            elif depth == 1:
                result = self.beyond
            else:
                at.find_key(max(depth - 1, 0))
                key, more = at.key, at.more
                at.look_up(key, more)
                low, high = at.low, at.high
                if low < wanted and high >= wanted:
                    if not at.has_room(size):
                        self.state = NO_ROOM
                        return
                    mobility = options if at.is_first == is_first else -options
                    if self.comes_again(key, more):
                        mobility = LOWEST
                    times = int(at.times[place_of(is_first, label)])
                    node.left.add(Answer(key, more, mobility, times, at.keep(), label))
                    continue
                result = low if low >= wanted else high
            if self.learn(node, result):
                self.leave(node)
                return

    def go_on(self, node: Node) -> None:
        """Go on with the best of the answers that are left to a node; the last of those that are as good."""
        at, best = self.at, node.left[0]
        for answer in node.left:
            is_better, is_equal = answer.mobility > best.mobility, answer.mobility == best.mobility
            best = answer if is_better or (is_equal and answer.times >= best.times) else best
        node.label = best.label
        key, more, kept = best.key, best.more, best.kept
        node.left.drop(best)
        if self.is_known(key, more):  # by now
            return
        if self.comes_again(key, more):
            self.state = COMES_AGAIN
            return
        at.go_to(kept)
        self.enter(key, more)

    def comes_again(self, key: Word, more: Word) -> bool:
        """True if a position is on the way."""
        node = self.node
        while node is not None:
            if node.key == key and node.more == more:
                return True
            node = node.parent
        return False

    def learn(self, node: Node, result: int) -> bool:
        """Note what an answer of a node is worth; True if the question is answered by it."""
        if node.is_first:
            node.bound = max(node.bound, result)
            is_good = result >= self.wanted
        else:
            node.bound = min(node.bound, result)
            is_good = result < self.wanted
        if is_good:
            self.at.times[place_of(node.is_first, node.label)] += 1
        return is_good

    def leave(self, node: Node) -> None:
        """Note what a node is worth, which is the last on the way."""
        bound = node.bound
        if bound >= self.wanted:
            self.at.note(node.key, node.more, bound, HIGHEST)
        else:
            self.at.note(node.key, node.more, LOWEST, bound)
        self.result = bound
        self.state = ENDED
        self.node = node.parent
        self.at.release(node)


def history() -> Words:
    """A history in which no answer was good yet."""
    return Words(2 * LABELS)


def place_of(is_first: bool, label: int) -> int:
    """The place of an answer in the history; of more than there are places some share one."""
    return (LABELS if is_first else 0) + (label & (LABELS - 1))
