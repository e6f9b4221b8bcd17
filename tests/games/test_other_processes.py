"""Games and states in other processes and in copies: the same game, at the same place, that goes on the same way."""

from __future__ import annotations

import copy
import multiprocessing
import os
import pickle
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import closing
from functools import partial

import pytest
from shipped_games import game

import rulewright as rw
from rulewright.host.interrupts import ignore_interrupts

GAMES = [("carolus-magnus", 3), ("tic-tac-toe", 2)]


def later(state: rw.State, answers: int) -> rw.State:
    for number in range(answers):
        if state.decision is None:
            break
        state = state.choose(number * 7 % len(state.decision.options))
    return state


def told(state: rw.State) -> tuple[object, ...]:
    """All that a state tells; also what happens next."""
    on = later(state, 5)
    return state.digest(), state.decision, state.log, state.save()["checksum"], on.digest(), on.log, state.view(0)


@pytest.mark.parametrize("ask_chance", [False, True])
@pytest.mark.parametrize("name", GAMES)
def test_a_pickled_state_is_the_same(name: tuple[str, int], ask_chance: bool) -> None:
    state = later(game(*name).start(5, ask_chance), 23)
    pickled, twice = (pickle.loads(pickle.dumps(state)) for _ in range(2))
    for again in (pickled, copied := copy.copy(state), deeply := copy.deepcopy(state)):
        assert again is not state
        assert again == state
        assert hash(again) == hash(state)
        assert told(again) == told(state)
    assert copied.engine is deeply.engine is state.engine
    assert pickled.engine is twice.engine  # perhaps that of a game that was loaded before and is equal to this one
    assert pickled.engine.program == state.engine.program


def test_a_finished_game_and_an_imagined_one_are_pickled_too() -> None:
    playing = game("tic-tac-toe")
    over = later(playing.start(), 9)
    assert pickle.loads(pickle.dumps(over)).result == over.result
    state = later(game("carolus-magnus", 3).start(3), 12).imagine(0, 4)
    assert told(pickle.loads(pickle.dumps(state))) == told(state)


def test_a_pickled_game_is_the_same() -> None:
    playing = game("carolus-magnus", 3)
    again = pickle.loads(pickle.dumps(playing))
    assert again.program == playing.program
    assert (again.name, again.title, again.seats) == (playing.name, playing.title, playing.seats)
    assert again.ruleset.files == playing.ruleset.files
    assert again.ruleset.statements == playing.ruleset.statements
    assert told(later(again.start(4), 9)) == told(later(playing.start(4), 9))
    assert copy.deepcopy(playing) is playing
    assert copy.copy(playing) is playing


def test_many_states_carry_their_game_once() -> None:
    state = game("carolus-magnus", 3).start(1)
    states = [state]
    for _ in range(39):
        states.append(later(states[-1], 1))
    one, many = len(pickle.dumps(state)), len(pickle.dumps(states))
    assert many - one < 40 * 2000
    assert pickle.loads(pickle.dumps(states)) == states


def test_counters_and_watches_stay_behind() -> None:
    playing = game("carolus-magnus", 3)
    fired = playing.new_fired()
    again = pickle.loads(pickle.dumps(playing.start(1, fired=fired, watch=playing.watch())))
    before = list(fired)
    later(again, 3)
    assert fired == before


CHILD = """
import pickle, sys
from rulewright.engine.runtime import machine
states = [pickle.loads(data) for data in pickle.load(sys.stdin.buffer)]
assert len(machine._engines) == 1, "each state has brought a game of its own"
assert len({id(state.engine) for state in states}) == 1
for state in states:
    for number in range(5):
        state = state.choose(number * 7 % len(state.decision.options))
    print(state.digest(), len(state.log), state.log[-1].key)
"""


def test_states_go_on_in_another_process() -> None:
    """One by one, as to workers: the process compiles their game once."""
    states = [later(game("carolus-magnus", 3).start(seed), 20) for seed in range(3)]
    done = subprocess.run(
        [sys.executable, "-c", CHILD],
        input=pickle.dumps([pickle.dumps(state) for state in states]),
        env={"PYTHONPATH": ":".join(sys.path), "PYTHONHASHSEED": "4242"},
        capture_output=True,
        check=True,
    )
    ends = [later(state, 5) for state in states]
    assert done.stdout.decode().splitlines() == [f"{e.digest()} {len(e.log)} {e.log[-1].key}" for e in ends]


def test_workers_take_and_give_states_and_errors() -> None:
    state = later(game("tic-tac-toe").start(), 2)
    with multiprocessing.get_context("spawn").Pool(1) as pool:
        assert pool.apply(rw.State.choose, (state, 0)) == state.choose(0)
        with pytest.raises(rw.RulesetError) as caught:
            pool.apply(rw.State.choose, (state, "nowhere"))
    with pytest.raises(rw.RulesetError) as here:
        state.choose("nowhere")
    assert caught.value.diagnostics == here.value.diagnostics


@pytest.fixture
def interruptible() -> Iterator[None]:
    """A process that hears interrupts, as one in the foreground does: jobs in the background may be started deaf."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)


@pytest.mark.usefixtures("interruptible")
@pytest.mark.skipif(not hasattr(signal, "pthread_sigmask"), reason="there signals cannot wait")
def test_an_interrupt_while_processes_start_is_not_lost() -> None:
    """It comes as soon as they are there, and ends them."""
    reached = []
    with pytest.raises(KeyboardInterrupt):  # noqa: PT012
        with ignore_interrupts():
            os.kill(os.getpid(), signal.SIGINT)
        time.sleep(1)
        reached.append("the end")
    assert not reached


@pytest.mark.usefixtures("interruptible")
def test_an_interrupt_ends_the_processes() -> None:
    def begun() -> None:
        with rw.workers.process_pool(1, _interrupt_parent, os.getpid()) as pool:
            pool.submit(time.sleep, 60).result()

    with pytest.raises(KeyboardInterrupt):
        begun()


def _interrupt_parent(parent: int) -> None:
    os.kill(parent, signal.SIGINT)


def test_work_is_given_in_the_order_of_the_tasks() -> None:
    for jobs in (1, 3):
        left = iter([*range(20), None])
        with closing(rw.workers.map_in_order(_slow_at_first, partial(next, left), jobs)) as found:
            assert list(found) == [(one, one * one) for one in range(20)]


def _slow_at_first(number: int) -> int:
    time.sleep(0.05 if number < 2 else 0)
    return number * number
