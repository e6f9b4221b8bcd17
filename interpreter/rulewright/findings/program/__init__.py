"""Analyses of a program, by subject: functions that yield what looks as if it were not meant."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from rulewright.findings.program.bids import open_bids
from rulewright.findings.program.decided_conditions import decided_by_assignments, decided_conditions
from rulewright.findings.program.facts.examined_program import ExaminedProgram
from rulewright.findings.program.lasting import lasting_fields, short_lives
from rulewright.findings.program.out_of_reach import members_out_of_reach, numbers_out_of_reach, short_lists
from rulewright.findings.program.players import includes_self, marks_of_another, wrong_players
from rulewright.findings.suspects import Suspect

ANALYSES: tuple[Callable[[ExaminedProgram], Iterable[Suspect]], ...] = (
    decided_conditions,
    decided_by_assignments,
    wrong_players,
    short_lists,
    numbers_out_of_reach,
    includes_self,
    marks_of_another,
    members_out_of_reach,
)
"""Analyses of one program."""

OF_ADDITIONS: tuple[Callable[[ExaminedProgram, ExaminedProgram], Iterable[Suspect]], ...] = (
    lasting_fields,
    short_lives,
    open_bids,
)
"""Analyses of what a program has beside that of its base; a whole game adds everything."""

__all__ = ["ANALYSES", "OF_ADDITIONS"]
