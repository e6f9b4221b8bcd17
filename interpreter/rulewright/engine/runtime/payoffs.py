"""Payoffs: the worth of a game to each seat, once it is over.

Where rules pay, on the way or at the end, a seat's payoff is all that it was paid. Other games are played for places:
the best place of *n* is worth 1 and the last -1, the others lie between them at equal distances, and those who share a
place share the payoffs of the places that they take up together. That is the same as how many more seats one has beaten
than one was beaten by, in parts of all others; it sums to zero, and is 1, 0 or -1 for two players. Only where all have
won together, or all have lost, no one has beaten another: then each gets 1, or each -1.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from fractions import Fraction
from functools import lru_cache
from typing import NamedTuple

from rulewright.foundation.lazy_dataclass import dataclass
from rulewright.foundation.memo import memoized_by_node
from rulewright.ir.model import PAID, Program

WON, LOST = Fraction(1), Fraction(-1)


class Standing(NamedTuple):
    """The places of all seats, and whether those in the first place have beaten no other."""

    places: tuple[int, ...]
    drawn: bool


@dataclass(frozen=True, slots=True)
class PayoffRule:
    """The rule from how a game has ended to the payoffs of its seats."""

    players: int
    pays: bool
    """True if the rules say what is paid."""
    parties: frozenset[int]
    """The players of each party, as sets."""

    @staticmethod
    def of(program: Program) -> PayoffRule:
        """The rule of a program."""
        return _rule_of(program)

    def standing(self, ranks: Sequence[int]) -> Standing:
        """The standing in the cells of `Layout.ranks`: all players of one party have won together, and have not
        drawn, whatever they were ranked by."""
        places = tuple(ranks[: self.players])
        first = sum(1 << seat for seat, place in enumerate(places) if place == 1)
        return Standing(places, bool(ranks[-1]) and first not in self.parties)

    def drawn(self, columns: Sequence[Sequence[int]]) -> Iterable[int]:
        """For each of many games whether it is drawn, from a column for each of the cells of `Layout.ranks`."""
        if not self.parties:
            return columns[-1]
        return (ranks[-1] and int(self.standing(ranks).drawn) for ranks in zip(*columns, strict=True))

    def payoffs(self, ranks: Sequence[int], paid: Sequence[int]) -> tuple[Fraction, ...]:
        """The payoffs of a game that is over, from the cells of `Layout.ranks` and `Layout.paid`. Of one that is not
        over what was paid so far, nothing if its rules do not pay."""
        if self.pays:
            return tuple(map(Fraction, paid))
        return by_place(*self.standing(ranks)) if ranks[0] else ()


@memoized_by_node
def _rule_of(program: Program) -> PayoffRule:
    parties = {f"{universe.name}.members" for universe in program.universes if universe.sort == "party"}
    held = (value for table in program.tables if table.name in parties for value in table.values)
    pays = any(field.name == PAID for field in program.fields)
    return PayoffRule(program.players, pays, frozenset(players for players in held if isinstance(players, int)))


@lru_cache(maxsize=1 << 12)
def by_place(places: tuple[int, ...], drawn: bool) -> tuple[Fraction, ...]:
    """The payoffs by places alone."""
    if len(set(places)) == 1:
        everybody = Fraction(0) if drawn else WON if places[0] == 1 else LOST
        return (everybody,) * len(places)
    beaten = [sum((other > mine) - (other < mine) for other in places) for mine in places]
    return tuple(Fraction(number, len(places) - 1) for number in beaten)


def as_number(payoff: Fraction) -> int | float:
    """A payoff as a number of JSON."""
    return payoff.numerator if payoff.denominator == 1 else float(payoff)
