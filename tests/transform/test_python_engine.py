"""The Python engine plays the same games, for the same steps, whichever passes over the program are made."""

from __future__ import annotations

import pytest

import rulewright as rw
from rulewright.engine.runtime.machine import Engine
from rulewright.engine.stepping.python_stepper import PythonStepper
from rulewright.ir.transform.passes import SHARED


@pytest.mark.parametrize("left_out", [*sorted(SHARED), "all of them"])
@pytest.mark.parametrize("name", ["tic-tac-toe", "breakthrough", "carolus-magnus", "baron"])
def test_games_and_steps_are_the_same(name: str, left_out: str) -> None:
    program = rw.load(name).program
    one = PythonStepper(Engine(program))
    other = PythonStepper(Engine(program, () if left_out == "all of them" else SHARED - {left_out}))
    options = one.begin(3), other.begin(3)
    for turn in range(60):
        assert options[0] == options[1]
        assert one.spent == other.spent
        if not options[0]:
            break
        number = (7 * turn) % options[0]
        options = one.apply(number), other.apply(number)
    assert one.rest() == other.rest()
