"""Fingerprints of positions: what some fields and zones hold, as four numbers.

A position is a sequence of words of 64 bits: the cells of its fields in their order, and for its zones one for each
place of a piece. Each word that is not as it was at first adds ``mix(mix(lane + n * GAMMA) ^ word)`` to each of two
lanes of 64 bits, *n* being its number and `mix` that of :mod:`rulewright.engine.random_numbers`. The sum makes it a
hash of multisets (Clarke and others, *Incremental multiset hash functions*, ASIACRYPT 2003): alike pieces in a zone
without order have the same number and the same word. The lanes, without two bits each, are the four numbers.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import reduce

from rulewright.engine.cells.layout import Layout
from rulewright.engine.random_numbers import GAMMA, MASK, hash64, mix
from rulewright.ir.types import INT_MAX

LANES = (hash64("the first lane of a position"), hash64("the second lane of a position"))
_WIDE = 96
"""Bits between two lanes that are added up as one number: more than any sum of words takes."""
_KEPT = 1 << 16
"""Words of which it is kept what they add."""


class Fingerprint:
    """The fingerprints of one choice of fields and zones."""

    def __init__(self, layout: Layout, fields: Sequence[str], zones: Sequence[str]) -> None:
        self._layout = layout
        self.fields: dict[str, int] = {}
        """For each field the number of its first word."""
        self.instances: dict[int, int] = {}
        """For each instance of a zone the number of its first word."""
        self._added: dict[tuple[int, int], int] = {}
        total = 0
        for name in fields:
            self.fields[name] = total
            place = layout.fields[name]
            total += place.count * place.span * self.words(name)
        for name in zones:
            zone = layout.zones[name]
            for number in range(zone.first, zone.first + zone.count):
                self.instances[number] = total
                total += zone.span
        self.size = total
        """The number of words."""

    def words(self, field: str) -> int:
        """The words of one cell of a field."""
        return max(1, -(-self._layout.widths[self._layout.fields[field].at] // 64))

    def __call__(self, cells: Sequence[int]) -> tuple[int, ...]:
        """The fingerprint of a position."""
        total, added = 0, self._added
        for word in self._changed(cells):
            known = added.get(word)
            if known is None:
                if len(added) >= _KEPT:
                    added.clear()
                known = added[word] = reduce(
                    int.__or__, (_added(lane, *word) << _WIDE * n for n, lane in enumerate(LANES))
                )
            total += known
        lanes = [total >> _WIDE * number & MASK for number in range(len(LANES))]
        return tuple(half for lane in lanes for half in (lane & INT_MAX, lane >> 32 & INT_MAX))

    def _changed(self, cells: Sequence[int]) -> Iterator[tuple[int, int]]:
        """The words that are not as they were at first, with their numbers."""
        layout = self._layout
        for name, first in self.fields.items():
            place, words = layout.fields[name], self.words(name)
            end = place.at + place.count * place.span
            now, before = cells[place.at : end], layout.initial[place.at : end]
            if now == before:
                continue
            for number, (value, old) in enumerate(zip(now, before, strict=True)):
                if value == old:
                    continue
                for at in range(words):
                    word = value >> 64 * at & MASK
                    if word != old >> 64 * at & MASK:
                        yield first + number * words + at, word
        for number, first in self.instances.items():
            instance = layout.instances[number]
            held = cells[instance.at]
            if instance.ordered:
                for slot, piece in enumerate(cells[instance.at + 1 : instance.at + 1 + held]):
                    yield first + 1 + slot, self._looks(cells, piece)
                continue
            while held:
                low = held & -held
                held ^= low
                yield first, self._looks(cells, low.bit_length() - 1)

    def _looks(self, cells: Sequence[int], piece: int) -> int:
        """A word for what a piece is, and which of its sides is up."""
        layout = self._layout
        return layout.program.alike[piece] << 8 | (cells[layout.side + piece] if layout.sided else 0)


def key_of(lane: int, number: int) -> int:
    """The key with which words of a number are mixed in a lane."""
    return mix(lane + number * GAMMA)


def _added(lane: int, number: int, word: int) -> int:
    return mix(key_of(lane, number) ^ word)
