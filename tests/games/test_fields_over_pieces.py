"""Fields over pieces that lie hidden: a marker laid on a back tells where it lies, and not which piece it is."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from secret_games import HEAD, made

import rulewright as rw

MARKED = """
field marked[Card]: Bool{seen}
field wanted: Card or none = none{seen}
field chain: list of Card{seen}
field heap: set of Card{seen}
field last[Player]: Card or none = none{seen}

procedure play
    shuffle deck
    each p in players
        draw 3 from deck to hand[p]
    let q = first(players)
    q chooses mine from hand[q]
    q chooses other from hand[q] except mine
    marked[mine] = true
    wanted = mine
    chain = [mine, other]
    heap = {{mine, other}}
    last[q] = other
    q.left chooses n from {{1 .. 2}}
    move mine to table
    q.left chooses n2 from {{1 .. 2}}
    move mine to hand[q]
    q.left chooses n3 from {{1 .. 2}}
    finish with winner q
"""
PLAYERS = 3


@pytest.fixture
def asked(tmp_path: Path) -> rw.State:
    """The second player is asked; the first has marked two cards of their own hand."""
    return marked(tmp_path, "").choose(0).choose(0)


def marked(folder: Path, seen: str) -> rw.State:
    return made(folder, MARKED.format(seen=seen), PLAYERS).start(2)


def fields(state: rw.State, player: int | None) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(json.dumps(state.view(player)))["fields"]
    return found


def answers(state: rw.State, player: int | None) -> list[str | None]:
    return [entry.key for entry in state.log_for(player) if entry.who == "player_1"]


def test_its_owner_knows_which_card_is_marked(asked: rw.State) -> None:
    told = fields(asked, None)
    assert fields(asked, 0) == told
    card = told["wanted"]
    assert told["marked"]["values"] == {card: True}
    assert told["chain"][0] == card
    assert told["last"]["values"] == {"player_1": told["chain"][1]}


def test_others_see_where_it_lies(asked: rw.State) -> None:
    back = "back in hand[player_1]"
    for player in (1, 2):
        told = fields(asked, player)
        assert told["marked"]["values"] == {back: True}
        assert told["wanted"] == back
        assert told["chain"] == told["heap"] == [back, back]
        assert told["last"]["values"] == {"player_1": back}


def test_it_is_dealt_anew_with_the_card(asked: rw.State) -> None:
    worlds = [asked.imagine(1, seed) for seed in range(40)]
    for name in ("heap", "chain", "last"):
        assert len({json.dumps(fields(world, None)[name]) for world in worlds}) > 3, name
    assert {fields(world, None)["wanted"] for world in worlds} == {answers(asked, 1)[0]}, "of the first card they heard"
    for world in worlds:
        assert world.view(1) == asked.view(1)
        hand = [piece["key"] for piece in world.view(None)["zones"]["hand"]["values"]["player_1"]["pieces"]]
        told = fields(world, None)
        assert {*told["marked"]["values"], told["wanted"], *told["chain"], *told["heap"]} <= {*hand}


def test_the_log_names_it_to_those_who_see_it(asked: rw.State) -> None:
    first, _ = fields(asked, None)["chain"]
    assert answers(asked, 1) == answers(asked, 2) == [first, None], "the first one will go to the table"
    assert answers(asked, 0) == answers(asked, None) == fields(asked, None)["chain"]


def test_what_has_lain_open_is_known(asked: rw.State) -> None:
    """Also when it lies hidden again; of the second card nothing is known."""
    open_ = asked.choose(0)
    for state in (open_, open_.choose(0)):
        told = fields(state, 1)
        assert told["wanted"] == fields(state, None)["wanted"]
        assert told["chain"] == [told["wanted"], "back in hand[player_1]"]
        assert told["heap"] == [told["wanted"], "back in hand[player_1]"]
        assert told["marked"]["values"] == {told["wanted"]: True}


def test_named_aloud_it_is_known_to_all(tmp_path: Path) -> None:
    state = marked(tmp_path, ", face seen by everyone").choose(0).choose(0)
    assert fields(state, 1) == fields(state, None)
    assert answers(state, 1) == fields(state, None)["chain"]
    for seed in range(5):
        assert fields(state.imagine(1, seed), None) == fields(state, None)


def test_a_place_in_a_row_is_told(tmp_path: Path) -> None:
    rules = """
zone display: row of Card, back seen by everyone
zone bag: bag of Card, seen by {}
field marked[Card]: 0..9 = 0

procedure play
    shuffle deck
    draw 3 from deck to display
    draw 2 from deck to bag
    marked[display[1]] = 2
    marked[display[2]] = 1
    marked[first(bag)] = 5
    first(players) chooses n from {1 .. 2}
    finish with winner players
"""
    head = HEAD.replace("    begins in deck", '    back shows "{suit}"\n    begins in deck')
    state = made(tmp_path, rules, 2, head=head).start(4)
    cards = [piece["key"].split()[0] for piece in state.view(None)["zones"]["display"]["pieces"]]
    assert fields(state, 0)["marked"]["values"] == {
        f"{cards[1]} in display, place 2": 2,
        f"{cards[2]} in display, place 3": 1,
        "back": 5,
    }
    assert all(state.imagine(0, seed).view(0) == state.view(0) for seed in range(20))


def test_a_scenario_knows_what_a_back_hides(tmp_path: Path) -> None:
    scenario = """
scenario "a marker on a back"
    players anna, bert
    put "red 1" in hand[anna]
    put "red 2" in hand[anna]
    put "blue 5" in hand[bert]
    given marked["red 1"] = true
    given heap = {"red 1"}
    seen anna: heap, marked["red 1"]
    seen bert: size(heap), count(c in hand[anna] where marked[c])
    hidden bert: heap, marked["red 1"], "red 1" in heap
    seen bert: marked["blue 5"]
"""
    made(tmp_path, MARKED.format(seen=""), 2)
    rules = tmp_path / "game.rules"
    rules.write_text(rules.read_text() + scenario)
    (plan,) = rw.scenarios.plans(rw.open_ruleset(tmp_path))
    assert rw.scenarios.run_scenario(plan).failure is None
