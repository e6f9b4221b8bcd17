"""Facts of games that machine code has played, from the rows in which it tells of them."""

from __future__ import annotations

from array import array
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from rulewright.engine import MeasuredGames
from rulewright.play import Game
from rulewright_lab.experiments.columns.game_columns import FINISHED, UNFINISHED, GameColumns, Query

if TYPE_CHECKING:
    from numpy.typing import NDArray

_BEFORE = 3
"""Numbers of a row before the places: answers, why it stopped, the rule that ended it."""


def columns_of_rows(
    seeds: range, rows: array[int], machine: MeasuredGames, game: Game, queries: Sequence[Query]
) -> GameColumns:
    """The columns of the first of some games, of as many as there are rows."""
    import numpy as np

    plan, players = machine.plan, game.players
    table = np.ascontiguousarray(np.frombuffer(rows, np.int32).reshape(-1, plan.width).T)
    count = table.shape[1]
    ending = table[2]
    over = ending >= 0
    ranks = table[_BEFORE : plan.paid]
    first = ranks[:-1] == 1
    drawn = ranks[-1] != 0
    if game.engine.payoffs.parties:
        won = sum(first[seat].astype(np.int64) << seat for seat in range(players))
        drawn &= ~np.isin(won, [*game.engine.payoffs.parties])
    asked: dict[Query, NDArray[Any]] = {}
    place = plan.queried
    for name in machine.measured:
        for seat in [None] if (name, None) in queries else range(players):
            asked[name, seat] = np.where(over, table[place], 0).astype(float)
            place += 1
    return GameColumns(
        seeds[:count],
        np.where(over, FINISHED, UNFINISHED),
        ending,
        table[0],
        table[plan.options].view(np.uint32) + (table[plan.options + 1].astype(np.int64) << 32),
        table[plan.forced],
        ranks[:players],
        first.sum(axis=0),
        drawn.astype(np.int64),
        table[plan.paid : plan.options].astype(float)
        if game.engine.payoffs.pays
        else _by_place(ranks[:players], drawn),
        table[plan.uses : plan.queried],
        asked,
        {},
    )


def _by_place(places: NDArray[Any], drawn: NDArray[Any]) -> NDArray[Any]:
    """The worth to each seat of games whose rules do not pay: as :func:`rulewright.engine.runtime.payoffs.by_place`
    says it of one."""
    import numpy as np

    others = max(1, len(places) - 1)
    found = np.stack([sum((one > mine).astype(int) - (one < mine) for one in places) / others for mine in places])
    alike = (places == places[0]).all(axis=0)
    everybody = np.where(drawn, 0.0, np.where(places[0] == 1, 1.0, -1.0))
    return np.where(alike & (places[0] > 0), everybody, found)
