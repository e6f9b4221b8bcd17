"""Analyses that play a game and the one that it changes beside each other, with the same seeds and agents.

analysis ──► pairs (a number of players each) ──► budget        how many games, how much time
    ├──────► counted program                                    conditions are counted like uses of rules
    ├──────► counted question                                   conditions are counted before a question
    └──────► exchange                                           positions are compared with seats exchanged
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from rulewright.examination.findings import Suspect
from rulewright.examination.side_by_side.amount_of_nothing import amounts_of_nothing
from rulewright.examination.side_by_side.asked_too_late import asked_too_late
from rulewright.examination.side_by_side.closed_way import closed_ways
from rulewright.examination.side_by_side.counted_itself import things_that_count_themselves
from rulewright.examination.side_by_side.idle_rule import idle_rules
from rulewright.examination.side_by_side.missing_piece import missing_pieces
from rulewright.examination.side_by_side.one_sided_condition import one_sided_conditions
from rulewright.examination.side_by_side.pair import Pair
from rulewright.examination.side_by_side.stopped_game import stopped_games
from rulewright.examination.side_by_side.unequal_seats import unequal_seats

SIDE_BY_SIDE: dict[str, Callable[[Sequence[Pair]], Iterable[Suspect]]] = {
    "games that stop": stopped_games,
    "things that count themselves": things_that_count_themselves,
    "conditions asked too late": asked_too_late,
    "conditions that hold always or never": one_sided_conditions,
    "amounts of nothing": amounts_of_nothing,
    "draws of too little": missing_pieces,
    "restrictions that nothing passes": closed_ways,
    "rules of no use": idle_rules,
    "seats that are not alike": unequal_seats,
}
"""All of them, by what they look for."""

__all__ = ["SIDE_BY_SIDE"]
