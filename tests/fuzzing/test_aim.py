"""``fuzz --reach``: games are led to rules that random ones do not use, and to properties that can be broken."""

from __future__ import annotations

import json
from pathlib import Path

import jsonschema
import pytest
from fuzz_helpers import ROOT, command, written

import rulewright as rw
from rulewright.findings.fuzzing import FuzzOptions, fuzz_at
from rulewright.findings.fuzzing.aim.targets import Nearness, Target
from sampling import thorough

TOWER = """\
game small
players 2

field height[Player]: 0..30 = 0
field keys: 0..3 = 0

invariant low for p in players: height[p] < 14

procedure play
    repeat 16 times
        each p in players
            turn(p)
    finish ranking p in players by height[p]

procedure turn(p: Player)
    p chooses either as way
        option fall
            height[p] = 0
        option slip
            height[p] = height[p] / 2 rounded down
        option up
            height[p] += 1
        option find
            keys = min({3, keys + 1})
        option open
            forbid locked: keys < 3
            forbid too_low: height[p] < 12
            treasure(p)
    if height[p] > 28
        fly(p)

procedure treasure(p: Player)
    keys = 0

procedure fly(p: Player)
    height[p] = 0
"""
"""A game in which only who goes upwards twelve times finds the treasure, and nobody comes high enough to fly."""


@pytest.fixture(scope="module")
def tower(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return written(tmp_path_factory.mktemp("aim") / "tower", TOWER)


def test_rules_that_random_games_do_not_use(tower: Path) -> None:
    found = fuzz_at(tower, ["rules"], FuzzOptions(games=300))
    assert found.never_used == ["turn.open", "treasure", "fly"]
    reached = {one.target.name: one for one in found.reached}
    assert set(reached) == {"turn.open", "treasure"}
    game = rw.load(tower, 2)
    for name, one in reached.items():
        fired = game.new_fired()
        state = game.start(ask_chance=True, fired=fired)
        for number in one.numbers:
            assert not fired[game.rule_names.index(name)]
            state = state.choose(number)
        assert fired[game.rule_names.index(name)], "the numbers are that game"
    (missed,) = found.missed
    assert missed.target.name == "fly"
    assert missed.distance is not None
    assert 0 < missed.distance < 1
    state = game.start(ask_chance=True)
    for number in missed.numbers:
        state = state.choose(number)
    (obstacle,) = missed.obstacles
    highest = max(value for _, value in obstacle.values)
    assert obstacle.rule == "turn"
    assert 10 < highest <= 28
    assert f"is {highest}" in obstacle.message


def test_a_position_is_the_nearer_the_less_is_missing(tower: Path) -> None:
    game = rw.load(tower, 2)
    near = Nearness(game, Target("turn.open"))

    def distance(state: rw.State) -> int:
        found = near.of(state)
        assert found is not None
        return found

    state, distances = game.start(), []
    for _ in range(3):
        for _ in game.seats:
            distances.append(distance(state))
            state = state.choose("find")
    assert distances[0] > distances[1] > distances[2]
    for _ in range(12):
        for _ in game.seats:
            before = distance(state)
            state = state.choose("up")
            assert distance(state) <= before
    assert near.of(state) == 0
    assert near.obstacles(state) == []
    fallen = state.choose("fall").choose("fall")
    assert [one.rule for one in near.obstacles(fallen)] == ["turn.way"]


def test_an_invariant_is_broken(tower: Path) -> None:
    found = fuzz_at(tower, ["invariant/low"], FuzzOptions(games=300))
    (one,) = found.broken
    assert "low" in one.told
    assert len(one.numbers) >= 27
    code, told = command("fuzz", tower, "--reach", "invariant/low", "--games", 60)
    assert code == 1
    again = next(line for line in told.splitlines() if "again rulewright" in line)
    code, replayed = command("fuzz", tower, "--players", 2, again.split()[-1])
    assert code == 1
    assert "invariant/low" in replayed


def test_equal_seeds_give_equal_reports(tower: Path) -> None:
    asked = ("fuzz", tower, "--reach", "rules", "--reach", "invariant/low", "--games", 300, "--format", "json")
    code, told = command(*asked)
    assert (code, told) == command(*asked)
    data = json.loads(told[told.index("{\n") :])
    jsonschema.validate(data, json.loads((ROOT / "schemas" / "aim-report.schema.json").read_text("utf-8")))
    assert data["flights"] <= 300
    assert [one["target"] for one in data["missed"]] == ["fly"]


@pytest.mark.parametrize(
    ("flags", "said"),
    [
        (("--reach", "tresure"), "did you mean `treasure`?"),
        (("--reach", "property/low"), "no such rule, property or invariant"),
        (("--reach", "rules", "--jobs", "2"), "--reach searches by itself"),
        (("--reach", "rules", "--output", "met.html"), "--output but FILE.json"),
    ],
)
def test_bad_input(flags: tuple[str, ...], said: str, tower: Path) -> None:
    code, told = command("fuzz", tower, "--games", 1, *flags)
    assert code == 2
    assert said in " ".join(told.split())


@thorough
def test_rules_of_a_large_game() -> None:
    """Domains have to be closed before they can be expanded: no random game comes there."""
    found = fuzz_at(ROOT / "rulesets" / "domaine", ["perform.expansion"], FuzzOptions(players=2, games=60))
    assert [one.target.name for one in found.reached] == ["perform.expansion"]
