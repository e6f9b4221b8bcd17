"""Analyses of what is worth knowing of a change, by the programs of both alone: somebody may well have meant it.

They are only counted unless somebody asks for all: each says in words what a statement comes to.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable

from rulewright.examination.examined_program import ExaminedProgram
from rulewright.examination.findings import Suspect
from rulewright.examination.notable.amounts.asked_behind import asked_behind
from rulewright.examination.notable.amounts.compared_in_loop import compared_in_loops
from rulewright.examination.notable.amounts.counted_pairs import counted_pairs
from rulewright.examination.notable.amounts.kept_price import kept_prices
from rulewright.examination.notable.amounts.refused_before import refused_before
from rulewright.examination.notable.amounts.too_few_left import too_few_left
from rulewright.examination.notable.amounts.value_from_before import values_from_before
from rulewright.examination.notable.players.best_of_nothing import bests_of_nothing
from rulewright.examination.notable.players.every_turn import every_turns
from rulewright.examination.notable.players.one_sided_change import one_sided_changes
from rulewright.examination.notable.players.open_bids import open_bids
from rulewright.examination.notable.players.own_answer import own_answers
from rulewright.examination.notable.players.worse_one_wins import worse_ones_win
from rulewright.examination.notable.staying.filling_zone import filling_zones
from rulewright.examination.notable.staying.kept_reaction import kept_reactions
from rulewright.examination.notable.staying.laid_open_late import laid_open_late
from rulewright.examination.notable.staying.lasting_mark import growing_fields, lasting_marks
from rulewright.examination.notable.staying.man_left_behind import men_left_behind
from rulewright.examination.notable.staying.stuck_condition import stuck_conditions, values_set_for_good

NOTABLE: tuple[Callable[[ExaminedProgram, ExaminedProgram], Iterable[Suspect]], ...] = (
    kept_prices,
    lasting_marks,
    growing_fields,
    every_turns,
    one_sided_changes,
    values_from_before,
    counted_pairs,
    filling_zones,
    laid_open_late,
    refused_before,
    men_left_behind,
    bests_of_nothing,
    worse_ones_win,
    open_bids,
    stuck_conditions,
    values_set_for_good,
    too_few_left,
    kept_reactions,
    asked_behind,
    own_answers,
    compared_in_loops,
)
"""All of them; each is given the program and that of its base."""

__all__ = ["NOTABLE"]
