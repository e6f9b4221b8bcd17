"""A kernel with everything that their subset of Python has, for the test of its translation."""

from __future__ import annotations

from dataclasses import dataclass, field
from math import sqrt
from typing import Protocol

from rulewright.engine.kernels.vocabulary import Floats, Reals, Vector, Word, Words
from rulewright.engine.random_numbers import MASK

LIMIT = 20


class Outside(Protocol):
    """An interface: each world does it in its own way."""

    @property
    def is_modern(self) -> bool:
        """A constant."""

    def doubled(self, number: int) -> int:
        """Twice a number."""

    def weights(self) -> Reals:
        """Some floats."""


@dataclass(slots=True, eq=False)
class Item:
    """An item in a list that is linked, and in a vector."""

    number: int
    weight: float = 0.5
    key: Word = 0
    next: Item | None = None
    old: Item | None = None

    def is_heavy(self, than: float) -> bool:
        """True if the item is heavier than that."""
        return self.weight > than


@dataclass(slots=True, eq=False)
class Shop:
    """The record of which there is one."""

    outside: Outside
    items: Vector[Item] = field(init=False)
    first: Item | None = field(init=False)
    bits: Words = field(init=False)
    count: int = field(init=False)

    @property
    def is_empty(self) -> bool:
        """True if there is nothing."""
        return self.first is None and len(self.items) == 0

    def reset(self, words: int) -> None:
        """Begin with nothing."""
        self.items = Vector(3 * LIMIT)
        self.first = None
        self.bits = Words(words)
        self.count = 0

    def put(self, number: int, weight: float) -> int:
        """Put items into both lists; how many there are."""
        if self.is_empty:
            self.count = -1
        item = self.items.add(Item(number, weight))
        item.key = item.key + self.mixed(number)
        self.first = Item(self.outside.doubled(number), weight=weight / 2, next=self.first)
        if not self.outside.is_modern:
            item.old = self.first
        self.count += 2 if number > 3 else 1
        return self.count

    def mixed(self, number: int) -> Word:
        """A word of 64 bits."""
        word: Word = number
        word = (word * 0x9FB21C651E98DF25 + 1) & MASK
        word ^= word >> 29
        return word

    def search(self, wanted: int, less: float) -> float:
        """Sums over both lists, with every kind of loop."""
        total, found = 0.0, self.first
        while found is not None and found.number != wanted:
            if found.number % 5 == 1:
                found = found.next
                continue
            total += found.weight
            found = found.next
        for item in self.items:
            if item.is_heavy(less):
                continue
            if item.number > LIMIT:
                break
            total -= item.weight * item.number
        for item in reversed(self.items):
            if item.number == wanted:
                return -total
            total += sqrt(abs(item.number)) if item.number < wanted or self.deep(item) > 2 else 1
        if found is None:
            total = max(total, less) + min(wanted, 3)
        return total

    def deep(self, item: Item) -> int:
        """Something with an effect."""
        self.count += 1
        return item.number & 7

    def bit_sums(self, size: int) -> Word:
        """Bits of words that are set and taken out one after the other."""
        one: Word = 1
        for number in range(size):
            at = number % len_of(size)
            self.bits[at] |= one << ((number * number) & 63)
        found: Word = 0
        for at in range(1, len_of(size)):
            word = self.bits[at]
            while word:
                lowest = word & -word
                found += lowest.bit_length() - 1 + 64 * at + word.bit_count()
                word ^= lowest
        last = self.items[-1]
        last.key, found = found, last.key ^ found
        return found

    def dot(self, size: int) -> float:
        """Products of floats in a row."""
        weights, products = self.outside.weights(), Floats(size + 1)
        for at in range(size):
            products[at + 1] = products[at] + weights[at] * (1 if 2 <= at < 4 else -2)
        return products[size]


def len_of(size: int) -> int:
    """A value that stands in the place of its calls."""
    return (size >> 3) + 1
