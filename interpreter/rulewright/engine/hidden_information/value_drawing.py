"""Drawing one value of a type, or of those that the rules may have given, in a position that was dealt.

Pieces are drawn and numbered through in the order of where they lie and what they are: which of several alike pieces is
which must decide nothing.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property

from rulewright.engine.hidden_information.hidden_state import Hidden
from rulewright.engine.hidden_information.visibility import contents
from rulewright.engine.random_numbers import Dice
from rulewright.foundation.bit_sets import bits_of
from rulewright.ir import model as m
from rulewright.ir.information_flow.possible_values import Values
from rulewright.ir.model import NONE, Ty

WIDE = 1000
"""Numbers of a type are equally likely as long as there are no more of them."""
NEAR = 10
"""Of more only so many, from the least or from 0 on: any of them is as wrong as another."""


class Draw:
    """Draws values in a position in which the pieces were dealt."""

    def __init__(self, hidden: Hidden, cells: list[int], dice: Dice) -> None:
        self.hidden, self.layout, self.cells, self.dice = hidden, hidden.layout, cells, dice

    def value(self, ty: Ty, values: Values) -> int:
        """A number, truth, member or none."""
        return self.one_of(self.choices(ty, values))

    def choices(self, ty: Ty, values: Values) -> Sequence[int]:
        """All of these: members, and none where it may be."""
        members = self.members(ty, values)
        return [*members, NONE] if ty.optional and (values is None or NONE in values) else members

    def one_of(self, choices: Sequence[int]) -> int:
        """One of some values; none if there are none."""
        return choices[self.dice.below(len(choices))] if choices else NONE

    def subset(self, ty: Ty, values: Values, size: int | None = None) -> int:
        """A set of members, of this size if one is given."""
        members = self.members(ty, values)
        return sum(1 << n for n in self.dice.shuffled(members)[: self._below(members) if size is None else size])

    def items(self, ty: Ty, values: Values, length: int | None = None) -> list[int]:
        """The cells of a list, of this length if one is given."""
        members = self.members(ty, values)
        length = self.dice.below(ty.capacity + 1) if length is None else length
        items = [members[self.dice.below(len(members))] for _ in range(length)] if members else []
        return [len(items), *items, *[0] * (ty.capacity - len(items))]

    def piece_beside(self, piece: int) -> int:
        """A piece of the same zone; in which zone it lies is taken for known."""
        zone = self.cells[self.layout.loc + piece]
        there = [other for other in self._pieces if self.cells[self.layout.loc + other] == zone]
        return there[self.dice.below(len(there))]

    def rows(self, declared: m.Field) -> Sequence[int]:
        """The numbers of the values of a field, in an order that does not show which of alike pieces is which."""
        count = range(self.layout.fields[declared.name].count)
        if "Piece" not in declared.index:
            return count
        if declared.index == ("Piece",):
            return self._pieces
        rank = {piece: number for number, piece in enumerate(self._pieces)}
        keys = [self.layout.keys_of(number, declared.index) for number in count]
        named = [
            [rank[key] if universe == "Piece" else key for universe, key in zip(declared.index, row, strict=True)]
            for row in keys
        ]
        return sorted(count, key=named.__getitem__)

    def members(self, ty: Ty, values: Values) -> Sequence[int]:
        """The values among some that a type has, in order; of regions only those that exist."""
        layout = self.layout
        everything: Sequence[int]
        if ty.universe in layout.merged:
            everything = list(bits_of(self.hidden.state.cells[layout.merged[ty.universe].alive]))
        elif ty.universe == "Piece":
            return [piece for piece in self._pieces if values is None or piece in values]
        elif ty.kind == "bool" or ty.universe == "Bool":
            everything = range(2)
        elif ty.kind == "set" and ty.universe == "Int":
            everything = range(max(ty.low, 0), layout.set_bits(ty))
        elif ty.universe in ("", "Int"):
            everything = range(ty.low, ty.high + 1)
        else:
            everything = range(layout.sizes[ty.universe])
        if values is not None and (known := [value for value in sorted(values) if value in everything]):
            return known
        if len(everything) <= WIDE:
            return everything
        least = max(ty.low, 0) if ty.high >= 0 else ty.high - NEAR
        return range(least, min(least + NEAR, ty.high) + 1)

    def _below(self, members: Sequence[int]) -> int:
        return self.dice.below(len(members) + 1)

    @cached_property
    def _pieces(self) -> list[int]:
        """All pieces: zone by zone, in a stack or row by place, else by what they are."""
        kinds, found = self.hidden.engine.interchange.kind, list[int]()
        for instance in self.layout.instances:
            if not self.cells[instance.at]:
                continue  # empty: no piece, or a length of 0
            there = contents(self.cells, instance)
            found += there if instance.ordered else sorted(there, key=lambda piece: (kinds[piece], piece))
        return found
