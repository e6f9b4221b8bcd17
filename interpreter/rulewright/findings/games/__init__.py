"""Analyses that play games: of a variant beside its base, with the same seeds and agents, or of a whole game alone.

Most of them lay probes into the rules and read the tally of one loop (`playing`). EXM302 to EXM304 describe effects
without a judgement: the reader sees what was not meant.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from rulewright.findings.games.conditions import counts_itself, late_conditions
from rulewright.findings.games.effect_in_games import effects_in_games
from rulewright.findings.games.exceeded_limits import exceeded_limits
from rulewright.findings.games.lost_symmetries import unequal_members, unequal_seats
from rulewright.findings.games.part_of_no_effect import parts_of_no_effect
from rulewright.findings.games.playing.playing_budget import Pair
from rulewright.findings.games.statement_in_games import statements_in_games
from rulewright.findings.games.stopped_game import stopped_games
from rulewright.findings.games.unused_rule import idle_rules
from rulewright.findings.suspects import Suspect

SIDE_BY_SIDE: dict[str, Callable[[Sequence[Pair]], Iterable[Suspect]]] = {
    "limits that are passed": exceeded_limits,
    "games that stop": stopped_games,
    "things that count themselves": counts_itself,
    "conditions asked too late": late_conditions,
    "rules of no use": idle_rules,
    "seats that are not alike": unequal_seats,
    "members that are not alike": unequal_members,
    "effects of answers": effects_in_games,
    "effects of statements": statements_in_games,
    "parts of no effect": parts_of_no_effect,
}
"""All of them, by what they look for."""

OF_GAMES = SIDE_BY_SIDE.keys() - {"limits that are passed", "seats that are not alike", "members that are not alike"}
"""Analyses that need no games of a base."""

__all__ = ["OF_GAMES", "SIDE_BY_SIDE"]
