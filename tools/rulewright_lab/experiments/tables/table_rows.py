"""Values of games as the columns of their table.

Rows of games in blocks, in one order however the games came: so many seeds of each arm in turn.

Rows of the small tables: measures and estimates, curves, answers.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from rulewright.foundation import dataclass
from rulewright_lab.experiments.arms import Arm
from rulewright_lab.experiments.columns.game_columns import ENDING_COLUMN, STATUS_COLUMN
from rulewright_lab.experiments.columns.portion_columns import PortionColumns
from rulewright_lab.experiments.extra_results import ExtraResults
from rulewright_lab.experiments.results import Results
from rulewright_lab.experiments.tables.fields import STATUS
from rulewright_lab.experiments.tables.writers import Values

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Column = NDArray[np.float64]


def game_values(block: GameBlock, arm: Arm, units: Mapping[str, str]) -> list[Values]:
    """The columns of a block of games of an arm, in the order of :func:`fields.game_fields`."""
    count, rules = len(block), arm.game.rule_names
    endings = [rules[rule] if rule >= 0 else None for rule in block.columns[ENDING_COLUMN].astype(int).tolist()]
    status = [STATUS[one] for one in block.columns[STATUS_COLUMN].astype(int).tolist()]
    seeds = [arm.seed_of(seed) for seed in range(block.first, block.first + count)]
    found: list[Values] = [[block.arm] * count, seeds, status, endings]
    for name in units:
        column = block.columns.get(name)
        found.append([None] * count if column is None else column)
    return found


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


Row = tuple[Any, ...]


def measure_rows(results: Results) -> Iterator[Row]:
    """A row for each measure of each arm, as in :data:`fields.MEASURES`."""
    data = results.data()
    apart = {(one["measure"], one["arm"]): one for one in _rows(data, "differences")}
    for measure in _rows(data, "measures"):
        for one in measure["arms"]:
            low, high = one.get("interval", (None, None))
            yield (
                *(measure["measure"], "mean", measure["unit"], one["arm"], one["games"], one.get("mean"), low, high),
                *(one.get("spread"), one.get("least"), one.get("most")),
                *_difference(apart.get((measure["measure"], one["arm"])), "pairs"),
            )
    apart = {(one["estimate"], one["arm"]): one for one in _rows(data, "estimate_differences")}
    for estimate in _rows(data, "estimates"):
        for one in estimate["arms"]:
            low, high = one["interval"] or (None, None)
            yield (
                *(
                    estimate["estimate"],
                    "estimate",
                    estimate["unit"],
                    one["arm"],
                    one["games"],
                    one["value"],
                    low,
                    high,
                ),
                *(None, None, None),
                *_difference(apart.get((estimate["estimate"], one["arm"])), "games"),
            )


def _difference(one: Any, count: str) -> Row:
    if one is None:
        return (None,) * 8
    low, high = one["interval"] or (None, None)
    effect = one.get("effect", {})
    cells = one["difference"], low, high, one[count], effect.get("size"), effect.get("kind")
    return (*cells, one["certain"], one["adjusted_p"])


def curve_rows(extra: ExtraResults) -> Iterator[Row]:
    """A row for each point of each curve in each arm, as in :data:`fields.CURVES`."""
    for curve in _rows(extra.data(), "curves"):
        apart = {(one["arm"], point["index"]): point for one in curve["differences"] for point in one["points"]}
        for one in curve["arms"]:
            for point in one["points"]:
                low, high = point["interval"] or (None, None)
                found = apart.get((one["arm"], point["index"]))
                ends = (None, None) if found is None else found["interval"] or (None, None)
                cells = (None, None, None, None) if found is None else (found["mean"], *ends, found["games"])
                yield (curve["curve"], one["arm"], point["index"], point["games"], point["mean"], low, high, *cells)


def answer_rows(extra: ExtraResults) -> Iterator[Row]:
    """A row for each option of each question in each arm, as in :data:`fields.ANSWERS`."""
    for arm in _rows(extra.data(), "answers"):
        for one in arm["options"]:
            cells = one["question"], one["option"], one["games"], one["offered"], one["taken"], one["share"]
            yield (arm["arm"], *cells, *one["interval"])


def _rows(data: dict[str, object], key: str) -> list[Any]:
    found: Any = data.get(key, [])
    return list(found)
