"""Clauses of variants that no scenario guards: each is changed a little, and all scenarios still hold."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass

from rulewright.compiler import sources
from rulewright.compiler.scenarios.compile_cache import plan_scenario
from rulewright.data.ruleset import Ruleset
from rulewright.findings.mutation.baseline import same_game
from rulewright.findings.mutation.kill_check import first_of_all
from rulewright.findings.mutation.mutants import Mutant, is_in_variants, mutants, sampled
from rulewright.ir.model import Program
from rulewright.ir.scenario_plan import ScenarioPlan
from rulewright.play.scenarios import run_scenario
from rulewright.syntax import ast

HEADS = ("in ", "before ", "after ")
"""Beginnings of lines that only say where something is changed: what stands beneath them is changed itself."""


@dataclass(frozen=True, slots=True)
class Unguarded:
    """A change of a clause after which all scenarios of the variants hold as before."""

    mutant: Mutant
    scenarios: int
    """The number of scenarios that hold."""


def unguarded(
    ruleset: Ruleset, titles: tuple[str, ...], programs: Iterable[Program], over: Callable[[], bool]
) -> Iterator[Unguarded]:
    """Changes of clauses of these variants that none of their scenarios finds, one for each line at most.

    Variants are left out without scenarios, or with one that fails as it is. No change is begun once it is `over`. A
    change that makes no other game, or none at all, is passed over: no scenario could find it, or each does.
    """
    plans = _plans(ruleset, titles)
    if not plans:
        return
    reported = set[tuple[str, int]]()
    made = [one for one in mutants(ruleset, programs, titles) if is_in_variants(ruleset, one, titles)]
    for mutant in sampled(made, None, 0):
        if over():
            return
        line = (mutant.span.file, mutant.span.line)
        if line not in reported and not mutant.before.startswith(HEADS) and _survives(ruleset, mutant, titles, plans):
            reported.add(line)
            yield Unguarded(mutant, len(plans))


def _plans(ruleset: Ruleset, titles: tuple[str, ...]) -> dict[str, ScenarioPlan]:
    """The scenarios that play one of the variants, by title; none if one of them fails without any change."""
    source = sources(ruleset)
    found: dict[str, ScenarioPlan] = {}
    for scenario in source.rules.scenarios:
        if titles and not set(titles).isdisjoint(_played_with(scenario)):
            plan, _ = plan_scenario(source, scenario)
            if plan is None or run_scenario(plan).failure is not None:
                return {}
            found[scenario.title] = plan
    return found


def _played_with(scenario: ast.Scenario) -> set[str]:
    """The variants that a scenario plays."""
    return {line.title for line in scenario.lines if isinstance(line, ast.SVariant)}


def _survives(ruleset: Ruleset, mutant: Mutant, titles: tuple[str, ...], plans: dict[str, ScenarioPlan]) -> bool:
    source = sources(mutant.applied(ruleset))
    if any(finding.is_error for finding in source.findings):
        return False
    own = [one for one in source.rules.scenarios if one.title in plans]
    differs = False
    for scenario in first_of_all(own, mutant):
        plan, _ = plan_scenario(source, scenario)
        if plan is None or run_scenario(plan).failure is not None:
            return False
        differs = differs or not same_game(plan.program, plans[scenario.title].program)
    return differs
