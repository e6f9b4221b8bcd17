"""Mutants: small changes of the rules, one at a time, and whether the tests of a ruleset find them.

    alterations ◄─ restricting, conditions, numbers, ordering, choosing, declaring     one operator a function
         └──► mutants ──► judging ──► judged                                       made, looked at, counted
                             ├── original, playing, relevance, fuzzed              with what, and by what

The idea is old: DeMillo, Lipton and Sayward, *Hints on test data selection*, Computer 11(4), 1978.
"""

from __future__ import annotations

from rulewright.findings.mutation.mutants import OPERATORS, Mutant
from rulewright.findings.mutation.mutation_report import STAGES, MutantStatus, MutationReport, Row
from rulewright.findings.mutation.mutation_run import FUZZ, GAMES, MutationOptions, mutate
