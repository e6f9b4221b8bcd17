"""Distances of targets and runs that are led by them: machine code and the Python engine measure the same."""

from __future__ import annotations

import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest
from fuzz_helpers import ROOT, written
from test_aim import TOWER

import rulewright as rw
from rulewright.engine import BEGINNING, Aim, EngineName, Explorer, Origin, State
from rulewright.findings.fuzzing import FuzzOptions, fuzz, fuzz_at
from rulewright.findings.fuzzing.aim.aimed_search import AimedSearch
from rulewright.findings.fuzzing.aim.branch_distance import STEP
from rulewright.findings.fuzzing.aim.targets import Target, levels
from rulewright.findings.fuzzing.deadlines import Limits
from rulewright.findings.fuzzing.failures import Setting
from rulewright.findings.fuzzing.fuzzer import Run
from rulewright.findings.fuzzing.search.python_runs import PythonRuns
from rulewright.findings.fuzzing.search.runs import game_of
from rulewright.play.game import Game
from sampling import sample, thorough

GAMES = [
    ("tic-tac-toe", 2),
    ("breakthrough", 2),
    ("leduc-poker", 2),
    ("carolus-magnus", 3),
    pytest.param("baron", 2, marks=thorough),
    pytest.param("loewenherz", 2, marks=thorough),
    pytest.param("domaine", 3, marks=thorough),
    pytest.param("kings-and-things", 2, marks=thorough),
]
STEPS = 20_000
"""The Python engine makes no more for a distance here."""


def search_of(game: Game, targets: list[Target]) -> AimedSearch:
    game.backend = "native"
    return AimedSearch(game, Setting(game.players), targets, 0, Limits())


