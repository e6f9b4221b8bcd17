"""Mutants: small changes of the rules, one at a time, and whether the tests of a ruleset find them.

    alterations ◄─ restricting, conditions, numbers, ordering, choosing, declaring     one operator a function
         └──► mutants ──► judging ──► judged                                       made, looked at, counted
                             ├── original, playing, relevance, fuzzed              with what, and by what

The idea is old: DeMillo, Lipton and Sayward, *Hints on test data selection*, Computer 11(4), 1978.
"""

from __future__ import annotations

from rulewright.mutation.judged import STAGES, MutationReport, Row, Verdict
from rulewright.mutation.mutants import Mutant
from rulewright.mutation.operators import OPERATORS
from rulewright.mutation.running import FUZZ, GAMES, mutate

__all__ = ["FUZZ", "GAMES", "OPERATORS", "STAGES", "Mutant", "MutationReport", "Row", "Verdict", "mutate"]
