"""The Python engine plays the same games, for the same steps, whichever passes over the program are made."""

from __future__ import annotations

import pickle
from collections.abc import Callable
from typing import Any

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


WAYS: dict[str, Callable[[rw.Game], Any]] = {
    "a state": lambda game: game.start().engine,
    "a saved one": lambda game: game.load(game.start().save()).engine,
    "a log": lambda game: game.replay(game.start().log).engine,
    "a whole game": lambda game: game.playout(1).state.engine,  # type: ignore[union-attr]
    "a stepper": lambda game: game.stepper().engine,
    "a batch": lambda game: game.batch(2).state(0).engine,
    "states on the way": lambda game: next(game.states(1, [1]))[1].engine,
    "another process": lambda game: pickle.loads(pickle.dumps(game.start())).engine,
}


@pytest.mark.parametrize("way", WAYS)
def test_passes_that_are_wanted_are_made(way: str) -> None:
    engine = WAYS[way](rw.load("tic-tac-toe", engine="python", passes="-inlining"))
    assert engine.passes == SHARED - {"inlining"}


def test_games_of_other_passes_have_other_expressions_and_the_same_ends() -> None:
    games = [rw.load("tic-tac-toe", engine="python", passes=passes) for passes in ("all", "none")]
    assert games[0].playouts(20) == games[1].playouts(20)
    written = [game.engine.compiled.ctx.optimizer.whole for game in games]
    assert written[0].queries != written[1].queries or written[0].functions != written[1].functions
