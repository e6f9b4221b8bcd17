"""Analyses of what is worth knowing of a change, by the programs of both alone: the author may well have meant it.

These findings are only counted unless all are requested: each describes the effect of a statement.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable

from rulewright.examination.examined_program import ExaminedProgram
from rulewright.examination.findings import Suspect
from rulewright.examination.notable.amounts import (
    compared_in_loops,
    counted_pairs,
    kept_prices,
    queries_after_change,
    too_few_left,
    values_from_before,
)
from rulewright.examination.notable.lasting import growing_fields, lasting_marks, stuck_conditions, values_set_for_good
from rulewright.examination.notable.players import (
    bests_of_nothing,
    every_turns,
    minimum_wins,
    one_sided_changes,
    open_bids,
    own_answers,
)
from rulewright.examination.notable.staying import filling_zones, kept_reactions, pieces_not_moved_along

NOTABLE: tuple[Callable[[ExaminedProgram, ExaminedProgram], Iterable[Suspect]], ...] = (
    kept_prices,
    lasting_marks,
    growing_fields,
    every_turns,
    one_sided_changes,
    values_from_before,
    counted_pairs,
    filling_zones,
    pieces_not_moved_along,
    bests_of_nothing,
    minimum_wins,
    open_bids,
    stuck_conditions,
    values_set_for_good,
    too_few_left,
    kept_reactions,
    queries_after_change,
    own_answers,
    compared_in_loops,
)
"""All of them; each is given the program and that of its base."""

__all__ = ["NOTABLE"]
