"""The places of hidden pieces, and in which ways the pieces can lie there.

Which pieces may change places follows from the position alone; it is found once for any number of worlds. How they
really lie decides nothing: dealing begins with an arrangement that follows from what the places take. So from one seed
a player gets the same world in all positions that they cannot distinguish.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import cached_property
from typing import Protocol

from rulewright.engine.random_numbers import Dice
from rulewright.foundation.bit_sets import bits_of
from rulewright.foundation.lazy_dataclass import dataclass
from rulewright.ir.model import NONE

_SWEEPS = 8
"""Exchanges that are tried for each piece where zones take different kinds."""


class Arrangements(Protocol):
    """Ways in which hidden pieces can lie."""

    def exchanged(self, dice: Dice) -> dict[int, int]:
        """One of them: for each hidden piece the one that lies in its place instead."""


@dataclass(frozen=True, slots=True)
class HiddenSlot:
    """The place of a hidden piece."""

    piece: int
    admits: int
    """The pieces that could lie there instead, as a set."""
    zone: int = NONE
    """The first cell of its zone, if that has no order."""


@dataclass(frozen=True, slots=True)
class _Loose:
    """The places that also take a piece of another group than their own."""

    numbers: tuple[int, ...]
    groups: tuple[int, ...]
    """For each of them the group of its own piece."""
    takes: tuple[tuple[bool, ...], ...]
    """For each of them, whether it takes the pieces of a group."""
    freely: bool
    """True if each takes the pieces of all others."""


class Places:
    """Places of hidden pieces. Pieces that may lie in the same of them are a group."""

    def __init__(self, places: Iterable[HiddenSlot], kinds: Sequence[int] = ()) -> None:
        """Places in an order that the player could give them as well. `kinds` gives for each piece what it is, as a
        number that is the same for all that look alike; without it all are different."""
        self.slots = tuple(places)
        self._true = [place.piece for place in self.slots]
        self._kinds = kinds

    @cached_property
    def arranged(self) -> list[int]:
        """For each place the piece that lies there before anything is shuffled."""
        return _arranged([place.admits for place in self.slots], self._sorted())

    def kind(self, piece: int) -> int:
        """The kind of a piece: a number that is the same for all that look alike."""
        return self._kinds[piece] if self._kinds else piece

    def _sorted(self) -> list[int]:
        return sorted(self._true, key=lambda piece: (self.kind(piece), piece))

    def __bool__(self) -> bool:
        return bool(self.slots)

    @cached_property
    def pieces(self) -> int:
        """The pieces that lie in them, as a set."""
        return sum([1 << piece for piece in self._true])

    @cached_property
    def _parts(self) -> list[int]:
        """The pieces of each part that every place takes as a whole, or not at all; as sets."""
        parts = [self.pieces]
        for admits in dict.fromkeys([place.admits for place in self.slots]):
            parts = [half for part in parts for half in (part & admits, part & ~admits) if half]
        return parts

    @cached_property
    def _groups(self) -> list[list[int]]:
        """The groups, each as the numbers of the places of its pieces."""
        part_of = {piece: number for number, part in enumerate(self._parts) for piece in bits_of(part)}
        groups: dict[int, list[int]] = {}
        for number, piece in enumerate(self.arranged):
            groups.setdefault(part_of[piece], []).append(number)
        return list(groups.values())

    @cached_property
    def _loose(self) -> _Loose | None:
        if len(self._groups) < 2:
            return None
        first = [self.arranged[numbers[0]] for numbers in self._groups]  # what takes it, takes all of its group
        known: dict[int, tuple[bool, ...]] = {}
        found: list[tuple[int, int, tuple[bool, ...]]] = []
        for own, numbers in enumerate(self._groups):
            others = self.pieces & ~next(part for part in self._parts if part >> first[own] & 1)
            for number in numbers:
                admits = self.slots[number].admits
                if admits & others:
                    takes = known.get(admits)
                    if takes is None:
                        takes = known[admits] = tuple([bool(admits >> piece & 1) for piece in first])
                    found.append((number, own, takes))
        if not found:
            return None
        there = dict.fromkeys(own for _, own, _ in found)
        freely = all(takes[group] for takes in dict.fromkeys(takes for _, _, takes in found) for group in there)
        places, groups, all_takes = map(tuple, zip(*found, strict=True))
        return _Loose(places, groups, all_takes, freely)

    @cached_property
    def mixed(self) -> list[list[int]]:
        """The pieces that :meth:`exchanged` may put in each other's places: all of a group, and of groups that meet."""
        meeting = set(self._loose.groups) if self._loose is not None else set()
        apart = [numbers for own, numbers in enumerate(self._groups) if own not in meeting]
        met = [number for own in sorted(meeting) for number in self._groups[own]]
        return [[self.arranged[number] for number in numbers] for numbers in (*apart, met) if len(numbers) > 1]

    def exchanged(self, dice: Dice) -> dict[int, int]:
        """For each hidden piece the one that lies in its place instead.

        Pieces of a group are shuffled. Where places take pieces of several groups, these are shuffled as well if any
        of them takes any piece of the others. Else exchanges of two are tried, each allowed if both places take what
        they get: done often enough, every way to lay them is equally likely.
        """
        pieces = self.arranged
        now = list(pieces)
        for numbers in self._groups:
            for number, piece in zip(numbers, dice.shuffled([pieces[n] for n in numbers]), strict=True):
                now[number] = piece
        loose = self._loose
        if loose is not None and loose.freely:
            for number, piece in zip(loose.numbers, dice.shuffled([now[n] for n in loose.numbers]), strict=True):
                now[number] = piece
        elif loose is not None:
            _sweep(now, loose, dice)
        return dict(zip(self._true, now, strict=True))


