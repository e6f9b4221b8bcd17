"""Everything that can be said about a ruleset without playing it: every player count, every variant, every scenario."""

from __future__ import annotations

from collections.abc import Iterator

from rulewright.analysis import Sources, compile_program, compile_rules, player_counts, sources
from rulewright.analysis.compiler import Compiler
from rulewright.analysis.labels import walk
from rulewright.analysis.plans import Planner
from rulewright.data.ruleset import Ruleset
from rulewright.diagnostics import Diagnostic, Report, Severity
from rulewright.program import model as m
from rulewright.program import scenario as plan
from rulewright.spelling import did_you_mean
from rulewright.syntax import ast


def check(ruleset: Ruleset) -> list[Diagnostic]:
    """All findings, each once, in the order of files and lines."""
    found = list(ruleset.diagnostics)
    source = sources(ruleset)
    found += source.findings
    # Rules that could not be read completely would only give consequences of the same mistakes.
    if not any(d.is_error for d in found):
        for count in player_counts(source.rules) or (None,):
            found += compile_program(source, count)[1]
        if not any(d.is_error for d in found):
            for title in source.variants:
                for count in player_counts(source.rules):
                    found += compile_program(source, count, (title,))[1]
    found += _citations(ruleset)
    if not any(d.is_error for d in found):
        for scenario in source.rules.scenarios:
            found += plan_scenario(source, scenario)[1]
    return _with_cites(dict.fromkeys(found), ruleset)


def plan_scenario(source: Sources, scenario: ast.Scenario) -> tuple[plan.ScenarioPlan | None, list[Diagnostic]]:
    """The plan of a scenario, or what is wrong with it."""
    report = Report()
    seats: tuple[str, ...] = ()
    titles: list[str] = []
    options: dict[str, ast.Expr] = {}
    for line in scenario.lines:
        match line:
            case ast.SPlayers(names):
                seats = names
            case ast.SVariant(title):
                titles.append(title)
            case ast.SSet(path, value):
                options[str(path)] = value
    counts = player_counts(source.rules)
    count = len(seats) or (counts[0] if counts else 2)
    if counts and count not in counts:
        report.error("VAR406", f"{source.ruleset.title} is not played by {count} players", scenario.span)
        return None, report.found
    seats = seats or source.ruleset.manifest.seat_names(count)
    for title in titles:
        if title not in source.variants:
            hint = did_you_mean(title, source.variants)
            report.error("VAR407", f"there is no variant `{title}`", scenario.span, hint=hint)
            return None, report.found
    compiler, program, found = _compiled(source, count, tuple(titles), options)
    report.extend(found)
    if compiler is None or program is None:
        return None, report.found
    for name in compiler.declarations.options:
        hint = did_you_mean(name, compiler.world.params)
        report.error("VAR405", f"there is no parameter `{name}`", scenario.span, hint=hint)
    if report.failed:
        return None, report.found
    made = Planner(compiler, report).plan(scenario, program, seats)
    return (None if report.failed else made), report.found


def _compiled(
    source: Sources, count: int, titles: tuple[str, ...], options: dict[str, ast.Expr]
) -> tuple[Compiler | None, m.Program | None, list[Diagnostic]]:
    """The compiler and program of a game; scenarios of one game share them."""
    key = (count, titles, tuple(sorted(options.items(), key=lambda o: o[0])))
    if key not in source.compiled:
        report = Report()
        compiler, program = compile_rules(source, count, [source.variants[t] for t in titles], dict(options), report)
        source.compiled[key] = (compiler, program, report.found)
    return source.compiled[key]


def cited(ruleset: Ruleset) -> Iterator[tuple[str, ast.Clause]]:
    """Every citation with the clause that makes it."""
    for file in ruleset.files:
        for decl in file.file.decls:
            for clause in (decl, *walk(decl)):
                for cite in clause.trivia.cites:
                    yield cite, clause


def _citations(ruleset: Ruleset) -> list[Diagnostic]:
    if ruleset.rulebook is None:
        return []
    known = [s.id for s in ruleset.rulebook.statements]
    at: Ruleset | None = ruleset.base
    while at is not None:
        known += [s.id for s in at.rulebook.statements] if at.rulebook is not None else []
        at = at.base
    held = set(known)
    return [
        Diagnostic(
            "DOC501",
            f"the rulebook has no statement `{cite}`",
            clause.span,
            hint=did_you_mean(cite, known),
        )
        for cite, clause in cited(ruleset)
        if cite not in held
    ]


def _with_cites(found: dict[Diagnostic, None], ruleset: Ruleset) -> list[Diagnostic]:
    """Findings in order, each with the statements its line transcribes."""
    by_line: dict[tuple[str, int], tuple[str, ...]] = {}
    for file in ruleset.files:
        for decl in file.file.decls:
            for clause in (decl, *walk(decl)):
                if clause.trivia.cites:
                    by_line.setdefault((clause.span.file, clause.span.line), clause.trivia.cites)
    made = []
    for d in found:
        if not d.cites and (cites := by_line.get((d.span.file, d.span.line))):
            d = Diagnostic(d.code, d.message, d.span, d.severity, d.hint, d.notes, cites, d.path, d.fix)
        made.append(d)
    order = {Severity.ERROR: 0, Severity.WARNING: 1, Severity.INFO: 2}
    return sorted(made, key=lambda d: (d.span.file, d.span.line, d.span.column, order[d.severity], d.code))
