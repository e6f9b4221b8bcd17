"""Analyses of a program: functions that yield what looks as if it were not meant, by subject."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from rulewright.examination.analyses.amounts import (
    compared_to_wrong_amounts,
    draws_of_what_was_laid,
    short_lists,
    uneven_shares,
)
from rulewright.examination.analyses.conditions import (
    loose_brackets,
    members_out_of_reach,
    numbers_out_of_reach,
)
from rulewright.examination.analyses.consequences import (
    conditions_after_the_end,
    forestalled_consequences,
)
from rulewright.examination.analyses.decided_conditions import decided_by_assignments, decided_conditions, taken_back
from rulewright.examination.analyses.disclosures import answers_revealed_by_traces, fields_that_reveal_secrets
from rulewright.examination.analyses.marks import marks_left_behind, marks_of_another
from rulewright.examination.analyses.overwritten_values import overwritten_copies
from rulewright.examination.analyses.players import (
    attributes_of_wrong_entity,
    includes_self,
    players_who_choose_themselves,
    wrong_players,
)
from rulewright.examination.analyses.prices import (
    prices_above_demand,
    prices_counted_anew,
    unpaid_prices,
    untaken_amounts,
)
from rulewright.examination.analyses.winners import ends_of_several, neighbours_that_win
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
    neighbours_that_win,
    includes_self,
    marks_left_behind,
    overwritten_copies,
    loose_brackets,
    attributes_of_wrong_entity,
    prices_counted_anew,
    untaken_amounts,
    marks_of_another,
    conditions_after_the_end,
    uneven_shares,
    answers_revealed_by_traces,
    compared_to_wrong_amounts,
    draws_of_what_was_laid,
    members_out_of_reach,
    prices_above_demand,
    players_who_choose_themselves,
    fields_that_reveal_secrets,
)
"""All of them."""

__all__ = ["ANALYSES"]
