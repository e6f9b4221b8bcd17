"""Runs scenarios, line by line."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from typing import assert_never

from rulewright.diagnostics import RulesetError
from rulewright.ir.scenario_plan import (
    Fate,
    Given,
    Line,
    Merged,
    Offered,
    OneMeant,
    Out,
    Payoff,
    Put,
    Refused,
    ScenarioPlan,
    Seen,
    Start,
    Step,
    Then,
    When,
    Wins,
)
from rulewright.play.scenarios.answer_matching import Answers
from rulewright.play.scenarios.expectation_checks import Checks
from rulewright.play.scenarios.scenario_results import Failed, Failure, Over, ScenarioResult
from rulewright.play.scenarios.scripted_chance import Fates
from rulewright.play.scenarios.setup import Stage, game_of


def run_scenario(plan: ScenarioPlan) -> ScenarioResult:
    """Run a scenario to its end or to the first line that does not hold."""
    runner = Runner(plan)
    failure: Failure | None = None
    line: Line = Line(plan.span)
    try:
        for line in plan.steps:
            runner.run(line)
        runner.fates.nothing_left()
    except Over:
        pass
    except Failed as failed:
        failure = runner.failure(line, failed)
    except RulesetError as error:
        first = error.diagnostics[0]
        message = "; ".join(part for part in (f"[{first.code}] {first.message}", first.hint) if part)
        failure = runner.failure(line, Failed(message))
    return ScenarioResult(plan.title, plan.cites, plan.span, failure)


def run_scenarios(scenarios: Sequence[ScenarioPlan | ScenarioResult]) -> tuple[ScenarioResult, ...]:
    """Run scenarios, those of one game one after the other, so that its code is made once; results in their order.

    Those that have failed already, as they make no sense, are given back.
    """
    games: dict[Hashable, list[int]] = {}
    results: dict[int, ScenarioResult] = {}
    for number, one in enumerate(scenarios):
        if isinstance(one, ScenarioResult):
            results[number] = one
        else:
            games.setdefault(game_of(one), []).append(number)
    for number in (number for numbers in games.values() for number in numbers):
        plan = scenarios[number]
        assert isinstance(plan, ScenarioPlan)
        results[number] = run_scenario(plan)
    return tuple(results[number] for number in range(len(scenarios)))


class Runner:
    """A scenario on its way."""

    def __init__(self, plan: ScenarioPlan) -> None:
        self.stage = Stage(plan)
        self.fates = Fates(self.stage)
        self.answers = Answers(self.stage, self.fates)
        self.checks = Checks(self.stage, self.fates, self.answers)

    def run(self, line: Step) -> None:
        """Execute one line."""
        match line:
            case Put():
                self.stage.put(line)
            case OneMeant():
                self.checks.one_meant(line)
            case Given():
                self.stage.give(line)
            case Merged():
                self.stage.merge(line)
            case Out():
                self.stage.put_out(line)
            case Start():
                self.stage.start(line)
                self.fates.decide()
            case Fate():
                self.fates.add(line)
            case When():
                for reply in line.replies:
                    if line.may and not self.answers.may(line.seat, reply):
                        raise Over
                    self.answers.answer(line.seat, reply)
            case Then():
                self.checks.then(line)
            case Refused():
                self.checks.refused(line)
            case Offered():
                self.checks.offered(line)
            case Seen():
                self.checks.seen(line)
            case Wins():
                self.checks.wins(line)
            case Payoff():
                self.checks.payoff(line)
            case _:
                assert_never(line)

    def failure(self, line: Line, failed: Failed) -> Failure:
        """The report of a failure at a line."""
        state = self.stage.state
        decision = state.decision if state is not None else None
        rule = decision.name if decision is not None else ""
        if state is not None and state.result is not None:
            rule = state.result.rule
        log = tuple(f"{entry.who}: {entry.name} = {entry.key}" for entry in state.log) if state is not None else ()
        return Failure(failed.message, line.span, line.text, failed.expected, failed.found, rule, log, failed.assertion)
