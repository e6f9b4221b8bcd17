"""Stories lay out the position of the game, and their words lead to the same one."""

from __future__ import annotations

import json

import pytest
from fuzz_helpers import ROOT

import rulewright as rw
from rulewright.compiler import sources
from rulewright.compiler.scenarios.compile_cache import plan_scenario
from rulewright.engine import Dice, Position
from rulewright.engine.hidden_information.observations.views import view
from rulewright.findings.fuzzing.reproduction.reproduction import leave_out
from rulewright.findings.fuzzing.search.driver import Drive
from rulewright.ir.scenario_plan import Given, Merged, Out, Put
from rulewright.play.scenarios import Runner
from rulewright.play.scenarios.recording.state_diff import Words, differences, lay
from rulewright.syntax import ast, parse_file, print_file
from sampling import sample

GAMES = [("breakthrough", 2), ("connect-four", 2), ("carolus-magnus", 3), ("domaine", 2), ("baron", 4)]


def told(position: Position) -> str:
    return json.dumps(view(position.state, None), sort_keys=True)


@pytest.mark.parametrize(("name", "players"), GAMES)
def test_a_position_is_laid_out_as_it_was(name: str, players: int) -> None:
    ruleset = rw.open_ruleset(ROOT / "rulesets" / name)
    game = rw.load(ruleset, players)
    course = Drive(game, moments=True).play(Dice(3, "telling").below, 2000)
    moments = course.moments[len(course.moments) // 4 :: max(1, len(course.moments) // 4)]
    assert len(moments) >= 3
    for moment in moments[:: sample(2, 1)]:
        true = Position(game.program)
        true.cells = list(moment.cells)
        laid = differences(game.engine, moment.cells)
        again = Position(game.program)
        assert lay(again, laid)
        assert told(again) == told(true)
        # The same in words: printed, read, planned and run.
        lines = (ast.SPlayers(game.seats), *Words(game.engine).lines(laid))
        text = print_file(ast.File((ast.Scenario("position", lines),)))
        scenario = parse_file(text).decls[0]
        assert isinstance(scenario, ast.Scenario)
        plan, wrong = plan_scenario(sources(ruleset), scenario)
        assert plan is not None, wrong
        runner = Runner(plan)
        for step in plan.steps:
            assert isinstance(step, Put | Given | Merged | Out)
            runner.run(step)
        assert told(runner.stage.position) == told(true)


def test_as_few_as_possible_are_left() -> None:
    """Some of a set are needed together; all others go, in whatever way they are mixed."""
    for needed in ({3}, {0, 19}, {4, 5, 6}, set(), set(range(20))):
        tried = 0

        def keeps(items: object, needed: set[int] = needed) -> bool:
            nonlocal tried
            tried += 1
            assert isinstance(items, list)
            return needed <= set(items)

        assert leave_out(range(20), keeps) == sorted(needed)
        assert tried < 120
