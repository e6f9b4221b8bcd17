"""Rows of games in blocks, in one order however the games came: so many seeds of each arm in turn."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from rulewright.foundation import dataclass
from rulewright_lab.experiments.columns.game_columns import ENDING_COLUMN, STATUS_COLUMN
from rulewright_lab.experiments.columns.portion_columns import PortionColumns

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Column = NDArray[np.float64]

SIZE = 4096
"""Games of a block."""


@dataclass(frozen=True, slots=True)
class GameBlock:
    """Successive games of an arm."""

    arm: int
    first: int
    """The seed of the first."""
    columns: dict[str, Column]

    def __len__(self) -> int:
        return len(self.columns[STATUS_COLUMN])


class GameBlocks:
    """Takes in portions, and gives blocks."""

    def __init__(self, names: Sequence[Sequence[str]], seed: int) -> None:
        """`names` are the measures of each arm; the first game has this seed."""
        import numpy as np

        self._names = [(STATUS_COLUMN, ENDING_COLUMN, *each) for each in names]
        self._waiting: list[Column] = [np.zeros((len(each), 0)) for each in self._names]
        self._next = [seed] * len(names)

    def add(self, arm: int, portion: PortionColumns) -> Iterator[GameBlock]:
        """Take in games of an arm, in the order of their seeds; gives the blocks that are whole in all arms."""
        import numpy as np

        more = np.stack([portion.column(name) for name in self._names[arm]])
        self._waiting[arm] = np.hstack((self._waiting[arm], more))
        while min(one.shape[1] for one in self._waiting) >= SIZE:
            yield from self._taken()

    def rest(self) -> Iterator[GameBlock]:
        """All games that are left."""
        while any(one.shape[1] for one in self._waiting):
            yield from self._taken()

    def _taken(self) -> Iterator[GameBlock]:
        for arm, names in enumerate(self._names):
            block, self._waiting[arm] = self._waiting[arm][:, :SIZE], self._waiting[arm][:, SIZE:]
            if block.shape[1]:
                yield GameBlock(arm, self._next[arm], dict(zip(names, block, strict=True)))
                self._next[arm] += block.shape[1]
