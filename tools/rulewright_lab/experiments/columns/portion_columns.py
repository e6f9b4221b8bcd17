"""The measures of a portion of games: what processes, clusters and journals hand on, a column for each measure.

The seeds are not kept, as game number *i* has the first seed plus *i*. A column whose values are small whole numbers
takes one to four bytes a game, where it is undefined the smallest number of its type.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from rulewright.foundation import dataclass
from rulewright_lab.experiments.columns.game_columns import FAILED, FINISHED, UNFINISHED, GameColumns

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Column = NDArray[np.float64]

_WHOLE = ("i1", "<i2", "<i4")
"""The types of whole numbers, the smallest first."""


@dataclass(frozen=True, slots=True)
class PortionColumns:
    """Some games of an arm, of successive seeds."""

    seeds: range
    packed: dict[str, NDArray[Any]]
    """For each measure its values, as few bytes a game as they need."""
    games: tuple[int, int, int]
    """The numbers of games that are finished, unfinished, failed."""
    endings: dict[int, int]
    """For each rule that has ended games, by its number, how many."""
    used: dict[int, int]
    """For each rule that was used, by its number, in how many games."""
    endless: int | None
    """The lowest seed of a game that was stopped."""
    failures: dict[str, tuple[int, int]]
    """For each fault its number of games, and the lowest seed of one."""

    @staticmethod
    def of(games: GameColumns, values: Mapping[str, Column]) -> PortionColumns:
        """From the facts of games, and the values of their measures."""
        import numpy as np

        status = np.bincount(games.status, minlength=3)
        over = games.ending[games.status == FINISHED]
        endings = np.bincount(over) if len(over) else np.zeros(0, np.int64)
        used = np.count_nonzero(games.uses, axis=1)
        unfinished = np.flatnonzero(games.status == UNFINISHED)
        failures: dict[str, tuple[int, int]] = {}
        for seed, why in sorted(games.failures.items()):
            times, first = failures.get(why, (0, seed))
            failures[why] = times + 1, first
        return PortionColumns(
            games.seeds,
            {name: _pack(column) for name, column in values.items()},
            (int(status[FINISHED]), int(status[UNFINISHED]), int(status[FAILED])),
            {int(rule): int(endings[rule]) for rule in np.flatnonzero(endings)},
            {int(rule): int(used[rule]) for rule in np.flatnonzero(used)},
            games.seeds[unfinished[0]] if len(unfinished) else None,
            failures,
        )

    def __len__(self) -> int:
        return len(self.seeds)

    def column(self, name: str) -> Column:
        """The values of a measure; NaN where it is undefined."""
        return _unpack(self.packed[name])

    def to_bytes(self) -> bytes:
        """All of it, the same for the same games on every machine."""
        head = {
            "first": self.seeds.start,
            "count": len(self.seeds),
            "columns": [[name, column.dtype.str.replace("|", "")] for name, column in self.packed.items()],
            "games": self.games,
            "endings": sorted(self.endings.items()),
            "used": sorted(self.used.items()),
            "endless": self.endless,
            "failures": sorted((why, *known) for why, known in self.failures.items()),
        }
        text = json.dumps(head, separators=(",", ":")).encode()
        return b"".join((len(text).to_bytes(4, "little"), text, *(one.tobytes() for one in self.packed.values())))

    @staticmethod
    def from_bytes(raw: bytes) -> PortionColumns:
        """The portion of which these are the bytes; ValueError if they are none."""
        import numpy as np

        begin = 4 + int.from_bytes(raw[:4], "little")
        head = json.loads(raw[4:begin])
        first, count = head["first"], head["count"]
        packed: dict[str, NDArray[Any]] = {}
        for name, kind in head["columns"]:
            packed[name] = np.frombuffer(raw, kind, count, begin)
            begin += packed[name].nbytes
        if begin != len(raw):
            raise ValueError("there is more than the columns")
        failures = {why: (times, seed) for why, times, seed in head["failures"]}
        finished, unfinished, failed = head["games"]
        return PortionColumns(
            range(first, first + count),
            packed,
            (finished, unfinished, failed),
            dict(head["endings"]),
            dict(head["used"]),
            head["endless"],
            failures,
        )

    def __reduce__(self) -> tuple[Any, tuple[bytes]]:
        return PortionColumns.from_bytes, (self.to_bytes(),)


def _pack(column: Column) -> NDArray[Any]:
    """Values in the smallest type that has them all."""
    import numpy as np

    known = column == column
    some = column if known.all() else column[known]
    if not len(some):
        return np.full(len(column), np.iinfo("i1").min, "i1")
    low, high = some.min(), some.max()
    if low <= np.iinfo("<i4").min or high > np.iinfo("<i4").max or (some != np.trunc(some)).any():
        return column
    kind = next(one for one in _WHOLE if np.iinfo(one).min < low and high <= np.iinfo(one).max)
    return np.where(known, column, np.iinfo(kind).min).astype(kind)


def _unpack(packed: NDArray[Any]) -> Column:
    import numpy as np

    if packed.dtype.kind == "f":
        return packed
    column = packed.astype(np.float64)
    column[packed == np.iinfo(packed.dtype).min] = np.nan
    return column
