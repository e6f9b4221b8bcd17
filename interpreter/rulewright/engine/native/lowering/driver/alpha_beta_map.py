"""The memory of an alpha-beta search: registers that the host reads, a table, and the positions on the way.

The host lays a table behind everything else and free memory behind that. A node is a position on the way, with the
answers that are left to be searched, the state itself, and the states behind these answers.
"""

from __future__ import annotations

from rulewright.engine.native.lowering.lowering_context import LoweringContext
from rulewright.engine.native.webassembly.terms import Memory, mem32, mem64

LOWEST, HIGHEST = -(1 << 30), 1 << 30
"""In place of a bound that is not known."""
LABELS = 1 << 10
"""Answers that the history tells apart."""

ENTRY_BYTES = 24
"""An entry of the table: a digest of 16 bytes, the least and the most that the position is worth."""
KEY_1, KEY_2 = 0, 8
"""Within the registers, nodes and answers: the digest of a position."""
PARENT, FIRST, BOUND, LEFT, LABEL, DEPTH, NODE_BYTES = 16, 20, 24, 28, 32, 36, 40
"""Within a node: the one before it on the way, whether the first seat is asked, the best of its answers so far, how
many are left, the answer that is being searched, and how many answers more are looked ahead. Behind it stand these
answers, then the states."""
MOBILITY, TIMES, AFTER, AGAIN, KID_BYTES = 16, 20, 24, 28, 40
"""Within an answer (its label as in a node): by what it is ordered, the state behind it, whether that is on the way."""

GOES_ON, ENDED, SPENT, NO_ROOM, COMES_AGAIN, DIFFERS = range(6)
"""The states of a search: it goes on, an answer has a result, no more positions may be looked at, there is no room for
the way, a position comes again, payoffs have two sums."""
DONE = -1
"""The search is over, and its result is that of the position with which it began."""

(
    TABLE, MASK, FREE, LIMIT, NODE, STATE, RESULT, WANTED, FOUND_LOW, FOUND_HIGH, SUM_KNOWN, SUM, OTHER,
    HORIZON, BEYOND, AHEAD,
) = range(16, 80, 4)  # fmt: skip
POSITIONS, MOST, STOP, HISTORY = range(80, 112, 8)
"""Within the registers: the table and the number of its pairs of entries less one; free memory and its end; the last
node of the way, the state of the search, its result, the worth that is asked for; the bounds that were found; whether
the sum of the payoffs is known, the sum, and another one; how many answers are looked ahead (0: to the end), what a
position beyond them is worth, and how many are left behind a position, for its digest; the positions that were looked
at, those at which the search stops for good, and those at which it stops to look at the clock; how often answers were
good."""


class AlphaBetaRegisters:
    """The registers of a search."""

    def __init__(self, ctx: LoweringContext) -> None:
        self.at = ctx.memory.reserve(HISTORY + 4 * 2 * LABELS)

    def number(self, register: int) -> Memory:
        """A register of 32 bits."""
        return mem32(0, self.at + register)

    def word(self, register: int) -> Memory:
        """A register of 64 bits."""
        return mem64(0, self.at + register)
