"""The scenarios of a ruleset as plans that can be run."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator

from rulewright.compiler import named_variants, sources
from rulewright.compiler.scenarios.compile_cache import plan_scenario
from rulewright.data.ruleset import Ruleset
from rulewright.diagnostics import Diagnostic, RulesetError
from rulewright.ir.scenario_plan import ScenarioPlan
from rulewright.play.scenarios.scenario_results import Failure, ScenarioResult
from rulewright.syntax import ast

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
