"""All positions that can follow: how long a game can be, how many options there are, what it can be worth.

A depth-first search with three colours (T. H. Cormen and others, *Introduction to Algorithms*, chapter on depth-first
search): a position that is met again on the way to itself is a cycle, so that a game may never end; without one the
longest way from each position is known when all behind it are.
"""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass, field
from fractions import Fraction

from rulewright.host import scope
from rulewright_lab.theory.positions import Positions

_LOOK = 1 << 10
"""Positions between two looks at the clock."""


@dataclass(slots=True)
class Explored:
    """Figures of the positions that were looked at."""

    whole: bool = True
    """True if these are all that there are."""
    positions: int = 0
    longest: int = 0
    """The most answers of players in a game, if all were looked at, and none comes again."""
    comes_again: bool = False
    """True if a position can come again."""
    most_options: int = 0
    payoffs: set[tuple[Fraction, ...]] = field(default_factory=set)
    """The payoffs of the games that have ended."""


class _Open:
    """A position on the way: what is left to try there, and the longest game from it so far."""

    __slots__ = ("kept", "key", "longest", "next", "size", "step")

    def __init__(self, key: Hashable, kept: object, size: int, step: int) -> None:
        self.key, self.kept, self.size, self.step = key, kept, size, step
        self.next = self.longest = 0


def explore(at: Positions, most: int) -> Explored:
    """Look at all positions from here on, so many at most."""
    found = Explored()
    longest: dict[Hashable, int | None] = {}
    """The most answers from a position on; None while it is on the way."""
    way: list[_Open] = []

    def enter() -> int | None:
        """The most answers from here on; None if they are still to be found."""
        size, key = at.options, at.key()
        if key in longest:
            known = longest[key]
            found.comes_again |= known is None
            return known or 0
        found.positions += 1
        if not size:
            found.payoffs.add(at.payoffs)
            longest[key] = 0
            return 0
        if at.seat is not None:
            found.most_options = max(found.most_options, size)
        longest[key] = None
        way.append(_Open(key, at.keep(), size, int(at.seat is not None)))
        return None

    enter()
    while way:
        if found.positions >= most:
            found.whole = False
            return found
        if found.positions % _LOOK == 0:
            scope().look()
        here = way[-1]
        if here.next == here.size:
            way.pop()
            longest[here.key] = here.longest
            if way:
                way[-1].longest = max(way[-1].longest, way[-1].step + here.longest)
            else:
                found.longest = here.longest
            continue
        if here.next:
            at.go_to(here.kept)
        here.next += 1
        at.apply(here.next - 1)
        known = enter()
        if known is not None:
            here.longest = max(here.longest, here.step + known)
    return found
