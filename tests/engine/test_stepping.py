"""Games in place: steppers and batches of both backends in lockstep, positions that are kept, errors of the rules."""

from __future__ import annotations

from array import array
from pathlib import Path
from random import Random

import pytest
from shipped_programs import shipped_game
from test_native import ENGINES, TURNS, WRONG, ruleset

import rulewright as rw
from rulewright.engine import engine_of
from rulewright.engine.native.backend import Backend
from rulewright.engine.stepping.native_stepper import NativeStepper
from rulewright.engine.stepping.python_stepper import PythonStepper

SMALL = ("tic-tac-toe", "connect-four", "breakthrough", "carolus-magnus")
MOST = 150
"""Answers, draws included, of a game that is compared state by state."""


def both(name: str | Path) -> tuple[rw.playing.Stepper, rw.playing.Stepper]:
    """The same game in place, natively and not."""
    game = shipped_game(name) if isinstance(name, str) else rw.load(name)
    found = [rw.Game(game.program, game.ruleset, engine).stepper() for engine in ENGINES]
    assert isinstance(found[0], NativeStepper)
    assert isinstance(found[1], PythonStepper)
    return found[0], found[1]


def hides(stepper: rw.playing.Stepper) -> bool:
    """True if players remember hidden pieces, which the native backend does not keep."""
    return stepper.engine.layout.known >= 0


@pytest.mark.parametrize("name", [*SMALL, "domaine", "baron"])
def test_states_in_place_are_states(name: str) -> None:
    """The options, their order, who is asked and the position are those of a game that is played state by state."""
    game = shipped_game(name)
    one, two = both(name)
    for seed in range(1 if hides(one) else 2):
        state, r = game.start(seed), Random(seed)
        one.begin(seed)
        two.begin(seed)
        while (decision := state.decision) is not None and len(state.log) < MOST:
            assert one.options == two.options == len(decision.options)
            assert one.seat == two.seat == decision.seat
            if not hides(one):
                assert one.rest() == two.rest()
            number = r.randrange(one.options)
            state = state.choose(number)
            assert one.apply(number) == two.apply(number)
        assert one.places == two.places
        assert one.state().result == two.state().result == state.result
        assert one.state() == two.state() == state
        if state.result:
            assert one.options == 0
            assert one.seat is None


@pytest.mark.parametrize("name", ["connect-four", "carolus-magnus", "domaine"])
def test_a_game_goes_on_from_a_snapshot_and_from_a_state(name: str) -> None:
    for stepper in both(name):
        r = Random(1)
        stepper.begin(3)
        for _ in range(9):
            stepper.apply(r.randrange(stepper.options))
        kept, key, state = stepper.snapshot(), stepper.key(), stepper.state()
        answers = []
        while stepper.options:
            answers.append(r.randrange(stepper.options))
            stepper.apply(answers[-1])
        end = stepper.state()
        assert stepper.restore(kept) == len(state.decision.options if state.decision else ())
        assert stepper.key() == key
        assert stepper.state() == state
        stepper.begin(8)
        assert stepper.load(state) == stepper.options
        assert stepper.state() == state
        for answer in answers:
            stepper.apply(answer)
        assert stepper.state() == end


def test_what_is_no_option_changes_nothing() -> None:
    for stepper in both("connect-four"):
        for wrong in (7, -1, 2**40, "a", None):
            with pytest.raises(rw.RulesetError):
                stepper.apply(wrong)  # type: ignore[arg-type]
            assert stepper.options == 7
        with pytest.raises(rw.RulesetError, match="API001"):
            stepper.restore(b"")  # type: ignore[arg-type]
        assert stepper.apply(3) == 7
    one, two = both("connect-four")
    with pytest.raises(rw.RulesetError, match="API001"):
        one.restore(two.snapshot())


@pytest.mark.parametrize("what", WRONG)
def test_errors_of_the_rules_leave_the_question(tmp_path: Path, what: str) -> None:
    field, statement = WRONG[what]
    folder = ruleset(tmp_path / "small", f"{field}\n\n{TURNS}\n    {statement}")
    one, two = both(folder)
    r, met = Random(0), 0
    while met < 2:
        before = two.state()
        number, told = r.randrange(two.options), []
        for stepper in (one, two):
            try:
                stepper.apply(number)
            except rw.RulesetError as error:
                told.append(str(error))
        assert len(set(told)) in (0, 1)
        assert len(told) in (0, 2)
        if told:
            met += 1
            assert two.state() == before
            for stepper in (one, two):
                stepper.begin()
        assert one.state() == two.state()


