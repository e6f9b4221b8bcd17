"""The position that a scenario lays out, to be played from there on."""

from __future__ import annotations

from rulewright.engine import Position, State
from rulewright.ir.scenario_plan import Given, Merged, Out, Put, ScenarioPlan, Start
from rulewright.scenarios.setup import Stage


def starting_state(plan: ScenarioPlan, seed: int = 0, ask_chance: bool = False) -> State:
    """The state in which the rules of a scenario begin; chance is that of the seed, whatever the scenario says of it,
    or is asked.

    `Failed` is raised if the position cannot be laid out.
    """
    stage = Stage(plan)
    stage.position = Position(stage.engine.program, seed, ask_chance)
    for line in plan.steps:
        match line:
            case Put():
                stage.put(line)
            case Given():
                stage.give(line)
            case Merged():
                stage.merge(line)
            case Out():
                stage.put_out(line)
            case Start():
                position = stage.position
                return position.enter(line.function, [position.evaluate(argument) for argument in line.args])
            case _:
                pass
    return stage.here


__all__ = ["starting_state"]
