"""Games and scenarios of a ruleset, compiled once each; and what the rules cite."""

from __future__ import annotations

from collections.abc import Iterator

from rulewright import limits
from rulewright.compiler import Sources, compile_rules, player_counts
from rulewright.compiler.driver import Compiler
from rulewright.compiler.overlays.labels import walk
from rulewright.compiler.scenarios.scenario_compiler import ScenarioCompiler
from rulewright.data.ruleset import Ruleset
from rulewright.diagnostics import Diagnostic, Report
from rulewright.diagnostics.suggestions import did_you_mean
from rulewright.ir import model as m
from rulewright.ir import scenario_plan as plan
from rulewright.node_memo import memoized_by_node
from rulewright.syntax import ast


def compiled(
    source: Sources, count: int, titles: tuple[str, ...], options: dict[str, ast.Expr]
) -> tuple[Compiler | None, m.Program | None, list[Diagnostic]]:
    """The compiler and program of a game, and what is wrong; made once for the same game."""
    key = (count, titles, tuple(sorted(options.items(), key=lambda o: o[0])))
    if key not in source.compiled:
        report = Report(most=limits.GAME_FINDINGS)
        compiler, program = compile_rules(source, count, [source.variants[t] for t in titles], dict(options), report)
        source.compiled[key] = (compiler, program, report.found)
    return source.compiled[key]


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
        report.error("VAR406", f"{source.ruleset.title} cannot be played with {count} players", scenario.span)
        return None, report.found
    seats = seats or source.ruleset.manifest.seat_names(count)
    for title in titles:
        if title not in source.variants:
            hint = did_you_mean(title, source.variants)
            report.error("VAR407", f"there is no variant `{title}`", scenario.span, hint=hint)
            return None, report.found
    compiler, program, found = compiled(source, count, tuple(titles), options)
    report.extend(found)
    if compiler is None or program is None:
        return None, report.found
    for name in compiler.declarations.options:
        hint = did_you_mean(name, compiler.world.params)
        report.error("VAR405", f"there is no parameter `{name}`", scenario.span, hint=hint)
    if report.failed:
        return None, report.found
    made = ScenarioCompiler(compiler, report).plan(scenario, program, seats)
    return (None if report.failed else made), report.found


def cited(ruleset: Ruleset) -> Iterator[tuple[str, ast.Clause]]:
    """Every citation with the clause that makes it."""
    for file in ruleset.files:
        for decl in file.file.decls:
            yield from ((cite, decl) for cite in decl.trivia.cites)
            yield from _cited_inside(decl)


@memoized_by_node
def _cited_inside(decl: ast.Decl | ast.Change) -> tuple[tuple[str, ast.Clause], ...]:
    return tuple((cite, clause) for clause in walk(decl) for cite in clause.trivia.cites)
