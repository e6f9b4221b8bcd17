"""State machines find planted faults by their smallest steps, and none in shipped rulesets."""

from __future__ import annotations

from pathlib import Path

import pytest
from chips import RULES, written
from hypothesis import Phase, settings
from hypothesis.errors import InvalidDefinition
from hypothesis.stateful import invariant, run_state_machine_as_test

import rulewright as rw
from rulewright_lab.testing import RulesetStateMachine, machine_for

QUICK = settings(
    max_examples=60, stateful_step_count=12, database=None, deadline=None, phases=(Phase.generate, Phase.shrink)
)


def failure_of(machine: type[RulesetStateMachine]) -> str:
    with pytest.raises(AssertionError) as failed:
        run_state_machine_as_test(machine, settings=QUICK)
    return str(failed.value)


def test_a_planted_invariant_is_told_with_its_smallest_game(tmp_path: Path) -> None:
    lines = failure_of(machine_for(written(tmp_path))).splitlines()
    assert lines[0] == "the invariant `few` does not hold for player_1: not 5 <= 4"
    place = f"{(tmp_path / 'game.rules').as_posix()}:21  invariant few for p in players: chips[p] <= 4"
    assert lines[1] == f"  line      {place}"
    assert lines[2] == "  game      Chips with 2 players, most = 3, quick = false, seed 0"
    answers = ["player_1: turn.n = 2", "player_2: turn.n = 0", "player_1: turn.n = 3"]  # or the greater one first
    assert [lines[3], *sorted(lines[4:])] == ["  log", *sorted(f"    {answer}" for answer in answers)]


def test_a_property_is_watched_after_undo_and_saves(tmp_path: Path) -> None:
    rules = RULES.replace("chips[p] <= 4", "true").replace("always", "after each turn")
    written(tmp_path, rules.replace("    chips[p] += n", "    chips[p] = n"))
    found = failure_of(machine_for(tmp_path, players=2))
    assert found.startswith("the property `never_less` does not hold for player_1: not 1 <= 0")
    assert found.count("turn.n") == 3


def test_invariants_of_the_subclass_are_looked_at() -> None:
    class Narrow(RulesetStateMachine):
        ruleset = "connect-four"
        options = {"rows": 4}  # noqa: RUF012

        @invariant()
        def a_column_is_free(self) -> None:
            keys = [entry.key for entry in self.state.log]
            assert keys.count("0") < 3, ", ".join(keys)

    assert failure_of(Narrow).startswith("0, 0, 0\n")


def test_undo_and_saves_lead_back() -> None:
    machine = machine_for("pig", players=2)()
    machine.game, machine.seed = rw.load("pig", 2), 3
    machine._start()
    for key in ("roll", "hold", "roll"):
        decision = machine.state.decision
        assert decision is not None
        before = machine.state
        machine._take(next(option for option in decision.options if option.key == key))
    machine.save_and_resume()
    machine.undo()
    assert machine.state == before
    assert [entry.key for entry in machine.state.log if entry.who != "chance"] == ["roll", "hold"]


def test_saves_that_give_another_state_are_found(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(rw.Game, "load", lambda self, saved: self.start(1).choose(0))
    assert failure_of(machine_for("tic-tac-toe")).startswith("a save does not give the same state")


def test_a_machine_without_a_ruleset_says_so() -> None:
    with pytest.raises(InvalidDefinition, match="names no ruleset"):
        run_state_machine_as_test(RulesetStateMachine, settings=QUICK)


class TestConnectFour(machine_for("connect-four").TestCase):  # type: ignore[misc]
    settings = settings(max_examples=8, stateful_step_count=20)


class TestKingsAndThings(machine_for("kings-and-things", players=2).TestCase):  # type: ignore[misc]
    settings = settings(max_examples=2, stateful_step_count=6)
