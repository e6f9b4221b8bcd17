"""Generic features of the positions of any game.

Each has a value for every seat; what counts is by how much that of a seat is above the mean of the others, so that one
weight serves all seats and any number of players. Features are read from whole positions. Positions for the features of
a seat must be such that follow from what the seat knows, as searches do: worlds that were dealt.
"""

from __future__ import annotations

from collections.abc import Sequence

from rulewright.engine import Engine, Stepper, rating_queries
from rulewright_lab.evaluation.board_features import BoardFeatures
from rulewright_lab.evaluation.feature_table import CellPlan, Family, PieceOwners, Reading, SeatsOf
from rulewright_lab.evaluation.field_features import FieldFeatures
from rulewright_lab.evaluation.piece_features import PieceFeatures


class RateFeatures:
    """The measures of the rules about a player, or, where they have none, all queries that rate one."""

    def __init__(self, engine: Engine) -> None:
        rates = rating_queries(engine)
        measures = tuple(name for name, query in rates.items() if query.is_measure)
        self.queries = measures or tuple(rates)
        self.names = tuple(f"{query}(p)" for query in self.queries)
        self._players = engine.program.players

    def add(self, reading: Reading, to: list[int], first: int) -> None:
        """Ask each."""
        for row, query in enumerate(self.queries, first):
            for seat, value in enumerate(reading.rates(query)):
                to[row * self._players + seat] += value


class TurnFeatures:
    """The seat to move, and the number of its options."""

    names: tuple[str, ...] = ("to be asked", "options when asked")

    def __init__(self, engine: Engine) -> None:
        self._players = engine.program.players

    def add(self, reading: Reading, to: list[int], first: int) -> None:
        """Note both of the seat to move."""
        if reading.seat is not None:
            to[first * self._players + reading.seat] += 1
            to[(first + 1) * self._players + reading.seat] += min(reading.options, 100)


class Features:
    """All features of a game."""

    def __init__(self, engine: Engine) -> None:
        self.engine, self.players = engine, engine.program.players
        seats, plan = SeatsOf(engine), CellPlan()
        plan.locations(engine)
        owners, rates = PieceOwners(engine, seats), RateFeatures(engine)
        graphs = [graph for graph in engine.program.graphs if graph.shape != "growing"]
        families: tuple[Family, ...] = (
            rates,
            FieldFeatures(engine, seats, owners, plan),
            PieceFeatures(engine, seats, owners, plan),
            *(BoardFeatures(engine, seats, owners, plan, graph) for graph in graphs),
            TurnFeatures(engine),
        )
        self._families = tuple(family for family in families if family.names)
        self.names = tuple(name for family in self._families for name in family.names)
        self.queries, self.cells = rates.queries, tuple(plan.cells)

    def of(self, stepper: Stepper, wanted: Sequence[bool] | None = None) -> list[int]:
        """The values of the position of a stepper: of each feature one for every seat; those of families of which none
        is `wanted` may be left 0. RulesetError if a query ends in one."""
        reading = Reading(stepper.numbers(self.cells), stepper.seat, stepper.options, stepper.rates)
        found, first = [0] * (len(self.names) * self.players), 0
        for family in self._families:
            size = len(family.names)
            if wanted is None or any(wanted[first : first + size]):
                family.add(reading, found, first)
            first += size
        return found


def features_of(engine: Engine) -> Features:
    """The features of a game, which are made once."""
    found: Features = engine.once("features", lambda _: Features(engine))
    return found


def compared(values: Sequence[int], players: int) -> list[list[float]]:
    """For each seat by how much each value is above the mean of the others; for one player the values."""
    rows = [values[at : at + players] for at in range(0, len(values), players)]
    if players == 1:
        return [[float(row[0]) for row in rows]]
    totals = [sum(row) for row in rows]
    return [
        [(players * row[seat] - total) / (players - 1) for row, total in zip(rows, totals, strict=True)]
        for seat in range(players)
    ]