def some_targets(game: Game, count: int) -> list[Target]:
    """Rules from all over a game, and all that must hold."""
    rules = [Target(name) for name in game.rule_names if name in game.flow.usable]
    asserted = [Target(one.name, one.word) for one in game.program.assertions if one.word != "witness"]
    return [*rules[:: 1 + len(rules) // count], *asserted]


def positions(machine: Explorer, count: int) -> list[Origin]:
    found, origin, seed = list[Origin](), BEGINNING, 5
    while len(found) < count and seed < 100 * count:
        known = machine.known
        explored = machine.explore(origin, 20, seed, 200)
        seed += explored.runs + 1
        if explored.last is not None and not explored.failed:
            explored = machine.first_new(origin, explored, known)
        if explored.position is not None:
            found.append(explored.position)
        origin = BEGINNING if explored.position is None or len(found) % 4 == 0 else explored.position
    return found


@pytest.mark.parametrize(("name", "players"), GAMES)
def test_both_engines_measure_the_same(name: str, players: int) -> None:
    game = rw.load(name, players)
    targets = some_targets(game, sample(12, 40))
    search, known, seen = search_of(game, targets), 0, set[int]()
    machine = search.machine
    assert isinstance(machine, Explorer)
    measures = [near for target in targets for near in levels(game, target)]
    for origin in positions(machine, sample(8, 40)):
        cells = machine._backend.codec.rest(origin.state).cells
        state = State.at_rest(game.engine, list(cells), game.start().mode, None)
        for number, near in enumerate(measures):
            expected = near.of(state, STEPS)
            if expected is not None:
                assert machine.distance(origin, number) == expected, (near.target.label, near.depth)
                known += 1
                seen.add(expected)
    assert known > 20
    assert len(seen) > 1


def test_both_engines_play_the_same_runs(tmp_path: Path) -> None:
    """From one position, with one aim: until there the same answers, and the same distance."""
    game = rw.load(written(tmp_path / "tower", TOWER), 2)
    search = search_of(game, [Target("fly")])
    near = levels(game, Target("fly"))
    native, python = search.machine, PythonRuns(game, (), near)
    here: list[Origin] = [BEGINNING, BEGINNING]
    below = 10**9
    for seed in range(1, 200, 20):
        found = []
        for origin, machine in zip(here, (native, python), strict=True):
            machine.known = b"\xff" * len(machine.known)
            one = machine.explore(origin, 20, seed, 12, Aim(0, below))
            if one.last is not None:
                one = replace(machine.first_new(origin, one, machine.known, Aim(0, below)), runs=one.runs)
            found.append(one)
        one, other = found
        assert (one.runs, one.last, one.distance) == (other.runs, other.last, other.distance)
        if one.position is not None and other.position is not None and one.distance is not None:
            here, below = [one.position, other.position], one.distance
            _, state = game_of(game, one.position.way)
            assert state is not None
            assert near[0].of(state) == one.distance
    assert below < 10**9


@pytest.mark.parametrize("engine", ["native", "python"])
def test_a_rule_that_random_games_do_not_use_is_reached(engine: EngineName, tmp_path: Path) -> None:
    folder = written(tmp_path / "tower", TOWER)
    found = fuzz_at(folder, ["treasure"], FuzzOptions(games=100, engine=engine))
    assert "treasure" in found.never_used
    (one,) = found.reached
    game = rw.load(folder, 2)
    fired = game.new_fired()
    state = game.start(ask_chance=True, fired=fired)
    for number in one.numbers:
        state = state.choose(number)
    assert fired[game.rule_names.index("treasure")]


def test_runs_go_on_from_a_position_that_is_laid(tmp_path: Path) -> None:
    game = rw.load(written(tmp_path / "tower", TOWER), 2)
    search, target = search_of(game, [Target("treasure"), Target("fly")]), Target("treasure")
    begin = game.start(0, ask_chance=True)
    after = search.used_from(begin, target)
    assert after is not None
    assert after.mode.fired is not None
    assert after.mode.fired[game.rule_names.index("treasure")] == 1
    assert search.used_from(begin, Target("fly")) is None


def test_other_processes_report_the_same(tmp_path: Path) -> None:
    folder = written(tmp_path / "tower", TOWER)
    asked = ("fuzz", str(folder), "--reach", "rules", "--reach", "invariant/low", "--games", "40", "--format", "json")
    told = [
        subprocess.run(
            [sys.executable, "-m", "rulewright_tools", *asked],
            cwd=ROOT,
            env={
                "PYTHONHASHSEED": seed,
                "PYTHONPATH": f"{ROOT / 'interpreter'}:{ROOT / 'tools'}",
                "HOME": str(tmp_path),
            },
            capture_output=True,
            check=False,
            timeout=120,
        ).stdout
        for seed in ("1", "2")
    ]
    assert told[0] == told[1]
    assert b'"treasure"' in told[0]


def test_what_is_broken_is_left_out_then(tmp_path: Path) -> None:
    """Other machine code plays on from the same positions."""
    folder = written(tmp_path / "tower", TOWER)
    found = fuzz_at(folder, ["invariant/low", "fly"], FuzzOptions(games=40, engine="native"))
    assert [one.target.label for one in found.reached] == ["invariant/low"]
    (missed,) = found.missed
    game = rw.load(folder, 2)
    state = game.start(ask_chance=True)
    for number in missed.numbers:
        state = state.choose(number)
    near = levels(game, missed.target)[0].of(state)
    assert near is not None
    assert missed.distance == near / STEP
    assert max(value for one in missed.obstacles for _, value in one.values) >= 14


def test_games_without_an_aim_are_led_to_rules_that_none_has_used(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = written(tmp_path / "tower", TOWER)
    found = fuzz(folder, FuzzOptions(players=2, games=9, engine="native"))
    assert found.never_used == ["fly"], "nobody can"
    assert found.data() == fuzz(folder, FuzzOptions(players=2, games=9, engine="native", jobs=2)).data()
    monkeypatch.setattr(Run, "_aim", lambda *_: None)
    assert "treasure" in fuzz(folder, FuzzOptions(players=2, games=9, engine="native")).never_used
