"""Other numbers for pieces in values: wherever cells or slots mention pieces."""

from __future__ import annotations

from collections.abc import Mapping

from rulewright.engine.cells.support import bits_of
from rulewright.ir.model import Ty


def rename_set(mask: int, names: Mapping[int, int]) -> int:
    """A set of pieces in which pieces have other numbers; those without a new one keep theirs."""
    return sum(1 << names.get(piece, piece) for piece in bits_of(mask))


def rename_value(ty: Ty, cells: list[int], at: int, names: Mapping[int, int]) -> None:
    """Change a piece, set or list of pieces in place."""
    if ty.kind == "set":
        cells[at] = rename_set(cells[at], names)
    elif ty.kind == "list":
        for item in range(at + 1, at + 1 + cells[at]):
            cells[item] = names.get(cells[item], cells[item])
    else:
        cells[at] = names.get(cells[at], cells[at])
