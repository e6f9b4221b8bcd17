"""States of real games as values: saved and loaded, replayed, compared, never changed."""

from __future__ import annotations

import json
import subprocess
import sys
from contextlib import redirect_stdout
from io import StringIO
from itertools import islice

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from shipped_games import game

import rulewright as rw
from rulewright.play.playing import EngineName
from sampling import sample

GAMES = [("carolus-magnus", 2), ("carolus-magnus", 3), ("carolus-magnus", 4), ("breakthrough", 2), ("tic-tac-toe", 2)]


def walk(state: rw.State, picks: list[int]) -> list[rw.State]:
    """The states of a game in which the picks were made, the first included."""
    seen = [state]
    for pick in picks:
        if state.decision is None:
            break
        state = state.choose(pick % len(state.decision.options))
        seen.append(state)
    return seen


picks = st.lists(st.integers(0, 999), max_size=60)


@settings(max_examples=sample(8, 60))
@given(which=st.sampled_from(GAMES), seed=st.integers(0, 2**64 - 1), picks=picks)
def test_what_was_saved_equals_what_is_replayed(which: tuple[str, int], seed: int, picks: list[int]) -> None:
    playing = game(*which)
    states = walk(playing.start(seed), picks)
    before = [(s.to_bytes(), s.digest()) for s in states]
    for state in states:
        saved = json.loads(json.dumps(state.save()))
        loaded = playing.load(saved)
        replayed = playing.replay(state.log, seed)
        assert loaded == replayed == state
        assert hash(loaded) == hash(replayed) == hash(state)
        assert loaded.to_bytes() == replayed.to_bytes() == state.to_bytes()
        assert loaded.log == replayed.log == state.log
        assert loaded.decision == replayed.decision == state.decision
        assert loaded.save() == state.save()
    assert before == [(s.to_bytes(), s.digest()) for s in states], "an old state has changed"


@pytest.mark.parametrize("engine", ["native", "python"])
@pytest.mark.parametrize("name", ["carolus-magnus", "domaine"])
def test_single_states_of_a_playout_are_those_on_the_way_of_its_answers(name: str, engine: EngineName) -> None:
    playing = rw.load(name, 2, engine=engine)
    answers = playing.playout(7, keep=True).answers
    way = walk(playing.start(7), list(answers[:60]))
    for given_answers in (None, answers):
        visited = dict(playing.states(7, (60, 0, 33, 59), given_answers))
        assert list(visited) == [0, 33, 59, 60]
        for number, state in visited.items():
            assert (state.cells, state.stack) == (way[number].cells, way[number].stack), (
                "alike pieces have their numbers"
            )
            assert state.decision == way[number].decision
    after = dict(playing.states(7, (len(answers), len(answers) + 1)))
    assert [(number, state.decision) for number, state in after.items()] == [(len(answers), None)]
    assert dict(playing.states(7, ())) == {}


@settings(max_examples=sample(8, 60))
@given(which=st.sampled_from(GAMES), seed=st.integers(0, 2**32), picks=picks, more=picks)
def test_a_loaded_game_goes_on_as_the_original(
    which: tuple[str, int], seed: int, picks: list[int], more: list[int]
) -> None:
    playing = game(*which)
    state = walk(playing.start(seed), picks)[-1]
    loaded = playing.load(json.loads(json.dumps(state.save())))
    for one, other in zip(walk(state, more), walk(loaded, more), strict=True):
        assert one.to_bytes() == other.to_bytes()


@settings(max_examples=15)
@given(which=st.sampled_from(GAMES), seed=st.integers(0, 2**32), picks=picks)
def test_refused_is_what_is_not_offered(which: tuple[str, int], seed: int, picks: list[int]) -> None:
    """Every option can be chosen; each other key of its universe is refused, with a reason."""
    playing = game(*which)
    state = walk(playing.start(seed), picks)[-1]
    decision = state.decision
    if decision is None:
        return
    keys = [o.key for o in decision.options]
    assert len(set(keys)) == len(keys)
    for key in islice(keys, 4):
        state.choose(key)
    for universe in playing.program.universes:
        for key in islice(dict.fromkeys(universe.keys), 12):
            if key not in keys:
                with pytest.raises(rw.RulesetError):
                    state.choose(key)
                assert state.why_not(key).reasons


CHILD = """
import sys, rulewright as rw
for name, players in (("carolus-magnus", 3), ("breakthrough", None)):
    state = rw.load(name, players).start(11)
    for step in range(120):
        if state.decision is None:
            break
        state = state.choose(step * 7 % len(state.decision.options))
    print(state.digest(), state.log[-1].key, state.decision)
    print(sorted(state.view(0).items(), key=lambda item: item[0]))
"""


def test_the_same_bytes_in_two_processes() -> None:
    """This one, and one whose sets have another order: the seed of hashes is no usual one."""
    here = StringIO()
    with redirect_stdout(here):
        exec(CHILD, {})
    there = subprocess.run(
        [sys.executable, "-c", CHILD],
        env={"PYTHONHASHSEED": "4242", "PYTHONPATH": ":".join(sys.path)},
        capture_output=True,
        text=True,
        check=True,
    ).stdout
    assert there == here.getvalue()
    assert there.count("\n") == 4
