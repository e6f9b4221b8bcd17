"""Games that continue from scenarios, and scenarios that a solver lays for rules which no random game uses."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from rulewright.compiler import sources
from rulewright.compiler.scenarios.compile_cache import plan_scenario
from rulewright.diagnostics import RulesetError
from rulewright.engine import State
from rulewright.engine.random_numbers import RandomAnswers
from rulewright.findings.fuzzing.aim.branch_distance import BranchDistance
from rulewright.findings.fuzzing.aim.ways import Ways, condition_of
from rulewright.findings.games.playing.playing_budget import Pair, PlayingBudget
from rulewright.findings.games.playing.probes import Probe, probing
from rulewright.findings.model_finding import Laid, Unsolved, position_search
from rulewright.findings.suspects import Suspect
from rulewright.ir import model as m
from rulewright.ir.scenario_plan import ScenarioPlan
from rulewright.play.game import Game
from rulewright.play.scenarios import Failed, Runner
from rulewright.play.scenarios.scenario_results import Over
from rulewright.syntax import ast

if TYPE_CHECKING:
    from rulewright.findings.model_finding.laid_positions import PositionSearch


MOST = 60
"""Scenarios that are played on."""
GAMES = 3
"""Games from the end of each,"""
DECISIONS = 40
"""and so many decisions of each of these."""


def scenario_uses(game: Game, probes: Iterable[Probe], budget: PlayingBudget) -> Counter[str]:
    """The uses of rules and probes in scenarios of a game, and in games that go on where these end."""
    uses, program = Counter[str](), None
    given = list(probes)
    for plan in _plans(game, budget):
        if program is None or program[0] is not plan.program:
            program = plan.program, probing(plan.program, given)
        names, fired = _played(replace(plan, program=program[1]))
        uses.update({name: times for name, times in zip(names, fired, strict=True) if times})
    return uses


def _plans(game: Game, budget: PlayingBudget) -> Iterator[ScenarioPlan]:
    """The scenarios that play this very game."""
    source, titles = sources(game.ruleset), game.program.variants
    made = 0
    for scenario in source.rules.scenarios:
        if budget.over or made == MOST:
            return
        named = {line.title for line in scenario.lines if isinstance(line, ast.SVariant)}
        if named != set(titles):
            continue
        seats = next((line.names for line in scenario.lines if isinstance(line, ast.SPlayers)), ())
        if seats and len(seats) != game.players:
            continue
        try:
            plan, _ = plan_scenario(source, scenario)
        except RulesetError:
            continue
        if plan is not None and _is_same(plan.program, game.program):
            made += 1
            yield plan


def _is_same(one: m.Program, other: m.Program) -> bool:
    return one.functions == other.functions and one.queries == other.queries


def _played(plan: ScenarioPlan) -> tuple[tuple[str, ...], list[int]]:
    """The rules of a program and how often each is used in a scenario and in games that go on from its end."""
    runner = Runner(plan)
    engine = runner.stage.engine
    fired = engine.new_fired()
    runner.stage.position.mode = replace(runner.stage.position.mode, fired=fired)
    try:
        for line in plan.steps:
            runner.run(line)
    except (Failed, Over, RulesetError):
        pass  # what was played until then counts
    for seed in range(GAMES if runner.stage.state is not None else 0):
        assert runner.stage.state is not None
        _go_on(runner.stage.state, seed)
    return engine.rule_names, fired


def _go_on(state: State, seed: int) -> None:
    pick = RandomAnswers(seed)
    try:
        for _ in range(DECISIONS):
            decision = state.decision
            if decision is None:
                return
            state = state.choose(decision.options[pick(len(decision.options))])
    except RulesetError:
        return  # a laid position may be one to which no game comes


MOST_LAID = 3
"""Rules of an examination for which positions are laid; the solver takes some seconds for each."""


class LaidScenarios:
    """Lays positions for a few rules, in the first game that has them."""

    def __init__(self, pairs: Sequence[Pair]) -> None:
        self._pairs, self._left = pairs, MOST_LAID

    def refused(
        self, suspect: Suspect, label: str, wanted: Callable[[m.Choose, m.Restriction], m.Expr | None]
    ) -> Suspect:
        """A suspect of a restriction, with a scenario in which it refuses something alone."""

        def lay(search: PositionSearch, program: m.Program) -> Iterator[Laid | Unsolved]:
            for function, pc, i, restriction in _restricted(program, label):
                condition = wanted(i, restriction)
                if condition is not None:
                    yield search.refused(function, pc, restriction, condition)

        return self._with(suspect, "refuse something", lay)

    def used(self, suspect: Suspect, rule: str) -> Suspect:
        """A suspect of a rule that happens by itself, with a scenario in which it does."""

        def lay(search: PositionSearch, program: m.Program) -> Iterator[Laid | Unsolved]:
            for way in Ways(program, BranchDistance(program)).to(rule):
                yield search.used(rule, condition_of(way))

        return self._with(suspect, "happen", lay)

    def _with(
        self, suspect: Suspect, what: str, lay: Callable[[PositionSearch, m.Program], Iterator[Laid | Unsolved]]
    ) -> Suspect:
        if not self._left or self._pairs[0].budget.over:
            return suspect
        self._left -= 1
        game = self._pairs[0].game
        search = position_search(game)
        found = list(lay(search, game.program)) if search is not None else []
        for one in found:
            if isinstance(one, Laid):
                where = "; ".join(one.changes)
                hint = f"it can {what}, in a position that a solver has laid" + (f": {where}" if where else "")
                return replace(
                    suspect, hint=f"{hint}; if games do not come there it is of no use", scenario=one.scenario
                )
        if found and all(one is Unsolved.NONE_NEAR for one in found):
            hint = f"nor has a solver found a position near those of games in which it does {what}; {suspect.hint}"
            return replace(suspect, hint=hint)
        return suspect


def _restricted(program: m.Program, label: str) -> Iterator[tuple[str, int, m.Choose, m.Restriction]]:
    """The questions with a restriction."""
    for function in program.functions:
        for pc, i in enumerate(function.code):
            if isinstance(i, m.Choose):
                several = (*i.restrictions, *(one for extra in i.extras for one in extra.restrictions))
                yield from ((function.name, pc, i, one) for one in several if one.label == label)
