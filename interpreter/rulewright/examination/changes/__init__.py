"""Analyses of what a change brings, by the programs of both alone: each looks as if it were not meant.

Of a whole game they say nothing: a habit of its rules is none of their business, only what differs from it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable

from rulewright.examination.changes.amounts import raised_limits, unspent_prices
from rulewright.examination.changes.assignments import overwritten_by_calls
from rulewright.examination.changes.decided_rules import dead_parameters, firsts_of_equals
from rulewright.examination.changes.options import free_options, hidden_restrictions
from rulewright.examination.examined_program import ExaminedProgram
from rulewright.examination.findings import Suspect

CHANGES: tuple[Callable[[ExaminedProgram, ExaminedProgram], Iterable[Suspect]], ...] = (
    unspent_prices,
    firsts_of_equals,
    hidden_restrictions,
    overwritten_by_calls,
    dead_parameters,
    free_options,
    raised_limits,
)
"""All of them; each is given the program and that of its base."""

__all__ = ["CHANGES"]
