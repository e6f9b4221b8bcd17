"""Single states of a game that is played in place, for who has nothing to ask of those in between."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from rulewright.engine.native.passes import ALL, Passes
from rulewright.engine.native.tiering import EngineName
from rulewright.engine.random_source import RandomAnswers
from rulewright.engine.runtime.machine import engine_of
from rulewright.engine.states.state import State
from rulewright.engine.stepping.engine_choice import stepper_of
from rulewright.engine.stepping.python_stepper import PythonStepper
from rulewright.ir.model import Program


def visited(
    program: Program,
    seed: int,
    at: Iterable[int],
    answers: Sequence[int] | None,
    wanted: EngineName,
    passes: Passes = ALL,
) -> Iterator[tuple[int, State]]:
    """The states of a game after so many answers each, in their order: the random game of the seed if none are given.

    What players remember of hidden pieces is kept by the Python backend only, so such games it plays from the first.
    """
    engine, left = engine_of(program, passes), set(at)
    stepper = stepper_of(program, wanted, passes) if engine.layout.known < 0 else PythonStepper(engine)
    size = stepper.begin(seed)
    pick = RandomAnswers(seed)
    number = 0
    while left:
        if number in left:
            left.remove(number)
            yield number, stepper.state()
        if not left or not size or (answers is not None and number >= len(answers)):
            return
        size = stepper.apply(pick(size) if answers is None else answers[number])
        number += 1
