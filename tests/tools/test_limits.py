"""Rules that never come to an end are stopped: by their budget, at a deadline, or when the host wants it."""

from __future__ import annotations

import pickle
import subprocess
import threading
from pathlib import Path

import pytest

import rulewright as rw
from rulewright.engine.evaluator.registers import SLICE
from rulewright.host.budgets import STEPS, export_budget, shared_budget

from . import hostile
from .conftest import ROOT, Run
from .test_processes import COMMAND, environment

ENDLESS = "procedure play\n    repeat\n        score = 0\n"
DRAWING = "procedure play\n    repeat\n        chance chooses n from {1 .. 6}\n        score = n\n"
ASKING = "procedure play\n    repeat\n        each p in players\n            p chooses n from {0 .. 3}\n"


def error(folder: Path, limits: rw.Limits | None = None) -> rw.Diagnostic:
    with pytest.raises(rw.RulesetError) as caught:
        rw.load(folder).playout(limits=limits)
    return caught.value.diagnostics[0]


def test_forty_one_queries_do_not_hang_a_command(tmp_path: Path, run: Run) -> None:
    """Each asks the one before twice, so the last takes 2 ** 40 calls."""
    folder = hostile.exponential(tmp_path / "hostile")
    rules = (folder / "game.rules").read_text("utf-8").splitlines()
    process = subprocess.run(
        [*COMMAND, "simulate", str(folder), "--games", "2", "--decisions", "8", "--steps", "100000"],
        stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=60, cwd=ROOT, env=environment(), check=False,
    )  # fmt: skip
    assert process.returncode == 2
    assert process.stderr.count("[RUN006]") == 1
    assert "the query `q40` was not answered in 100000 steps (in `turn`)" in process.stderr
    assert f"game.rules:{rules.index('procedure turn(p: Player)') + 1}:" in process.stderr
    assert "Traceback" not in process.stderr
    for command in (
        ("play", "--seats", "random"),
        ("draw", "--decisions", "1"),
        ("perft", "--depth", "2", "--unit", "decision"),
    ):
        found = run(command[0], folder, *command[1:], "--steps", 9000)
        assert found.code == 2
        assert "not answered in 9000 steps" in found.err


def test_a_game_that_only_draws_is_stopped(tmp_path: Path) -> None:
    found = error(hostile.ruleset(tmp_path / "hostile", hostile.HEAD + DRAWING + hostile.END.replace("3", "9")))
    assert (found.code, found.span.line) == ("RUN006", 4)


def test_a_game_without_end_takes_so_many_steps_only(tmp_path: Path) -> None:
    folder = hostile.ruleset(tmp_path / "hostile", hostile.HEAD + ASKING + hostile.END)
    assert error(folder, rw.Limits(total=20_000)).code == "RUN015"
    played = rw.load(folder).playout(limits=rw.Limits(decisions=100))
    assert (played.finished, played.decisions) == (False, 100)


def test_limits_only_become_tighter(tmp_path: Path) -> None:
    folder = hostile.ruleset(tmp_path / "hostile", hostile.HEAD + ENDLESS + hostile.END)
    with rw.limited(rw.Limits(steps=500)):
        assert "500 steps" in error(folder, rw.Limits(steps=9000)).message
        assert "100 steps" in error(folder, rw.Limits(steps=100)).message
    assert "9000 steps" in error(folder, rw.Limits(steps=9000)).message
    for wrong in ({"steps": 0}, {"total": -1}, {"seconds": 0.0}):
        with pytest.raises(ValueError, match="it must be"):
            rw.Limits(**wrong)  # type: ignore[arg-type]


def test_equal_budgets_end_at_the_same_step(tmp_path: Path) -> None:
    """A budget that is not a whole number of slices, too; and the deadline plays no part in it."""
    rules = hostile.HEAD + hostile.doubling(30) + "procedure play\n    score = q29(1)\n" + hostile.END
    folder = hostile.ruleset(tmp_path / "hostile", rules)
    for steps in (100, SLICE, SLICE + 1, 5 * SLICE + 77):
        first = error(folder, rw.Limits(steps=steps))
        assert first == error(folder, rw.Limits(steps=steps, seconds=60.0))
        assert f"not answered in {steps} steps" in first.message


def test_a_deadline_stops_rules_inside_one_block(tmp_path: Path) -> None:
    folder = hostile.exponential(tmp_path / "hostile")
    with pytest.raises(rw.Stopped) as caught:  # without a deadline it would run for days
        rw.load(folder).playout(limits=rw.Limits(steps=10**12, seconds=0.2))
    assert caught.value.diagnostic.code == "RUN016"
    again = pickle.loads(pickle.dumps(caught.value))
    assert again.diagnostic == caught.value.diagnostic


