"""Sets that are known when the program is made, wherever players or pieces are wanted: they are never numbers."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from lockstep import played

import rulewright as rw

RULES = """\
game known_sets
players 3
party Owner: players, pirates
enum Land from "lands.json"
    folk: set of Player
    towns: set of Town
enum Town: one, two, three, four, five, six
piece Card from "cards.json"
    worth: 1..4
    begins in deck
zone deck: stack of Card, seen by {}
zone open: set of Card, faced, face seen by {}
param reached: set of Town = {four, six}
param far: set of Int = {40, 70}
field gold[Player]: 0..999 = 0
field picked: set of Town = {}
field number: Int = 0
field late: Bool = false

procedure play
    each p in players
        p chooses land from Land
        gold[p] += size(land.towns)
        late = land is east
"""
LANDS = {
    "rows": [
        {"name": "south", "folk": [1], "towns": ["one"]},
        {"name": "north", "folk": [2, 3], "towns": ["five", "six"]},
        {"name": "east", "folk": [], "towns": []},
    ]
}
CARDS = {"rows": [{"worth": 1}, {"worth": 2}, {"worth": 3}, {"worth": 4}]}
ENDS: dict[str, set[int]] = {
    "finish with winner south.folk": {0},
    "finish with winner north.folk": {1, 2},
    "finish with winner east.folk": set(),
    "finish with winner pirates": set(),
    "finish with winner {}": set(),
    "finish with winner best(p in {} by gold[p])": set(),
    "finish with winner best(p in south.folk by gold[p])": {0},
    "finish with winner {pirates}": set(),
    "finish with winner south.folk + north.folk": {0, 1, 2},
    "finish with winner (north.folk if gold[first(players)] < 99 else {})": {1, 2},
    "finish with winner ({} if gold[first(players)] < 99 else south.folk)": set(),
    "finish with winner {p in north.folk where p.seat is 3}": {2},
    "finish ranking p in south.folk by 1": {0},
    "finish ranking p in north.folk by 1": {1, 2},
    "finish ranking p in {} by 1": set(),
    "finish ranking o in {pirates} by 1": set(),
}
DEEDS = (
    "picked = reached",
    "picked = {}",
    "picked += south.towns",
    "picked -= north.towns",
    "picked = (reached if late else {})",
    "number = size(far) + max(far)",
    "number = max((far if late else {3}))",
    "let none_of_them = best(t in {} by 1)\n    number = size(none_of_them)",
    "each p in north.folk\n        gold[p] += 1",
    "each p in north.folk at once\n        p chooses n from {1, 2}\n        gold[p] += n",
    "each p in {}\n        gold[p] += 1",
    "each p in east.folk at once\n        p chooses n from {1, 2}\n        gold[p] += n",
    "show deck to north.folk",
    "show deck to south.folk",
    "show deck to east.folk",
    "show deck to pirates",
    "show {} to everyone",
    "move {} to open",
    "move deck to open face down\n    flip open face up",
    "first(players) chooses any number of t as towns from {}\n    number = size(towns)",
    "first(players) chooses any number of t as towns from south.towns + reached\n    picked = towns",
    "first(players) chooses t from east.towns\n    else\n        number = 3",
    "first(players) may choose t from reached\n    picked = {t}",
    "chance chooses t from reached\n    picked = {t}",
    "chance chooses t from {}\n    number = 4",
    "pirates chooses t from reached\n    else\n        number = 3",
    "first(players).owner chooses t from reached\n    picked = {t}",
    "eliminate(first(players))\n    first(players).owner chooses t from reached\n    picked = {t}",
    "number = count(t in {} where late)",
    "number = 1 if first(players) in south.folk else 0",
    "if north.folk is {} then number = 2",
    "number = 2 if every(t in {} has late) else 1",
    "number = size({t in reached where t in north.towns})",
    "let there = [] if late else [one]\n    number = size(there)",
)


def folder(tmp_path: Path, *lines: str) -> Path:
    rules = RULES + "".join(f"    {line}\n" for line in lines)
    (tmp_path / "game.rules").write_text(rules, "utf-8")
    (tmp_path / "ruleset.json").write_text(
        '{"name": "known-sets", "title": "Known sets", "rules": ["game.rules"]}', "utf-8"
    )
    (tmp_path / "lands.json").write_text(json.dumps(LANDS), "utf-8")
    (tmp_path / "cards.json").write_text(json.dumps(CARDS), "utf-8")
    return tmp_path


@pytest.mark.parametrize("end", ENDS)
def test_who_has_won(tmp_path: Path, end: str) -> None:
    for engine in ("python", "native"):
        result = rw.load(folder(tmp_path, end), engine=engine).playout(3)
        won = {seat for seat, place in enumerate(result.places) if place == 1}
        assert won == ENDS[end], engine


@pytest.mark.parametrize("deed", DEEDS)
def test_both_engines_play_the_same(tmp_path: Path, deed: str) -> None:
    """Known sets in each statement that takes a set."""
    rules = folder(tmp_path, deed, "finish ranking p in players by gold[p] * 1000 + number + size(picked)")
    tally = played(rw.load(rules).program, 6)
    assert not tally.errors
    assert not tally.handed_over


def test_who_is_shown_a_card(tmp_path: Path) -> None:
    state = rw.load(folder(tmp_path, "show deck to north.folk", "finish with winner {}")).start()
    while state.decision is not None:
        state = state.choose(state.decision.options[0])
    seen = [state.view(seat)["zones"].get("deck") for seat in range(3)]
    assert seen[0] is None
    assert seen[1] == seen[2]
    assert seen[1]["count"] == len(CARDS["rows"])
