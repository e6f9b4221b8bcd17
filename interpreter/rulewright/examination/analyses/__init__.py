"""Analyses of a program: functions that yield what looks as if it were not meant, by subject."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from rulewright.examination.analyses.consequences import conditions_after_the_end, forestalled_consequences
from rulewright.examination.analyses.decided_conditions import decided_by_assignments, decided_conditions, taken_back
from rulewright.examination.analyses.out_of_reach import members_out_of_reach, numbers_out_of_reach, short_lists
from rulewright.examination.analyses.players import includes_self, marks_of_another, wrong_players
from rulewright.examination.analyses.prices import unpaid_prices, untaken_amounts
from rulewright.examination.analyses.winners import ends_of_several
from rulewright.examination.examined_program import ExaminedProgram
from rulewright.examination.findings import Suspect

ANALYSES: tuple[Callable[[ExaminedProgram], Iterable[Suspect]], ...] = (
    unpaid_prices,
    decided_conditions,
    decided_by_assignments,
    taken_back,
    wrong_players,
    ends_of_several,
    short_lists,
    forestalled_consequences,
    numbers_out_of_reach,
    includes_self,
    untaken_amounts,
    marks_of_another,
    conditions_after_the_end,
    members_out_of_reach,
)
"""All of them."""

__all__ = ["ANALYSES"]