class Wish:
    """A wish to stop that another thread has as soon as the rules run: no clock decides. (A timer came too late on fast
    machines, on which a million steps, the most that there were then, took less than its time.)
    """

    def __init__(self) -> None:
        self._running, self._wanted = threading.Event(), threading.Event()

    def is_set(self) -> bool:
        self._running.set()
        return self._wanted.is_set()

    def when_it_runs(self) -> None:
        self._running.wait()
        self._wanted.set()


def test_another_thread_cancels(tmp_path: Path) -> None:
    game = rw.load(hostile.ruleset(tmp_path / "hostile", hostile.HEAD + ENDLESS + hostile.END))
    wish = Wish()
    other = threading.Thread(target=wish.when_it_runs)
    other.start()
    with pytest.raises(rw.Stopped) as caught, rw.limited(rw.Limits(steps=10**12, cancel=wish)):
        game.start()
    other.join()
    assert caught.value.diagnostic.code == "RUN017"


SECRET = "field secret[p: Player]: 0..9 = 0, seen by p\n"


def test_being_stopped_is_no_error_of_the_rules(tmp_path: Path) -> None:
    """A search that throws away worlds with errors must not take a passed deadline for one of them."""
    rules = (
        hostile.HEAD
        + SECRET
        + "invariant fine: every(p in players has secret[p] < 5)\n"
        + ASKING.replace("3", "secret[p]")
    )
    game = rw.load(hostile.ruleset(tmp_path / "hostile", rules + hostile.END))
    state = game.start(1)
    cancel = threading.Event()
    cancel.set()
    assert not issubclass(rw.Stopped, rw.RulesetError)
    for ask in (lambda: state.imagine(1, 1), lambda: state.choose(0), lambda: game.leaks(state, 0, 1)):
        with rw.limited(rw.Limits(cancel=cancel)), pytest.raises(rw.Stopped):
            ask()
    assert state.choose(0) == state.choose(0)


def test_one_errand_has_one_budget(tmp_path: Path) -> None:
    """Many questions that are asked for one thing share the budget, however small each of them is."""
    state = rw.load(hostile.ruleset(tmp_path / "hostile", hostile.HEAD + hostile.doubling(12) + ASKING + hostile.END))
    position = state.start()

    @shared_budget(1)
    def many(times: int) -> int:
        return sum(position.ask("q11", number) is not None for number in range(times))

    with rw.limited(rw.Limits(steps=5_000)):
        assert many(3) == 3
        with pytest.raises(rw.RulesetError) as caught:
            many(10_000)
    assert caught.value.diagnostics[0].code == "RUN006"


def test_views_and_invariants_are_limited(tmp_path: Path) -> None:
    secret = "query friends -> set of Player = best(p in players by q29(score))\n" + SECRET.replace(
        "by p", "by friends()"
    )
    rules = hostile.HEAD + hostile.doubling(30) + secret + "invariant fine: q29(1) < 99\n" + ASKING + hostile.END
    game = rw.load(hostile.ruleset(tmp_path / "hostile", rules))
    state = game.start()
    for ask in (lambda: game.broken_invariants(state), lambda: state.view(0), lambda: state.imagine(0, 1)):
        with rw.limited(rw.Limits(steps=10_000)), pytest.raises(rw.RulesetError) as caught:
            ask()
        assert caught.value.diagnostics[0].code == "RUN006"


def test_processes_take_over_the_limits(run: Run, tmp_path: Path) -> None:
    folder = hostile.exponential(tmp_path / "hostile")
    found = run("simulate", folder, "--games", 20, "--jobs", 2, "--steps", 3000)
    assert found.code == 2
    assert "3000 steps" in found.err
    handed = pickle.loads(pickle.dumps(export_budget()))
    assert handed == export_budget()


def test_the_time_of_a_command_ends_it_with_what_it_has(run: Run) -> None:
    found = run("simulate", "tic-tac-toe", "--games", 1_000_000, "--time", 0.3)
    assert (found.code, "the time was over after" in found.err) == (0, True)
    assert run("simulate", "tic-tac-toe", "--games", 3, "--time", 600).code == 0


def test_no_person_is_asked_for_too_long(run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("rulewright_tools.commands.play.MOST", 50)
    rules = hostile.HEAD + ASKING.replace("{0 .. 3}", "{1}") + hostile.END
    folder = hostile.ruleset(tmp_path / "hostile", rules)
    found = run("play", folder, "--steps", 5000)
    assert found.code == 2
    assert "none of a person" in found.err


def test_the_help_says_what_a_budget_is(run: Run) -> None:
    assert STEPS == 1_500_000
    assert "1500000 otherwise" in " ".join(run("simulate", "--help-all").out.split())
