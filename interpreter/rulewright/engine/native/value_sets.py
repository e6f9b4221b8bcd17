"""Fields over places or pieces as sets: for each value the keys that have it, kept up to date beside the cells.

``{c in Cell where owner[c] is p}`` is then one load instead of a loop (bitboards, as chess programs have them). Only
fields that rules compare in this way, and that have few values, are kept so.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence

from rulewright.engine.cells.layout import Layout
from rulewright.engine.native.word_sizes import words
from rulewright.foundation.lazy_dataclass import dataclass
from rulewright.ir import model as m
from rulewright.ir.model import NONE

FEW = 16
"""So many values a field has at most."""


@dataclass(frozen=True, slots=True)
class ValueSets:
    """The sets of a field: first that of the keys with none, then one for each value, then an empty one."""

    field: str
    offset: int
    """Their begin, in bytes from the first."""
    low: int
    high: int
    """The least and the largest value."""
    keys: int
    """The number of keys: bits of each set."""

    @property
    def span(self) -> int:
        """The bytes of one set."""
        return 8 * words(self.keys)

    @property
    def size(self) -> int:
        """The bytes of all."""
        return self.span * (self.high - self.low + 3)

    def slot(self, value: int) -> int:
        """The number of the set of a value."""
        return 0 if value == NONE else value - self.low + 1

    def encoded(self, values: Sequence[int]) -> bytes:
        """The sets of a field with these values."""
        found = [0] * (self.high - self.low + 3)
        for key, value in enumerate(values):
            found[self.slot(value)] |= 1 << key
        return b"".join(one.to_bytes(self.span, "little") for one in found)


_ASKING = (m.Cmp, m.FieldGet)


def compared_fields(program: m.Program, rules: Iterable[object]) -> frozenset[str]:
    """The fields with one key that nodes of rules compare with a value for some variable, or ask for a truth."""
    truths = {field.name for field in program.fields if field.ty.kind == "bool"}
    return frozenset(
        side.field
        for node in rules
        if type(node) in _ASKING
        for side in _compared(node)
        if isinstance(side, m.FieldGet) and len(side.index) == 1 and isinstance(side.index[0], m.Var)
        if isinstance(node, m.Cmp) or side.field in truths
    )


def find_value_sets(layout: Layout, program: m.Program, compared: Collection[str]) -> tuple[ValueSets, ...]:
    """The fields that are worth it, of those that are compared."""
    found: list[ValueSets] = []
    offset = 0
    for field in program.fields:
        if field.name not in compared or field.index[0] in layout.merged:
            continue
        bounds = _bounds(layout, field.ty)
        if bounds is not None and bounds[1] - bounds[0] < FEW:
            found.append(ValueSets(field.name, offset, *bounds, layout.sizes[field.index[0]]))
            offset += found[-1].size
    return tuple(found)


def _compared(node: object) -> tuple[object, ...]:
    """The parts that are compared with a value, or are conditions themselves."""
    if isinstance(node, m.Cmp):
        return (node.left, node.right) if node.op in ("eq", "ne") else ()
    return (node,)


def _bounds(layout: Layout, ty: m.Ty) -> tuple[int, int] | None:
    if ty.kind == "bool":
        return 0, 1
    if ty.kind == "entity":
        return 0, layout.sizes[ty.universe] - 1
    return (ty.low, ty.high) if ty.kind == "int" else None
