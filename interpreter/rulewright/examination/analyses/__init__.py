"""Analyses of a program: each file gives a function that yields what looks as if it were not meant."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from rulewright.examination.analyses.amounts.drawn_again import draws_of_what_was_laid
from rulewright.examination.analyses.amounts.held_against_another import amounts_held_against_another
from rulewright.examination.analyses.amounts.larger_price import prices_larger_than_asked
from rulewright.examination.analyses.amounts.overwritten_copy import overwritten_copies
from rulewright.examination.analyses.amounts.overwritten_value import overwritten_values
from rulewright.examination.analyses.amounts.price_counted_anew import prices_counted_anew
from rulewright.examination.analyses.amounts.short_list import short_lists
from rulewright.examination.analyses.amounts.stale_value import stale_values
from rulewright.examination.analyses.amounts.uneven_share import uneven_shares
from rulewright.examination.analyses.amounts.unpaid_price import unpaid_prices
from rulewright.examination.analyses.amounts.untaken_amount import untaken_amounts
from rulewright.examination.analyses.conditions.after_the_end import conditions_after_the_end
from rulewright.examination.analyses.conditions.decided_by_assignment import decided_by_assignments, taken_back
from rulewright.examination.analyses.conditions.decided_condition import decided_conditions
from rulewright.examination.analyses.conditions.forestalled_consequence import forestalled_consequences
from rulewright.examination.analyses.conditions.idle_restriction import idle_restrictions, numbers_never_refused
from rulewright.examination.analyses.conditions.lasting_consequence import lasting_consequences
from rulewright.examination.analyses.conditions.loose_brackets import loose_brackets
from rulewright.examination.analyses.conditions.missing_member import members_out_of_reach
from rulewright.examination.analyses.conditions.out_of_reach import numbers_out_of_reach
from rulewright.examination.analyses.players.another_things_worth import worths_of_another
from rulewright.examination.analyses.players.chooses_themselves import players_who_choose_themselves
from rulewright.examination.analyses.players.end_of_several import ends_of_several
from rulewright.examination.analyses.players.mark_left_behind import marks_left_behind
from rulewright.examination.analyses.players.marked_other import marks_of_another
from rulewright.examination.analyses.players.neighbour_wins import neighbours_that_win
from rulewright.examination.analyses.players.one_among_them import ones_among_them
from rulewright.examination.analyses.players.told_by_its_trace import answers_told_by_traces
from rulewright.examination.analyses.players.told_by_public_field import fields_that_tell_secrets
from rulewright.examination.analyses.players.wrong_player import wrong_players
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
    overwritten_values,
    stale_values,
    numbers_out_of_reach,
    lasting_consequences,
    idle_restrictions,
    numbers_never_refused,
    neighbours_that_win,
    ones_among_them,
    marks_left_behind,
    overwritten_copies,
    loose_brackets,
    worths_of_another,
    prices_counted_anew,
    untaken_amounts,
    marks_of_another,
    conditions_after_the_end,
    uneven_shares,
    answers_told_by_traces,
    amounts_held_against_another,
    draws_of_what_was_laid,
    members_out_of_reach,
    prices_larger_than_asked,
    players_who_choose_themselves,
    fields_that_tell_secrets,
)
"""All of them."""

__all__ = ["ANALYSES"]
