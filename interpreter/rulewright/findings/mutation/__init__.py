"""Mutants: small changes of the rules, one at a time, and whether the tests of a ruleset find them.

operators ──► mutants ──► kill check ──► mutation run ──► mutation report
                              └── baseline, the games and findings of the ruleset itself

The idea is old: DeMillo, Lipton and Sayward, *Hints on test data selection*, Computer 11(4), 1978.
"""

from __future__ import annotations

from rulewright.findings.mutation.mutants import OPERATORS, Mutant
from rulewright.findings.mutation.mutation_report import STAGES, MutantStatus, MutationReport, Row
from rulewright.findings.mutation.mutation_run import FUZZ, GAMES, MutationOptions, mutate
