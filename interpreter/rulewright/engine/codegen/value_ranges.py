"""Static facts about values, known while code is generated for them."""

from __future__ import annotations

from dataclasses import replace

from rulewright.foundation.lazy_dataclass import dataclass
from rulewright.ir import intervals
from rulewright.ir.model import INT_MAX, NONE, Ty

N = str(NONE)
"""The value none, in generated code."""

BIG = 1 << 16
"""Members of sets are below this."""


@dataclass(frozen=True, slots=True)
class V:
    """A piece of generated code that gives a value and may be written wherever a value is needed once.

    `kind` is ``n`` for numbers, indices and truths as 0 or 1, ``b`` for something Python takes as a truth, ``s`` for
    bit sets, ``l`` for tuples.
    """

    code: str
    kind: str = "n"
    null: bool = False
    """May be none (for lists: may hold a none)."""
    low: int = -INT_MAX
    high: int = INT_MAX
    bits: int = 0
    """For a set: only the bits below can be set."""
    living: bool = False
    """Surely a living member of its merged universe."""
    size: int = 0
    """For a list: it has at most this many items."""
    bit: str = ""
    """Code of ``1 << value``, if there is a cheaper one."""

    @property
    def atomic(self) -> bool:
        """A name or a literal: may be written more than once."""
        return self.code.isidentifier() or self.code.lstrip("-").isdigit()

    @property
    def constant(self) -> int | None:
        """The value, if it is known."""
        return int(self.code) if self.code.lstrip("-").isdigit() else None

    @property
    def shift(self) -> str:
        """Code of the set that has just this member (the value must not be none or out of range)."""
        return self.bit or f"1 << {self.code}"

    def named(self, name: str) -> V:
        """A value like this one, now in a variable."""
        return replace(self, code=name)


def constant(value: int) -> V:
    """A number, index or truth; or a bit set, where the program has one as a constant."""
    bits = value.bit_length() if value >= 0 else 0
    if value == NONE:
        return V(N, null=True, low=0, high=0)
    return V(literal(value), low=value, high=value, bits=bits, bit=literal(1 << value) if 0 <= value < BIG else "")


def constant_set(value: int) -> V:
    """A set that is known: unlike a constant of the program it can only be meant as a set."""
    return bits(literal(value), value.bit_length())


def literal(value: int) -> str:
    """A number as it is written: large ones in hexadecimal, as Python limits how many decimal digits it converts."""
    return str(value) if value.bit_length() <= 64 else hex(value)


def number(code: str, low: int, high: int, null: bool = False) -> V:
    """A number between bounds, or none."""
    return V(code, "n", null, low, high)


def truth(code: str) -> V:
    """A code that Python takes as a truth."""
    return V(code, "b", False, 0, 1)


def bits(code: str, size: int) -> V:
    """A set."""
    return V(code, "s", bits=size)


def listed(code: str, size: int, null: bool = False) -> V:
    """A list of at most this many items."""
    return V(code, "l", null, size=size)


def join(code: str, a: V, b: V) -> V:
    """The facts that hold for a value that is one of two."""
    kind = a.kind if a.kind == b.kind else "l" if "l" in (a.kind, b.kind) else "s" if "s" in (a.kind, b.kind) else "n"
    return V(
        code,
        kind,
        a.null or b.null,
        min(a.low, b.low),
        max(a.high, b.high),
        max(a.bits, b.bits),
        a.living and b.living,
        max(a.size, b.size),
    )


def of_type(code: str, ty: Ty, null: bool, sizes: dict[str, int], set_bits: int) -> V:
    """A value of a declared type."""
    if ty.kind == "set":
        return bits(code, set_bits)
    if ty.kind == "list":
        return listed(code, ty.capacity, null)
    within = intervals.of_type(ty, sizes)
    assert within is not None
    return number(code, *within, null)
