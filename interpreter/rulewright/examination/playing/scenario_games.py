"""Games that go on where scenarios end: in positions to which somebody has thought of coming.

Games at random do not come everywhere. Who wrote a scenario has laid out what matters in a rule, and so it is played
from there, too. The scenarios of a base say nothing of a change: many lay out what never comes together, to show one
rule of theirs, and with them three slips were not told any more.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import replace

from rulewright.compiler import sources
from rulewright.compiler.scenarios.compile_cache import plan_scenario
from rulewright.diagnostics import RulesetError
from rulewright.engine import State
from rulewright.engine.random_numbers import RandomAnswers
from rulewright.examination.playing.playing_budget import PlayingBudget
from rulewright.examination.playing.probes import Probe, probing
from rulewright.ir import model as m
from rulewright.ir.scenario_plan import ScenarioPlan
from rulewright.play.game import Game
from rulewright.scenarios import Failed, Runner
from rulewright.scenarios.scenario_results import Over
from rulewright.syntax import ast

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


__all__ = ["scenario_uses"]
