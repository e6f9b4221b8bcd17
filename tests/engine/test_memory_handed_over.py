"""Values remembered about a position go over to the one after an answer, as far as the answer leaves them true."""

from __future__ import annotations

import random

import pytest

import rulewright as rw
from sampling import sample


@pytest.mark.parametrize("name", ["carolus-magnus", "domaine", "leduc-poker", "goofspiel"])
def test_a_position_that_remembers_goes_on_as_one_that_does_not(name: str) -> None:
    game = rw.load(name, 2)
    for seed in range(sample(1, 10)):
        state, answers = game.start(seed), random.Random(seed)
        for number in range(60):
            if state.decision is None:
                break
            option = answers.randrange(len(state.decision.options))
            fresh = game.load(state.save()) if number % 6 == 5 else None
            first = state.choose(option)
            assert state.choose(option) == first, "the first answer has taken what was remembered"
            if fresh is not None:
                assert fresh.choose(option) == first
            state = first


def test_the_memory_is_that_of_the_last_answer() -> None:
    state = rw.load("carolus-magnus", 2).start(0)
    before = state.memory
    after = state.choose(0)
    assert after.memory is before
    assert after.memory[0] is after.cells
    assert state.memory is not before
    assert state.choose(0).memory is not before
