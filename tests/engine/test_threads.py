"""Threads that share a game which nobody has used yet: all that is made on demand is made under their feet."""

from __future__ import annotations

import sys
from collections.abc import Callable

import pytest
from at_once import THREADS, _others_come, at_once, in_turn  # noqa: F401  (a fixture)

import rulewright as rw
from rulewright.engine.native.module_runners import wasmtime_runner
from rulewright.engine.runtime.machine import engine_of
from rulewright.host.disk_cache import without_cache
from rulewright.ir.codec import packed, unpacked
from rulewright.ir.walk import deep_recursion

Work = Callable[[int], object]


def playing(name: str) -> Work:
    game = rw.load(name)

    def work(number: int) -> object:
        played = game.playout(number, keep=True, check=True)
        return played.answers, played.places, played.broken

    return work


def looking(name: str) -> Work:
    """One state, and one of each thread."""
    game = rw.load(name)
    state = game.start(1)

    def work(number: int) -> object:
        own = game.start(number)
        options = own.decision.options if own.decision is not None else ()
        return str(own.view(number % 2)), options, str(state.view(number % 2)), game.broken_invariants(state)

    return work


def imagining(name: str) -> Work:
    game = rw.load(name)
    states = [rw.load(name).start(number) for number in range(THREADS)]

    def work(number: int) -> object:
        return str(states[number].imagine(0, number).view(None)), game.leaks(game.start(number), 0, number)

    return work


def saving(name: str) -> Work:
    game = rw.load(name)

    def work(number: int) -> object:
        state = game.start(number)
        return game.load(state.save()).digest(), state.digest()

    return work


def loading(name: str) -> Work:
    ruleset = rw.open_ruleset(name)

    def work(number: int) -> object:
        game = rw.load(ruleset)
        return game.playout(number).places, [str(d) for d in rw.check(ruleset)] if number < 2 else []

    return work


@pytest.mark.usefixtures("_others_come")
@pytest.mark.parametrize("made", [playing, looking, imagining, saving, loading])
@pytest.mark.parametrize("name", ["carolus-magnus", "breakthrough"])
def test_threads_find_what_one_thread_finds(made: Callable[[str], Work], name: str) -> None:
    assert at_once(made(name)) == in_turn(made(name))


def stepping(name: str) -> Work:
    game = rw.load(name, engine="native")

    def work(number: int) -> object:
        stepper = game.stepper(number)
        sizes = [stepper.options]
        while stepper.options and len(sizes) < 40:
            sizes.append(stepper.apply(number % stepper.options))
        return sizes, game.playouts(20, number).decisions

    return work


def test_threads_compile_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Of one compiler: that of another cannot run what this one has made."""
    expected = in_turn(stepping("tic-tac-toe"))
    with without_cache():
        for _ in range(3):
            monkeypatch.setattr(wasmtime_runner, "_made", [])
            assert at_once(stepping("tic-tac-toe")) == expected


def test_one_engine_for_one_program() -> None:
    """The table of engines changes while it is looked through."""
    programs = [rw.load("tic-tac-toe").program for _ in range(40)]

    def work(number: int) -> object:
        return [engine_of(one).program is one for one in programs[number:] + programs[:number]]

    assert at_once(work) == [[True] * len(programs)] * THREADS


def test_programs_in_pickles() -> None:
    programs = [rw.load("tic-tac-toe").program for _ in range(30)]

    def work(number: int) -> object:
        return [unpacked(*packed(one)) == one for one in programs[number:] + programs[:number]]

    assert at_once(work) == [[True] * len(programs)] * THREADS


def test_the_limit_of_recursion_is_shared() -> None:
    """One that is needed stays as long as it is needed, and the last who leaves puts it back."""
    before = sys.getrecursionlimit()

    def work(number: int) -> object:
        least = []
        for calls in range(400):
            with deep_recursion(before + 10_000 + number + calls):
                least.append(sys.getrecursionlimit() >= before + 10_000 + number + calls)
        return all(least)

    assert at_once(work) == [True] * THREADS
    assert sys.getrecursionlimit() == before
