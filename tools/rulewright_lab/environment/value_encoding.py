"""Numbers for values of fields, as learning algorithms want them: one-hot, bits, counts, or a fraction of a bound.

The numbers that a question about whole numbers may offer, or that chance may draw.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping, MutableSequence, Sequence
from typing import Any

from rulewright.engine import Engine
from rulewright.ir import MAX_NUMBER_BITS, interval
from rulewright.ir import model as m


def bounds(source: m.Expr | None, ty: m.Ty) -> tuple[int, int]:
    """The least and the greatest number, from what is offered and the type of what is answered."""
    while isinstance(source, m.Filter):
        source = source.source
    match source:
        case m.IntRange(low, high) if (least := interval(low)) is not None and (most := interval(high)) is not None:
            return least[0], max(least[0], min(most[1], MAX_NUMBER_BITS - 1))
        case m.Const(int(members)) if members > 0:
            return (members & -members).bit_length() - 1, members.bit_length() - 1
        case _:
            bounded = ty.low >= -MAX_NUMBER_BITS and ty.high < MAX_NUMBER_BITS
            return (ty.low, ty.high) if bounded else (0, MAX_NUMBER_BITS - 1)


ONE_HOT = 64
"""So many different numbers are distinguished one by one; of more only the size is given."""
BY_POSITION = 512
"""A list whose places take no more numbers than this is encoded place by place, a longer one by counts."""


class Encoding(ABC):
    """An encoding of a value, as :meth:`State.view` has it, into so many numbers."""

    width: int

    @abstractmethod
    def write(self, value: Any, into: MutableSequence[float], at: int) -> None:
        """Write a value that is not none; `into` is 0 there."""

    @abstractmethod
    def labels(self) -> Sequence[str]:
        """The meaning of each number."""


class Truth(Encoding):
    """1 for what is true."""

    width = 1

    def write(self, value: Any, into: MutableSequence[float], at: int) -> None:
        """Write a truth."""
        into[at] = float(value is True)

    def labels(self) -> Sequence[str]:
        """Say what it is."""
        return ("true",)


class Number(Encoding):
    """A number as a fraction of the greatest there can be."""

    width = 1

    def __init__(self, ty: m.Ty) -> None:
        greatest = max(abs(ty.low), abs(ty.high))
        self.unit = greatest if 0 < greatest < m.INT_MAX else MAX_NUMBER_BITS

    def write(self, value: Any, into: MutableSequence[float], at: int) -> None:
        """Write a number."""
        into[at] = value / self.unit

    def labels(self) -> Sequence[str]:
        """Say what it is."""
        return (f"÷ {self.unit}",)


class Members(Encoding):
    """1, or the number of times, at each member that is mentioned: one-hot for a single one, bits for a set."""

    def __init__(self, keys: Sequence[str], low: int | None = None) -> None:
        self._keys, self.low = keys, low
        """The number that has the first element, of numbers; None: members are known by their keys."""
        self.column: Mapping[str, int] = {key: n for n, key in reversed(list(enumerate(keys)))}
        self.width = len(keys)

    def write(self, value: Any, into: MutableSequence[float], at: int) -> None:
        """Write a member, or a set or list of them; what is not known of it is left out."""
        for one in value if isinstance(value, list | tuple) else (value,):
            number = self.column.get(one) if self.low is None else one - self.low
            if number is not None and 0 <= number < self.width:
                into[at + number] += 1.0

    def labels(self) -> Sequence[str]:
        """The members."""
        return self._keys


class Places(Encoding):
    """The places of a list, one after the other."""

    def __init__(self, item: Encoding, capacity: int) -> None:
        self.item, self.capacity = item, capacity
        self.width = item.width * capacity

    def write(self, value: Any, into: MutableSequence[float], at: int) -> None:
        """Write the items; of a list whose length alone is known nothing."""
        for number, one in enumerate(value if isinstance(value, list | tuple) else ()):
            if one is not None:
                self.item.write(one, into, at + number * self.item.width)

    def labels(self) -> Sequence[str]:
        """The meaning of each number, place by place."""
        return tuple(f"{place}: {label}" for place in range(self.capacity) for label in self.item.labels())


def encoding(engine: Engine, ty: m.Ty, kinds: Sequence[str]) -> Encoding:
    """The encoding of the values of a type; `kinds` are the different keys of pieces."""
    if ty.kind == "bool":
        return Truth()
    if ty.kind == "int":
        return _numbers(ty, Number(ty))
    members = _members(engine, ty, kinds)
    if ty.kind == "list":
        return Places(members, ty.capacity) if members.width * ty.capacity <= BY_POSITION else members
    return members


def _members(engine: Engine, ty: m.Ty, kinds: Sequence[str]) -> Encoding:
    if ty.universe == "Piece":
        return Members(kinds)
    if ty.universe == "Bool":
        return Truth() if ty.kind == "list" else Members(("false", "true"))
    if ty.universe == "Int":
        bounded = 0 <= ty.high - ty.low < MAX_NUMBER_BITS
        low, high = (ty.low, ty.high) if bounded else (0, MAX_NUMBER_BITS - 1)
        return Number(ty) if ty.kind == "list" and not bounded else Members(tuple(map(str, range(low, high + 1))), low)
    return Members(engine.layout.universes[ty.universe].keys)


def _numbers(ty: m.Ty, otherwise: Encoding) -> Encoding:
    if 0 <= ty.high - ty.low < ONE_HOT:
        return Members(tuple(map(str, range(ty.low, ty.high + 1))), ty.low)
    return otherwise