def _arranged(admits: Sequence[int], pieces: Sequence[int]) -> list[int]:
    """For each place one of some pieces that it takes, each piece once: a perfect matching of places and pieces.

    Places that take fewest are first, and take the first piece that is left; where none is, those before give way along
    an augmenting path (H. W. Kuhn, *The Hungarian method for the assignment problem*, 1955).
    """
    takes = {mask: [piece for piece in pieces if mask >> piece & 1] for mask in dict.fromkeys(admits)}
    begun = dict.fromkeys(takes, 0)
    lies: dict[int, int] = {}
    """For each piece that is laid the number of its place."""
    for number in sorted(range(len(admits)), key=lambda n: len(takes[admits[n]])):
        mask = admits[number]
        candidates, at = takes[mask], begun[mask]
        while at < len(candidates) and candidates[at] in lies:  # none that was laid is ever free again
            at += 1
        begun[mask] = at
        if at < len(candidates):
            lies[candidates[at]] = number
        else:
            _give_way(number, admits, takes, lies)
    found = [NONE] * len(admits)
    for piece, number in lies.items():
        found[number] = piece
    return found


def _give_way(number: int, admits: Sequence[int], takes: dict[int, list[int]], lies: dict[int, int]) -> None:
    """Lay a piece in a place although all that it takes are laid: others are laid elsewhere."""
    before: dict[int, int] = {}
    """For each piece that was looked at the place that would take it."""
    waiting = [number]
    for place in waiting:  # breadth first
        for piece in takes[admits[place]]:
            if piece in before:
                continue
            before[piece] = place
            if piece in lies:
                waiting.append(lies[piece])
                continue
            while True:
                place = before[piece]
                taken = next((p for p, at in lies.items() if at == place), NONE)
                lies[piece] = place
                if place == number:
                    return
                piece = taken


def _sweep(now: list[int], loose: _Loose, dice: Dice) -> None:
    """Exchange pieces two by two, where both places take what they get."""
    lies = [now[number] for number in loose.numbers]
    groups, takes, size = list(loose.groups), loose.takes, len(lies)
    for a, b in dice.pairs(size, _SWEEPS * size):
        one, other = groups[a], groups[b]
        if takes[a][other] and takes[b][one]:
            lies[a], lies[b] = lies[b], lies[a]
            groups[a], groups[b] = other, one
    for number, piece in zip(loose.numbers, lies, strict=True):
        now[number] = piece


NO_PLACES = Places(())
