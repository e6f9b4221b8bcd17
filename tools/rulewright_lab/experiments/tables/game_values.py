"""Values of games as the columns of their table."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from rulewright_lab.experiments.columns.game_columns import ENDING_COLUMN, STATUS_COLUMN
from rulewright_lab.experiments.tables.fields import STATUS
from rulewright_lab.experiments.tables.game_blocks import GameBlock
from rulewright_lab.experiments.tables.writers import Values


def game_values(block: GameBlock, rules: Sequence[str], units: Mapping[str, str]) -> list[Values]:
    """The columns of a block of games, in the order of :func:`fields.game_fields`; `rules` are the names of those of
    its arm."""
    count = len(block)
    endings = [rules[rule] if rule >= 0 else None for rule in block.columns[ENDING_COLUMN].astype(int).tolist()]
    status = [STATUS[one] for one in block.columns[STATUS_COLUMN].astype(int).tolist()]
    found: list[Values] = [[block.arm] * count, range(block.first, block.first + count), status, endings]
    for name in units:
        column = block.columns.get(name)
        found.append([None] * count if column is None else column)
    return found
