"""The scenarios of a ruleset as plans that can be run."""

from __future__ import annotations

from rulewright.compiler import sources
from rulewright.compiler.scenarios.compile_cache import plan_scenario
from rulewright.data.ruleset import Ruleset
from rulewright.diagnostics import Diagnostic, RulesetError
from rulewright.ir.scenario_plan import ScenarioPlan


def plans(ruleset: Ruleset) -> list[ScenarioPlan]:
    """All scenarios of a ruleset, planned; RulesetError if one of them makes no sense."""
    source = sources(ruleset)
    found: list[Diagnostic] = [d for d in (*ruleset.diagnostics, *source.findings) if d.is_error]
    made: list[ScenarioPlan] = []
    for scenario in source.rules.scenarios if not found else ():
        plan, wrong = plan_scenario(source, scenario)
        if plan is not None:
            made.append(plan)
        found += [d for d in wrong if d.is_error]
    if found:
        raise RulesetError(found)
    return made
