"""Rows about many games that tell, for those who measure, what is counted in each besides how it ended."""

from __future__ import annotations

from typing import NamedTuple

Measured = tuple[str, ...]
"""The queries, of the whole game or of a player, that are asked at the end of each game."""


class RowPlan(NamedTuple):
    """The places of numbers in a row of 32 bits each, if a program is made to measure."""

    paid: int
    """The payment of each seat, if the rules pay; before it, from the fourth number on, stand the cells that say how
    the game has ended (see `Layout.ranks`)."""
    options: int
    """The numbers of options of all decisions together; the upper half of it lies behind."""
    uses: int
    """For each rule the number of its uses."""
    asked: int
    """The answers of the queries, of one about a player for each seat; only of a game that is over."""
    width: int

    @property
    def forced(self) -> int:
        """The number of decisions with one option."""
        return self.options + 2

    @staticmethod
    def of(ranks: int, paid: int, rules: int, answers: int) -> RowPlan:
        """The plan of a row with so many cells of how a game has ended and what was paid, rules and answers."""
        options = 3 + ranks + paid
        uses = options + 3
        return RowPlan(3 + ranks, options, uses, uses + rules, uses + rules + answers)
