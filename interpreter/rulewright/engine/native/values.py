"""Values while code is written for them: where they are, and what is known of them."""

from __future__ import annotations

from rulewright.engine.native.word_sizes import words
from rulewright.foundation.lazy_dataclass import dataclass
from rulewright.ir.model import INT_MAX, NONE

ABSOLUTE = -2
"""In place of the local from which an address is counted: it is counted from 0."""


class Unsupported(Exception):
    """Raised where a program holds something that this backend cannot compile."""


@dataclass(frozen=True, slots=True)
class Value:
    """A number (an index, a truth as 0 or 1) in a local of 32 bits, a set in locals of 64 bits or in memory, or a list,
    of which a local of 32 bits holds the address (its length, then its items, all of 32 bits); or a constant."""

    locals: tuple[int, ...] = ()
    """Empty for a constant, and for a set in memory."""
    known: int = 0
    """The constant."""
    is_set: bool = False
    null: bool = False
    """May be none, or hold a none."""
    low: int = -INT_MAX
    high: int = INT_MAX
    """Bounds of a number that is not none, or of the items of a list."""
    bits: int = 0
    """Of a set only the bits below this can be set."""
    living: bool = False
    """Surely a living member of its merged universe, or a set of such."""
    is_list: bool = False
    capacity: int = 0
    """A list has at most so many items."""
    is_sparse: bool = False
    """A set of few members, as a list of them."""
    base: int = -1
    """The local with the address of a set in memory, from which :attr:`at` is counted, or :data:`ABSOLUTE`; -1 for
    other values."""
    at: int = 0

    @property
    def constant(self) -> int | None:
        """The value, if it is known."""
        return None if self.locals or self.in_memory else self.known

    @property
    def in_memory(self) -> bool:
        """True of a set that lies in memory, where it does not change as long as the value is used."""
        return self.base != -1

    @property
    def words(self) -> int:
        """The words of a set."""
        return words(self.bits)


def constant(value: int) -> Value:
    """A number that is known; a greater one than there are is meant as a set."""
    if value == NONE:
        return Value(known=NONE, null=True, low=0, high=0)
    if value > INT_MAX:
        return constant_set(value)
    return Value(known=value, low=value, high=value)


def constant_set(value: int) -> Value:
    """A set that is known."""
    return Value(known=value, is_set=True, bits=value.bit_length())
