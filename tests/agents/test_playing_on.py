"""Steppers play on at random, and tell options and outcomes of chance apart: both engines alike."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from agent_games import EACH_ENGINE, shipped

import rulewright as rw

NAMES = ("tic-tac-toe", "carolus-magnus", "domaine", "baron")


def both(name: str) -> tuple[rw.playing.Stepper, rw.playing.Stepper]:
    return shipped(name).stepper(3), shipped(name, "python").stepper(3)


def together(steppers: tuple[rw.playing.Stepper, ...], look: Callable[[rw.playing.Stepper], object]) -> object:
    first, second = (look(stepper) for stepper in steppers)
    assert first == second
    return first


@pytest.mark.parametrize("name", NAMES)
def test_games_go_on_alike(name: str) -> None:
    steppers = both(name)
    for _ in range(4):
        together(steppers, lambda one: one.apply(middle(one)))
        together(steppers, lambda one: one.offered())
        together(steppers, lambda one: one.drawn)
    kept = [one.snapshot() for one in steppers]
    for seed in range(2):
        for one, begin in zip(steppers, kept, strict=True):
            one.restore(begin)
            one.reseed(seed)
        assert [one.play_on(seed) for one in steppers] == [True, True]
        assert together(steppers, lambda one: one.payoffs)


def middle(stepper: rw.playing.Stepper) -> int:
    """An option in the middle."""
    return stepper.options // 2


@EACH_ENGINE
def test_a_game_is_not_played_further_than_it_may_be(engine: rw.playing.EngineName) -> None:
    stepper = shipped("carolus-magnus", engine).stepper(1)
    begin = stepper.snapshot()
    assert not stepper.play_on(0, 3)
    assert stepper.restore(begin) == stepper.options > 0
    assert not stepper.play_on(0, 0)
    assert stepper.options > 0


@EACH_ENGINE
def test_the_seed_decides_what_is_drawn_and_nothing_else(engine: rw.playing.EngineName) -> None:
    stepper = shipped("carolus-magnus", engine).stepper(1)
    begin = stepper.snapshot()
    outcomes = set()
    for seed in range(8):
        stepper.restore(begin)
        here = stepper.outcome()
        stepper.reseed(seed)
        assert stepper.outcome() == here
        drawn = stepper.drawn
        while stepper.drawn == drawn:
            stepper.apply(0)
        outcomes.add(stepper.outcome())
    assert len(outcomes) > 1


def test_a_seed_is_a_part_of_how_a_position_was_come_to() -> None:
    """The native engine finds its position again from the last one that was kept: with the seed laid down since."""
    native, python = both("baron")
    for one in (native, python):
        one.reseed(99)
        for _ in range(5):
            one.apply(0)
    assert native.state() == python.state()
