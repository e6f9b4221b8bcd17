"""Analyses of what is worth knowing of a change, by the programs of both alone: the author may well have meant it.

These findings are only counted unless all are requested: each describes the effect of a statement.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable

from rulewright.examination.examined_program import ExaminedProgram
from rulewright.examination.findings import Suspect
from rulewright.examination.notable.amounts import counted_pairs, kept_prices, values_from_before
from rulewright.examination.notable.lasting import filling_zones, growing_fields, lasting_marks
from rulewright.examination.notable.players import every_turns, one_sided_changes, open_bids

NOTABLE: tuple[Callable[[ExaminedProgram, ExaminedProgram], Iterable[Suspect]], ...] = (
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
"""All of them; each is given the program and that of its base."""

__all__ = ["NOTABLE"]
