"""The scenarios of a ruleset as plans that can be run, also with variants of which they know nothing."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Literal

from rulewright.compiler import named_variants, sources
from rulewright.compiler.scenarios.compile_cache import plan_scenario
from rulewright.data.ruleset import Ruleset
from rulewright.diagnostics import Diagnostic, RulesetError, Span
from rulewright.ir.scenario_plan import Line, Offered, Payoff, Refused, ScenarioPlan, Seen, Then, Wins
from rulewright.play.scenarios.causes import explained
from rulewright.play.scenarios.scenario_results import Failed, Failure, Over, ScenarioResult
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


Wanted = Callable[[str, str], bool]
"""Of a scenario's title and file: whether it is meant."""


def plans(ruleset: Ruleset) -> list[ScenarioPlan]:
    """All scenarios of a ruleset, planned; RulesetError if one of them makes no sense."""
    found: list[Diagnostic] = [d for d in ruleset.diagnostics if d.is_error]
    made: list[ScenarioPlan] = []
    for _, plan, wrong in _planned(ruleset, lambda title, file: True):
        if plan is not None:
            made.append(plan)
        found += wrong
    if found:
        raise RulesetError(found)
    return made


def planned(
    ruleset: Ruleset, wanted: Wanted = lambda title, file: True, variants: Iterable[str] = ()
) -> Iterator[ScenarioPlan | ScenarioResult]:
    """The scenarios that are meant, planned; one that makes no sense has failed, and does not stop the others.

    RulesetError if the rules themselves are wrong, or if there is no variant of one of these titles.
    """
    files = {file.path: file for file in (*ruleset.held_scenarios, *ruleset.files)}
    playable = ruleset.play_errors
    unread = [d for d in ruleset.diagnostics if d.is_error and d not in playable and d.span.file in files]
    broken: set[tuple[str, str]] = set()
    for finding in unread:
        file = files[finding.span.file]
        title = _title_at(file.file.decls, finding.span.line)
        if wanted(title or file.path, file.path) and (file.path, title) not in broken:
            yield _failed(title or file.path, (), [finding], file.text)
        broken.add((file.path, title))
    for scenario, plan, wrong in _planned(ruleset, wanted, variants):
        if (scenario.span.file, scenario.title) in broken:
            continue
        if plan is not None:
            yield plan
            continue
        place = files.get(wrong[0].span.file)  # a mistake in a file of data has no line of rules
        yield _failed(scenario.title, scenario.trivia.cites, wrong, place.text if place is not None else "")


def _planned(
    ruleset: Ruleset, wanted: Wanted, variants: Iterable[str] = ()
) -> Iterator[tuple[ast.Scenario, ScenarioPlan | None, list[Diagnostic]]]:
    source = sources(ruleset)
    errors = [d for d in (*ruleset.play_errors, *source.findings) if d.is_error]
    if errors:
        raise RulesetError(errors)
    named_variants(source, variants)
    for scenario in source.rules.scenarios:
        if wanted(scenario.title, scenario.span.file):
            plan, wrong = plan_scenario(source, scenario)
            yield scenario, plan, [d for d in wrong if d.is_error]


def _title_at(decls: Iterable[ast.Clause], line: int) -> str:
    """The title of the scenario in which a line stands."""
    before = [decl for decl in decls if isinstance(decl, ast.Scenario) and decl.span.line <= line]
    return before[-1].title if before else ""


def _failed(title: str, cites: Iterable[str], wrong: list[Diagnostic], text: str) -> ScenarioResult:
    first = wrong[0]
    message = "; ".join(part for part in (f"[{first.code}] {first.message}", first.hint) if part)
    lines = text.split("\n")
    shown = lines[first.span.line - 1].strip() if 0 < first.span.line <= len(lines) else ""
    return ScenarioResult(title, tuple(cites), first.span, Failure(message, first.span, shown))
