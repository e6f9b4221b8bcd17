"""Order of scenarios: those that are about a rule are run first."""

from __future__ import annotations

from collections.abc import Iterable

from rulewright.compiler.overlays.addresses import walk
from rulewright.fuzzing.mutation.mutants import Mutant
from rulewright.fuzzing.mutation.operators.operator_api import used_in
from rulewright.syntax import ast


def first_of_all(scenarios: Iterable[ast.Scenario], mutant: Mutant) -> list[ast.Scenario]:
    """All scenarios, those first that cite the same statements, then those that name the declaration."""
    return sorted(scenarios, key=lambda scenario: -_about(scenario, mutant))


def _about(scenario: ast.Scenario, mutant: Mutant) -> int:
    cites = {cite for clause in (scenario, *walk(scenario)) for cite in clause.trivia.cites}
    reasons = {line.because.parts[0] for line in scenario.lines if isinstance(line, ast.SRefused) and line.because}
    named = mutant.name in reasons or mutant.name in used_in(scenario)
    return 2 * (not cites.isdisjoint(mutant.cites)) + named
