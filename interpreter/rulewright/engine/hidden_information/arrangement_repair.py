"""Arrangements of hidden pieces that differ in one exchange, for where those at random do not do.

What a question presupposes (the player holds a certain kind of piece) is seldom so in an arrangement at random, and
which piece is missing where is not known. So it is found by trying, with the least change that may repair it (S.
Minton, M. D. Johnston, A. B. Philips, P. Laird, *Minimizing conflicts: a heuristic repair method for constraint
satisfaction and scheduling problems*, Artificial Intelligence 58, 1992). How the pieces really lie decides nothing.
"""

from __future__ import annotations

from collections.abc import Container, Iterator

from rulewright.engine.hidden_information.hidden_places import Places
from rulewright.engine.random_numbers import Dice
from rulewright.foundation.lazy_dataclass import dataclass
from rulewright.ir.model import NONE


@dataclass(frozen=True, slots=True)
class Arrangement:
    """One way in which hidden pieces can lie."""

    instead: dict[int, int]

    def exchanged(self, dice: Dice) -> dict[int, int]:
        """For each hidden piece the one that lies in its place instead."""
        return self.instead


def repaired(places: Places, dice: Dice, zones: Container[int]) -> Iterator[Arrangement]:
    """Arrangements that each differ from one at random in where two pieces lie: one for each place and each kind of
    piece that it takes, in random order, but those for places in some zones first."""
    instead = places.exchanged(dice)
    slots = places.slots
    alike: dict[tuple[int, int], list[int]] = {}  # places in a zone without order are one
    of_kind: dict[int, list[int]] = {}
    for number, slot in enumerate(slots):
        alike.setdefault((slot.zone, slot.admits) if slot.zone != NONE else (NONE, number), []).append(number)
        of_kind.setdefault(places.kind(instead[slot.piece]), []).append(number)
    wanted, others = list[tuple[int, int]](), list[tuple[int, int]]()
    for numbers in alike.values():
        lying = {places.kind(instead[slots[number].piece]) for number in numbers}
        pairs = wanted if slots[numbers[0]].zone in zones else others
        pairs += [(numbers[0], kind) for kind in sorted(of_kind) if kind not in lying]
    for one, kind in [*_shuffled(wanted, dice), *_shuffled(others, dice)]:
        here = slots[one]
        giving = [
            there
            for there in (slots[number] for number in of_kind[kind])
            if here.admits >> instead[there.piece] & 1 and there.admits >> instead[here.piece] & 1
        ]
        if giving:
            there = giving[dice.below(len(giving))]
            yield Arrangement(instead | {here.piece: instead[there.piece], there.piece: instead[here.piece]})


def _shuffled(pairs: list[tuple[int, int]], dice: Dice) -> Iterator[tuple[int, int]]:
    return (pairs[number] for number in dice.shuffled(range(len(pairs))))


__all__ = ["Arrangement", "repaired"]
