"""Games and scenarios of a ruleset, compiled once each; and what the rules cite."""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Mapping, Sequence
from dataclasses import replace

from rulewright.compiler import Compiled, Planned, Sources, compile_rules, player_counts, relinked_rules
from rulewright.compiler.declaration_facts import inner_nodes
from rulewright.compiler.driver import Compiler
from rulewright.compiler.overlays.addresses import walk
from rulewright.compiler.scenarios.scenario_compiler import ScenarioCompiler
from rulewright.compiler.tree_walk import words
from rulewright.data.ruleset import Ruleset
from rulewright.diagnostics import Diagnostic, Report, Severity, Span
from rulewright.diagnostics.suggestions import did_you_mean, listing
from rulewright.foundation import limits
from rulewright.foundation.lazy_dataclass import dataclass
from rulewright.foundation.memo import memoized_by_node
from rulewright.ir import model as m
from rulewright.ir import scenario_plan as plan
from rulewright.ir.hash_consing import interned
from rulewright.ir.walk import AMPLE, deep_recursion, queries_asked
from rulewright.syntax import ast


def compiled(
    source: Sources, count: int, titles: tuple[str, ...], options: dict[str, ast.Expr], linked: bool = True
) -> Compiled:
    """The compiler and program of a game, and what is wrong; made once for the same game.

    The program may lack its functions if it need not be `linked`, or if something is wrong.
    """
    key = (count, titles, tuple(sorted(options.items(), key=lambda o: o[0])))
    if key not in source.compiled:
        variants = [source.variants[title] for title in titles]
        source.compiled[key] = _compiled(source, key, count, variants, options, linked)
    compiler, program, found = source.compiled[key]
    if linked and compiler is not None and program is not None and compiler.linker is None:
        with deep_recursion(AMPLE):
            source.compiled[key] = compiler, compiler.link(program), found
    return source.compiled[key]


def _compiled(
    source: Sources,
    key: Hashable,
    count: int,
    variants: list[ast.Variant],
    options: dict[str, ast.Expr],
    linked: bool,
) -> Compiled:
    earlier = source.earlier.get(key)
    known = relinked_rules(source, earlier, count, variants) if earlier is not None else None
    if known is not None:
        return known
    report = Report(most=limits.GAME_FINDINGS)
    compiler, program = compile_rules(source, count, variants, dict(options), report, linked)
    return compiler, program, report.found


_ANSWERS = (ast.SWhen, ast.SChance, ast.SRefused, ast.SOffered)
"""Lines about what players and chance decide, or could."""


@dataclass(frozen=True, slots=True)
class _Game:
    """The game of a scenario, and who plays it."""

    compiler: Compiler
    program: m.Program
    seats: tuple[str, ...]


def plan_scenario(source: Sources, scenario: ast.Scenario) -> tuple[plan.ScenarioPlan | None, list[Diagnostic]]:
    """The plan of a scenario, or what is wrong with it."""
    report = Report()
    game = _game_of(source, scenario, report)
    if game is None:
        return None, report.found
    made = ScenarioCompiler(game.compiler, report).plan(scenario, _run_as(game), game.seats)
    return (None if report.failed else _with_queries(made, game.compiler.queries.made)), report.found


def _with_queries(made: plan.ScenarioPlan, known: Mapping[str, m.QueryDef]) -> plan.ScenarioPlan:
    """The plan with all that it asks: possibility may occur in no rule."""
    program = made.program
    if len(known) == len(program.queries):
        return made
    own = {query.name for query in program.queries}
    missing = [query for name, query in queries_asked(known, made.steps).items() if name not in own]
    return replace(made, program=replace(program, queries=(*program.queries, *missing)) if missing else program)


def _run_as(game: _Game) -> m.Program:
    """The program of a game as it is run: the same for all its scenarios."""
    known = game.compiler.run_as
    if known is None or known[0] is not game.program:
        known = game.compiler.run_as = game.program, interned(game.program)
    return known[1]


