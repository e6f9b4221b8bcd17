"""Scenarios of a ruleset run with variants of which they know nothing: what becomes another game, line by line."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Literal

from rulewright.compiler import sources
from rulewright.compiler.scenarios.compile_cache import plan_scenario
from rulewright.data.ruleset import Ruleset
from rulewright.diagnostics import RulesetError, Span
from rulewright.ir.scenario_plan import Line, Offered, Payoff, Refused, ScenarioPlan, Seen, Then, Wins
from rulewright.play.scenarios.causes import explained
from rulewright.play.scenarios.planning import Wanted
from rulewright.play.scenarios.scenario_results import Failed, Failure, Over
from rulewright.play.scenarios.scenario_runner import Runner, run_scenario
from rulewright.syntax import ast

Outcome = Literal["same", "changed", "broken", "unfit"]
"""All holds as before; something else comes; the rules fail; it makes no sense with the variants."""

_EXPECTATIONS = (Then, Refused, Offered, Seen, Wins, Payoff)


@dataclass(frozen=True, slots=True)
class Carried:
    """A scenario that holds without the variants, and what comes of it with them."""

    title: str
    span: Span
    outcome: Outcome
    changes: tuple[Failure, ...] = ()
    """Lines that do not hold: what was ``expected``, and what is ``found`` now."""
    why: str = ""
    """The reason why it is broken, or why it makes no sense."""


def carried_over(ruleset: Ruleset, titles: Sequence[str], wanted: Wanted) -> Iterator[Carried]:
    """The scenarios that name no variant and hold without one, each run with these variants.

    A line that expects something else does not end a scenario; an answer that cannot be given does.
    """
    source = sources(ruleset)
    errors = [d for d in (*ruleset.play_errors, *source.findings) if d.is_error]
    if errors:
        raise RulesetError(errors)
    for scenario in source.rules.scenarios:
        names_one = any(isinstance(line, ast.SVariant) for line in scenario.lines)
        if names_one or not wanted(scenario.title, scenario.span.file):
            continue
        plain, _ = plan_scenario(source, scenario)
        if plain is None or not run_scenario(plain).passed:
            continue
        lines = (*(ast.SVariant(title) for title in titles), *scenario.lines)
        plan, wrong = plan_scenario(source, replace(scenario, lines=lines))
        if plan is None:
            first = next(d for d in wrong if d.is_error)
            yield Carried(scenario.title, scenario.span, "unfit", why=f"[{first.code}] {first.message}")
        else:
            carried = _run(plan)
            narrowed = tuple(explained(ruleset, replace(scenario, lines=lines), one) for one in carried.changes)
            yield replace(carried, changes=narrowed)


def _run(plan: ScenarioPlan) -> Carried:
    runner, line, changes = Runner(plan), Line(plan.span), list[Failure]()
    try:
        for line in plan.steps:
            try:
                runner.run(line)
            except Failed as failed:
                changes.append(runner.failure(line, failed))
                if not isinstance(line, _EXPECTATIONS):
                    break
        else:
            runner.fates.nothing_left()
    except Over:
        pass
    except Failed as failed:
        changes.append(runner.failure(line, failed))
    except RulesetError as error:
        first = error.diagnostics[0]
        return Carried(plan.title, plan.span, "broken", tuple(changes), f"[{first.code}] {first.message}")
    return Carried(plan.title, plan.span, "changed" if changes else "same", tuple(changes))
