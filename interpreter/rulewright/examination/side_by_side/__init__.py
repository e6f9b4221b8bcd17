"""Analyses that play a game and the one that it changes beside each other, with the same seeds and agents.

Most of them lay probes into the rules and read the tally of one loop (`playing`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from rulewright.examination.described import DESCRIBED_BY_GAMES
from rulewright.examination.findings import Suspect
from rulewright.examination.playing.playing_budget import Pair
from rulewright.examination.side_by_side.amounts import exceeded_limits
from rulewright.examination.side_by_side.conditions import counts_itself, late_conditions
from rulewright.examination.side_by_side.lost_symmetries import unequal_members, unequal_seats
from rulewright.examination.side_by_side.stopped_game import stopped_games
from rulewright.examination.side_by_side.unused_rule import idle_rules

SIDE_BY_SIDE: dict[str, Callable[[Sequence[Pair]], Iterable[Suspect]]] = {
    "limits that are passed": exceeded_limits,
    "games that stop": stopped_games,
    "things that count themselves": counts_itself,
    "conditions asked too late": late_conditions,
    "rules of no use": idle_rules,
    "seats that are not alike": unequal_seats,
    "members that are not alike": unequal_members,
    **DESCRIBED_BY_GAMES,
}
"""All of them, by what they look for."""

__all__ = ["SIDE_BY_SIDE"]