def test_rules_that_fail_at_once(tmp_path: Path) -> None:
    folder = ruleset(tmp_path / "small", "field n: 0..9 = 7\n\n" + TURNS.replace("play\n", "play\n    n = n + 3\n", 1))
    told = []
    for engine in ("native", "python"):
        game = rw.load(folder, engine=engine)  # type: ignore[arg-type]
        with pytest.raises(rw.RulesetError, match="RUN001") as caught:
            game.stepper()
        told.append(str(caught.value))
        assert str(game.batch(2).errors[1]) == told[0]
    assert told[0] == told[1]


def test_limits_hold() -> None:
    stepper = shipped_game("carolus-magnus", engine="native").stepper
    with rw.limited(rw.Limits(steps=3)), pytest.raises(rw.RulesetError, match="RUN006"):
        stepper()
    with rw.limited(rw.Limits(seconds=1e-9)), pytest.raises(rw.Stopped):
        stepper().apply(0)
    with rw.limited(rw.Limits(total=10**6)):
        assert isinstance(stepper(), PythonStepper)


@pytest.mark.parametrize("name", [*SMALL, "domaine"])
def test_a_batch_plays_the_games_one_by_one(name: str) -> None:
    native, python = (shipped_game(name, engine=engine).batch(5, seed=4) for engine in ENGINES)
    r, alone = Random(2), shipped_game(name, engine="native").stepper(6)
    for turn in range(60):
        assert native.options == python.options
        assert native.options[2] == alone.options
        if turn % 7 == 0:
            assert hides(alone) or all(native.rest(number) == python.rest(number) for number in range(5))
        answers = [r.randrange(size) if size else -1 for size in native.options]
        if turn == 5:
            answers[0] = -1
        if answers[2] >= 0:
            alone.apply(answers[2])
        assert native.apply(answers) == python.apply(array("i", answers))
    if hides(alone):
        with pytest.raises(rw.RulesetError, match="RUN018"):
            native.state(2)
    else:
        assert native.state(2) == alone.state()


@pytest.mark.parametrize("engine", ["native", "python"])
def test_errors_in_a_batch_end_their_own_games(tmp_path: Path, engine: rw.playing.EngineName) -> None:
    folder = ruleset(tmp_path / "small", f"field n: 0..9 = 3\n\n{TURNS}\n    n = 6 / (3 - k) rounded down")
    batch = rw.load(folder, engine=engine).batch(4)
    assert list(batch.apply([1, 3, 2, 3])) == [5, -1, 5, -1]
    assert sorted(batch.errors) == [1, 3]
    assert batch.errors[3].diagnostics[0].code == "RUN004"
    with pytest.raises(rw.RulesetError, match="game 2 has no option 5"):
        batch.apply([2, -1, 5, -1])
    assert list(batch.options) == [5, -1, 5, -1]
    with pytest.raises(rw.RulesetError, match="API001"):
        batch.apply([1])
    assert list(batch.begin(7)) == [5] * 4
    assert not batch.errors


def test_states_of_recursive_rules_fit_or_say_so(tmp_path: Path) -> None:
    """A batch has room for frames up to a depth; what is deeper ends with an error, and elsewhere it is played."""
    rules = "procedure play\n    deeper(0)\n\nprocedure deeper(n: Int)\n    each p in players\n"
    folder = ruleset(tmp_path / "small", rules + "        p chooses k from {0 .. 1}\n    deeper(n + 1)")
    one, two = both(folder)
    batch = rw.load(folder, engine="native").batch(2)
    for turn in range(800):
        assert one.apply(turn % 2) == two.apply(turn % 2)
        if batch.options[0] > 0:
            batch.apply([turn % 2, -1])
    assert one.rest() == two.rest()
    assert batch.errors[0].diagnostics[0].code == "RUN018"
    assert batch.options[1] == 2


def test_room_for_states_is_enough() -> None:
    """No state of a game takes more room than a batch gives it."""
    for name in (*SMALL, "baron"):
        game = shipped_game(name)
        backend = Backend(game.program)
        stepper = NativeStepper(engine_of(game.program), backend)
        r = Random(5)
        stepper.begin(5)
        for _ in range(MOST):
            raw = stepper.snapshot()._held
            assert isinstance(raw, bytes)
            assert len(raw) <= backend.codec.room
            if not stepper.options:
                break
            stepper.apply(r.randrange(stepper.options))
