"""Values while code is written for them: where they are, what is known of them, and the terms that they are."""

from __future__ import annotations

from collections.abc import Sequence
from functools import reduce
from operator import and_

from rulewright.engine.native.memory_map import WORD_BITS, words
from rulewright.engine.native.webassembly.terms import I64, Local, Term, const, mem64
from rulewright.foundation.lazy_dataclass import dataclass
from rulewright.ir.model import INT_MAX, NONE

ABSOLUTE = const(0)
"""The base of an address that is counted from 0."""
MASK = (1 << WORD_BITS) - 1
"""A mask with all members of a word."""


class Unsupported(Exception):
    """Raised where a program holds something that this backend cannot compile."""


@dataclass(frozen=True, slots=True)
class Value:
    """A number (an index, a truth as 0 or 1) in a local of 32 bits, a set in locals of 64 bits or in memory, or a list,
    of which a local of 32 bits holds the address (its length, then its items, all of 32 bits); or a constant."""

    locals: tuple[Local, ...] = ()
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
    base: Term | None = None
    """Of a set in memory the address from which :attr:`at` is counted, which may be :data:`ABSOLUTE`."""
    at: int = 0

    @property
    def constant(self) -> int | None:
        """The value, if it is known."""
        return None if self.locals or self.in_memory else self.known

    @property
    def in_memory(self) -> bool:
        """True of a set that lies in memory, where it does not change as long as the value is used."""
        return self.base is not None

    @property
    def words(self) -> int:
        """The words of a set."""
        return words(self.bits)

    @property
    def term(self) -> Term:
        """The number, or the address of a list."""
        return self.locals[0] if self.locals else const(self.known)

    @property
    def local(self) -> Local:
        """The variable that holds a number or the address of a list."""
        return self.locals[0]

    def word(self, number: int) -> Term:
        """A word of a set; 0 behind the last."""
        if self.base is not None and number < self.words:
            return mem64(self.base, self.at + 8 * number)
        if self.locals:
            return self.locals[number] if number < len(self.locals) else const(0, I64)
        return const(self.known >> WORD_BITS * number & MASK, I64)

    @property
    def address(self) -> Term:
        """The address of a set in memory."""
        assert self.base is not None
        if self.base is ABSOLUTE:
            return const(self.at)
        return self.base + self.at if self.at else self.base

    @property
    def holds(self) -> Term:
        """The truth of a condition, which none has not."""
        return self.term.eq(1) if self.null else self.term


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


def present(values: Sequence[Value]) -> Term:
    """The truth of no value, of one or more, being none."""
    return reduce(and_, (v.term.ne(NONE) for v in values))


def absent(v: Value) -> Term:
    """The truth of a value that may be none being none."""
    return present([v]).eqz()