def check_scenario(source: Sources, scenario: ast.Scenario) -> tuple[m.Program | None, Sequence[Diagnostic]]:
    """The program of a scenario, perhaps without functions, and what is wrong with it; from before an edit that did not
    concern it."""
    report = Report()
    game = _game_of(source, scenario, report, linked=False)
    if game is None:
        return None, report.found
    known = source.planned.get(id(scenario))
    answers = game.compiler.answers
    if (
        known is not None
        and known.compiler is game.compiler
        and all(_answer_words(scenario).isdisjoint(concerned) for concerned in answers[known.answers :])
    ):
        if known.answers < len(answers):
            source.planned[id(scenario)] = replace(known, answers=len(answers))
        return game.program, known.found
    ScenarioCompiler(game.compiler, report, to_run=False).plan(scenario, game.program, game.seats)
    if report.failed:
        return None, report.found
    source.planned[id(scenario)] = Planned(scenario, game.compiler, len(answers), tuple(report.found))
    return game.program, report.found


@memoized_by_node
def _answer_words(scenario: ast.Scenario) -> frozenset[str]:
    """The words with which a scenario may name choices, options, restrictions and random outcomes."""
    answers = (line for line in scenario.lines if isinstance(line, _ANSWERS))
    return frozenset(word for line in answers for word in words(line))


def forget_scenarios(source: Sources) -> None:
    """Forget those that are no more, and games of which none is left."""
    source.earlier = {key: one for key, one in source.earlier.items() if key in source.compiled}
    held = {id(scenario) for scenario in source.rules.scenarios}
    for key in source.planned.keys() - held:
        gone = source.planned.pop(key)
        gone.compiler.context.typed.forget(inner_nodes(gone.scenario))


def _game_of(source: Sources, scenario: ast.Scenario, report: Report, linked: bool = True) -> _Game | None:
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
            case _:
                pass  # what does not change the game
    counts = player_counts(source.rules)
    count = len(seats) or (counts[0] if counts else 2)
    if counts and count not in counts:
        report.error("VAR406", f"{source.ruleset.title} cannot be played with {count} players", scenario.span)
        return None
    seats = seats or source.ruleset.manifest.seat_names(count)
    for title in titles:
        if title not in source.variants:
            hint = did_you_mean(title, source.variants)
            report.error("VAR407", f"there is no variant `{title}`", scenario.span, hint=hint)
            return None
    compiler, program, found = compiled(source, count, tuple(titles), options, linked)
    report.extend(found)
    if compiler is None or program is None:
        return None
    for name in compiler.declarations.options:
        hint = did_you_mean(name, compiler.world.params)
        report.error("VAR405", f"there is no parameter `{name}`", scenario.span, hint=hint)
    return None if report.failed else _Game(compiler, program, seats)


def cited(ruleset: Ruleset) -> Iterator[tuple[str, ast.Clause]]:
    """Every citation with the clause that makes it."""
    for file in ruleset.files:
        for decl in file.file.decls:
            yield from ((cite, decl) for cite in decl.trivia.cites)
            yield from _cited_inside(decl)


@memoized_by_node
def _cited_inside(decl: ast.Decl | ast.Change) -> tuple[tuple[str, ast.Clause], ...]:
    return tuple((cite, clause) for clause in walk(decl) for cite in clause.trivia.cites)


_CELLS = 10
"""So many printed cells, or pairs of places, take as long as a node of the rules."""


class Budget:
    """The number of nodes that may still be compiled, and the names of the games left out."""

    def __init__(self, source: Sources, most: int, what: str) -> None:
        self.source, self.most, self.what = source, most, what
        self.spent = 0
        self.done = 0
        self.left: list[str] = []
        self._rules = sum(1 + len(inner_nodes(decl)) for decl in source.rules.decls.values())

    def allows(self, name: str, span: Span) -> bool:
        """Take a game from the budget; False if it is spent, and then the name is kept."""
        if self.spent < self.most:
            self.done += 1
            return True
        if not self.left:
            self._where = span
        self.left.append(name)
        return False

    def spend(self, program: m.Program | None) -> None:
        """Count a game that was compiled."""
        self.spent += self._rules + limits.GAME_EFFORT
        if program is not None:
            cells = sum(len(t.values) for t in program.tables) + sum(
                len(g.neighbours) ** 2 // 10 for g in program.graphs
            )
            self.spent += cells // _CELLS

    def diagnostics_so_far(self) -> list[Diagnostic]:
        """The finding about what was left out."""
        if not self.left:
            return []
        message = (
            f"{len(self.left):,} of {self.done + len(self.left):,} {self.what} are not checked:"
            f" together they have more than {self.most:,} words, operators and clauses"
        )
        note = f"not checked: {listing(self.left)}"
        return [Diagnostic("LIM002", message, self._where, Severity.WARNING, notes=(note,))]
