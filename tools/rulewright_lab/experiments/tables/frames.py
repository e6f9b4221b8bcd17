"""Tables in memory, for further work with them: as Arrow, pandas or polars.

games = game.playouts(1000)
lab.experiments.frame(games, game=game).pandas()
lab.experiments.frame(results, "measures").polars()
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from rulewright.engine import Playouts
from rulewright.foundation import table
from rulewright.play import Game
from rulewright_lab.agents.words import wrong
from rulewright_lab.experiments.columns.portion_columns import PortionColumns
from rulewright_lab.experiments.results import Results
from rulewright_lab.experiments.tables.fields import ANSWERS, CURVES, MEASURES, SEED, STATUS, Field, game_fields
from rulewright_lab.experiments.tables.table_rows import (
    GameBlock,
    GameBlocks,
    answer_rows,
    curve_rows,
    game_values,
    measure_rows,
)
from rulewright_lab.experiments.tables.writers import Values, arrow_schema, arrow_table

if TYPE_CHECKING:
    import pyarrow as pa

TABLES = ("measures", "curves", "answers")


class Frame:
    """A table with described columns."""

    def __init__(self, fields: Sequence[Field], columns: Sequence[Values]) -> None:
        self.fields = tuple(fields)
        """The columns: names, types, units and meanings."""
        self._columns = columns

    def __len__(self) -> int:
        return len(self._columns[0]) if self._columns else 0

    def arrow(self) -> pa.Table:
        """The table as one of Arrow (extra ``parquet``); meanings and units are metadata of its fields."""
        return arrow_table(self._columns, arrow_schema(self.fields))

    def pandas(self) -> Any:
        """The table as a `pandas.DataFrame`; pandas must be installed."""
        return self.arrow().to_pandas()

    def polars(self) -> Any:
        """The table as a `polars.DataFrame`; polars must be installed."""
        import polars

        return polars.from_arrow(self.arrow())

    def _repr_html_(self) -> str:
        return table([field.name for field in self.fields], zip(*self._columns, strict=True))


def frame(found: Results | Playouts, name: str = "measures", game: Game | None = None) -> Frame:
    """The table of an experiment's results: its ``measures``, ``curves`` or ``answers``; or of games that were played
    (:meth:`Game.playouts`), a row for each, with the names of their `game`. RulesetError if there is no such table."""
    if isinstance(found, Playouts):
        if not isinstance(game, Game):
            raise wrong("games that were played do not know their game", "give it, too: frame(games, game=game)")
        return _played(found, game)
    if not isinstance(found, Results):
        raise wrong(f"`{type(found).__name__}` is no table", "give results of an experiment, or Game.playouts")
    extra = found.extra
    if name == "measures":
        return _rows(MEASURES, measure_rows(found))
    if name == "curves" and extra.series:
        return _rows(CURVES, curve_rows(extra))
    if name == "answers" and extra.counts_answers:
        return _rows(ANSWERS, answer_rows(extra))
    there = "was not asked for" if name in TABLES else "is none of its tables: measures, curves, answers"
    raise wrong(f"`{name}` {there}", "games are gathered while they are played, by GameRows")


def _rows(fields: Sequence[Field], rows: Iterable[Sequence[Any]]) -> Frame:
    return Frame(fields, list(zip(*rows, strict=True)) or [()] * len(fields))


def _played(found: Playouts, game: Game) -> Frame:
    """A row for each game: its seed, decisions and ending, for each seat its place and payoff."""
    fields = [
        SEED,
        Field("status", "string", "Whether it is over or was stopped.", "", STATUS[:2], True),
        Field("decisions", "integer", "The answers of players.", required=True),
        Field("ending", "string", "The rule that has ended it."),
        Field("drawn", "boolean", "True if several are first and none has beaten the others.", required=True),
        *(Field(f"place {seat}", "integer", "The place of the seat, from 1.") for seat in game.seats),
        *(Field(f"payoff {seat}", "number", "The worth of the game to the seat.") for seat in game.seats),
    ]
    names = game.rule_names
    over = [rule >= 0 or places > 0 for rule, places in zip(found.rules, found.places[0], strict=True)]
    columns: list[Values] = [
        range(found.seed, found.seed + len(found)),
        [STATUS[0] if one else STATUS[1] for one in over],
        found.decisions,
        [names[rule] if rule >= 0 else None for rule in found.rules],
        [bool(one) for one in found.drawn],
        *([place or None for place in places] for places in found.places),
        *found.payoffs,
    ]
    return Frame(fields, columns)


class GameRows:
    """The games of an experiment, a row for each, gathered while it is played: give it every portion."""

    def __init__(self, results: Results) -> None:
        self._units: Mapping[str, str] = results.measures
        self._arms = [one.arm for one in results.arms]
        self._blocks = GameBlocks([tuple(one.units) for one in results.arms], results.seed)
        self._found: list[list[Values]] = []

    def add(self, arm: int, portion: PortionColumns) -> None:
        """Take in games of an arm, in the order of their seeds."""
        self._take(self._blocks.add(arm, portion))

    def frame(self) -> Frame:
        """The table of all games; none can be added after it."""
        self._take(self._blocks.rest())
        fields = game_fields(self._units)
        return Frame(fields, [[one for part in parts for one in part] for parts in zip(*self._found, strict=True)])

    def _take(self, blocks: Iterable[GameBlock]) -> None:
        self._found.extend(game_values(block, self._arms[block.arm], self._units) for block in blocks)
