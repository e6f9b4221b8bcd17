"""Analyses of a program, by subject: functions that yield what looks as if it were not meant."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from rulewright.findings.program.amounts import counted_pairs, values_from_before
from rulewright.findings.program.consequences import conditions_after_the_end, forestalled_consequences
from rulewright.findings.program.dead_parameters import dead_parameters
from rulewright.findings.program.decided_conditions import decided_by_assignments, decided_conditions, taken_back
from rulewright.findings.program.facts.examined_program import ExaminedProgram
from rulewright.findings.program.lasting import filling_zones, growing_fields, lasting_marks
from rulewright.findings.program.limits import raised_limits
from rulewright.findings.program.options import free_options, hidden_restrictions
from rulewright.findings.program.out_of_reach import members_out_of_reach, numbers_out_of_reach, short_lists
from rulewright.findings.program.overwritten import overwritten_by_calls
from rulewright.findings.program.players import includes_self, marks_of_another, wrong_players
from rulewright.findings.program.prices import kept_prices, unpaid_prices, unspent_prices, untaken_amounts
from rulewright.findings.program.treatment_of_players import every_turns, one_sided_changes, open_bids
from rulewright.findings.program.winners import ends_of_several, firsts_of_equals
from rulewright.findings.suspects import Suspect

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
"""Analyses of one program."""

OF_ADDITIONS: tuple[Callable[[ExaminedProgram, ExaminedProgram], Iterable[Suspect]], ...] = (
    unspent_prices,
    hidden_restrictions,
    overwritten_by_calls,
    free_options,
    raised_limits,
    kept_prices,
    lasting_marks,
    growing_fields,
    every_turns,
    one_sided_changes,
    values_from_before,
    counted_pairs,
    filling_zones,
    open_bids,
)
"""Analyses of what a program has beside that of its base; a whole game adds everything."""

OF_CHANGES = (*OF_ADDITIONS, firsts_of_equals, dead_parameters)
"""Analyses of a variant: a habit of a whole game is not among what they yield, only what differs from it."""

__all__ = ["ANALYSES", "OF_ADDITIONS", "OF_CHANGES"]
