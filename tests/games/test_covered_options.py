"""Pieces that whoever is asked does not see are offered by where they lie, in an order that tells nothing."""

from __future__ import annotations

from pathlib import Path

import pytest
from secret_games import made
from twins import positions, told_apart

import rulewright as rw

HEAD = """game covered
players 2
piece Tile from "cards.json"
    worth: 1..4
    age: 1..2
    named "tile {worth}"
    back shows "age {age}"
    begins in heap
zone heap: stack of Tile, seen by {}
zone lane: row of Tile, faced, face seen by {}
zone blind: row of Tile, count seen by everyone
zone marked: row of Tile, back seen by everyone
zone rack[p: Player]: row of Tile, face seen by p, count seen by everyone
zone won[p: Player]: set of Tile, seen by everyone
zone kept[p: Player]: set of Tile, face seen by p, count seen by everyone
"""
TILES = {"rows": [{"worth": n, "age": 1 + n // 3, "count": 3} for n in (1, 2, 3, 4)]}
LAYS = """
procedure play
    shuffle heap
    draw 4 from heap to ZONE
    each p in players
        turn(p)
    finish ranking p in players by size(won[p])
procedure turn(p: Player)
"""
TURNS = {
    "one": "    p chooses c from ZONE\n    move c to won[p]\n",
    "some of them": "    p chooses c from ZONE where c.age is 1 or c.age is 2\n    move c to kept[p]\n",
    "two": "    p chooses exactly 2 c as both from ZONE\n    move both to won[p]\n",
    "not the first": "    let one = first(ZONE)\n    p chooses c from {d in ZONE where d is not one}\n"
    "    move c to won[p]\n",
    "perhaps": "    p may choose c from ZONE\n    then\n        move c to kept[p]\n",
}


def rules(turn: str, zone: str, down: str = "") -> str:
    return (LAYS + TURNS[turn]).replace("ZONE" + "\n    each", f"{zone}{down}\n    each").replace("ZONE", zone)


@pytest.mark.parametrize("turn", TURNS)
@pytest.mark.parametrize("zone", ["lane", "blind"])
def test_twins_are_offered_the_same(turn: str, zone: str, tmp_path: Path) -> None:
    played = made(tmp_path, rules(turn, zone, " face down" if zone == "lane" else ""), 2, TILES, HEAD)

    def offered(state: rw.State, player: int) -> object:
        assert state.decision is not None
        return [(option.key, option.value) for option in state.decision.options]

    found, compared = told_apart(positions(played, range(30)), offered)
    assert not found, found[0]
    assert compared > 15


@pytest.mark.parametrize("turn", ["some of them", "two"])
def test_engines_play_the_same(turn: str, tmp_path: Path) -> None:
    made(tmp_path, rules(turn, "blind"), 2, TILES, HEAD)
    games = [rw.load(tmp_path, 2, engine=engine) for engine in ("python", "native")]  # type: ignore[arg-type]
    for seed in range(20):
        one, other = (play.playout(seed) for play in games)
        assert (one.result, one.decisions) == (other.result, other.decisions)


def test_words(tmp_path: Path) -> None:
    state = made(tmp_path, rules("one", "lane", " face down"), 2, TILES, HEAD).start(1)
    assert state.decision is not None
    assert [o.key for o in state.decision.options] == [f"back in lane, place {n}" for n in (1, 2, 3, 4)]
    after = state.choose("back in lane, place 3")
    (heard,) = after.log_for(1)[-1:]
    assert (heard.name, heard.key) == ("turn.c", "back in lane, place 3")


def test_backs(tmp_path: Path) -> None:
    state = made(tmp_path, rules("one", "marked"), 2, TILES, HEAD).start(1)
    assert state.decision is not None
    backs = [o.key.partition(" in ")[0] for o in state.decision.options]
    assert set(backs) <= {"age 1", "age 2"}
    assert [o.key.partition(", ")[2] for o in state.decision.options] == [f"place {n}" for n in (1, 2, 3, 4)]


def test_what_they_see_or_know_is_named(tmp_path: Path) -> None:
    turn = """
procedure play
    shuffle heap
    draw 3 from heap to lane face down
    draw 1 from heap to lane face up
    each p in players
        draw 2 from heap to rack[p]
    show first(lane) to first(players)
    each p in players
        p chooses c from lane
        p chooses d from rack[p]
        move d to won[p]
    finish ranking p in players by size(won[p])
"""
    state = made(tmp_path, turn, 2, TILES, HEAD).start(2)
    assert state.decision is not None
    keys = [o.key for o in state.decision.options]
    assert [key.startswith("tile") for key in keys] == [True, False, False, True], keys
    own = state.choose(0).decision
    assert own is not None
    assert all(option.key.startswith("tile") for option in own.options)
    other = state.choose(0).choose(0).decision
    assert other is not None
    assert [o.key.startswith("tile") for o in other.options] == [False, False, False, True]


def test_scenarios_name_either(tmp_path: Path) -> None:
    scenarios = """
scenario "by the place"
    players anna, bert
    put "tile 2" in blind
    put "tile 3" in blind
    start turn(anna)
    offered anna: c = {"back in blind, place 1", "back in blind, place 2"}
    when anna: c = "back in blind, place 2"
    then "tile 3" in won[anna]

scenario "by the face, which the author sees"
    players anna, bert
    put "tile 2" in blind
    put "tile 3" in blind
    start turn(anna)
    when anna: c = "tile 2"
    then "tile 2" in won[anna]
"""
    made(tmp_path, rules("one", "blind") + scenarios, 2, TILES, HEAD)
    for plan in rw.scenarios.plans(rw.open_ruleset(tmp_path)):
        result = rw.scenarios.run_scenario(plan)
        assert result.passed, result
