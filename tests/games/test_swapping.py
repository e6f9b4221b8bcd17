"""``swap``: against a model in Python, and what players know of what is exchanged."""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st
from secret_games import made

import rulewright as rw

CARDS = {"rows": [{"worth": n} for n in range(8)]}
RULES = """game swapping
players 2 to 2
piece Card from "cards.json"
    worth: 0..9
    named "{worth}"
zone pile[Player]: stack of Card, seen by everyone
zone line[Player]: row of Card, seen by everyone
zone hand[Player]: set of Card, seen by everyone
field gold[Player]: Int = 1
field n: Int = 7
field mark[Player]: Card or none
field next[p: Player]: Player

procedure play
    let a = first(players)
    gold[a] = 5
    each q in players
        next[q] = q.left
    move {c in Card where c.worth < 3} to pile[a]
    move {c in Card where c.worth in {3, 4}} to line[a.left]
    move {c in Card where c.worth > 4} to hand[a]
    mark[a] = single({c in Card where c.worth is 2})
    repeat
        go(a)

procedure go(p: Player)
    p chooses i from players
    p chooses j from players
    p chooses either as way
        option gold: swap gold[i] with gold[j]
        option number: swap n with gold[i]
        option next: swap next[i] with next[next[j]]
        option mark: swap mark[i] with mark[j]
        option locals
            var x = gold[i]
            var y = n
            swap x with y
            swap y with gold[j]
            n = x
        option piles: swap pile[i] with pile[j]
        option pile_line: swap pile[i] with line[j]
        option line_hand: swap line[i] with hand[j]
        option hands: swap hand[i] with hand[j]
        option cards
            p chooses c from Card
            p chooses d from Card
            swap c with d
"""
SEATS = ("player_1", "player_2")
WAYS = ("gold", "number", "next", "mark", "locals", "piles", "pile_line", "line_hand", "hands", "cards")

seats, cards = st.sampled_from(SEATS), st.sampled_from([str(n) for n in range(8)])
swaps = st.lists(st.tuples(seats, seats, st.sampled_from(WAYS), cards, cards), min_size=1, max_size=12)


@cache
def beginning() -> rw.State:
    with TemporaryDirectory() as folder:
        path = Path(folder)
        (path / "game.rules").write_text(RULES)
        (path / "cards.json").write_text(json.dumps(CARDS))
        manifest = {"name": "swapping", "title": "Swapping", "rules": ["game.rules"]}
        (path / "ruleset.json").write_text(json.dumps(manifest))
        return rw.load(path, 2).start()


class Model:
    """The value of each name, and the contents of each zone from the top or first slot on."""

    def __init__(self) -> None:
        a, b = SEATS
        self.held: dict[tuple[str, str], Any] = {
            ("gold", a): 5, ("gold", b): 1, ("n", ""): 7, ("next", a): b, ("next", b): a,
            ("mark", a): "2", ("mark", b): None,
        }  # fmt: skip
        self.zones: dict[tuple[str, str], list[str]] = {
            ("pile", a): ["2", "1", "0"], ("pile", b): [], ("line", a): [], ("line", b): ["3", "4"],
            ("hand", a): ["5", "6", "7"], ("hand", b): [],
        }  # fmt: skip

    def swap(self, i: str, j: str, way: str, c: str, d: str) -> None:
        match way:
            case "gold" | "mark":
                self.values((way, i), (way, j))
            case "number":
                self.values(("n", ""), ("gold", i))
            case "next":
                self.values(("next", i), ("next", self.held["next", j]))
            case "locals":
                x, y = self.held["gold", i], self.held["n", ""]
                x, y = y, x
                self.held["gold", j], y = y, self.held["gold", j]
                self.held["n", ""] = x
            case "cards":
                self.pieces(c, d)
            case _:
                one, _, other = way.removesuffix("s").partition("_")
                self.all_of((one, i), (other or one, j))
        for (name, _), content in self.zones.items():
            if name == "hand":
                content.sort()

    def values(self, one: tuple[str, str], other: tuple[str, str]) -> None:
        self.held[one], self.held[other] = self.held[other], self.held[one]

    def all_of(self, one: tuple[str, str], other: tuple[str, str]) -> None:
        self.zones[one], self.zones[other] = self.zones[other], self.zones[one]

    def pieces(self, c: str, d: str) -> None:
        for content in self.zones.values():
            content[:] = [{c: d, d: c}.get(card, card) for card in content]


def _held(state: rw.State) -> dict[tuple[str, str], Any]:
    fields = state.view(None)["fields"]
    found = {
        (name, seat): fields[name].get("values", {}).get(seat, fields[name]["default"])
        for name in ("gold", "next", "mark")
        for seat in SEATS
    }
    return {**found, ("n", ""): fields["n"]}


def _zones(state: rw.State) -> dict[tuple[str, str], list[str]]:
    zones = state.view(None)["zones"]
    return {
        (name, seat): [piece["key"] for piece in zones[name]["values"].get(seat, {}).get("pieces", ())]
        for name in ("pile", "line", "hand") for seat in SEATS
    }  # fmt: skip


@settings(max_examples=30)
@given(swaps)
def test_as_the_model_says(done: list[tuple[str, str, str, str, str]]) -> None:
    state, model = beginning(), Model()
    for i, j, way, c, d in done:
        state = state.choose(i).choose(j).choose(way)
        if way == "cards":
            state = state.choose(c).choose(d)
        model.swap(i, j, way, c, d)
        assert _held(state) == model.held
        assert _zones(state) == model.zones


@settings(max_examples=20)
@given(seats, seats, st.sampled_from([way for way in WAYS if way not in ("next", "locals", "line_hand")]), cards, cards)
def test_twice_is_as_before(i: str, j: str, way: str, c: str, d: str) -> None:
    """But where keys are others afterwards, or a set keeps no order."""
    answers = [i, j, way, *((c, d) if way == "cards" else ())]
    state = beginning()
    for answer in (*answers, *answers):
        state = state.choose(answer)
    assert (_held(state), _zones(state)) == (_held(beginning()), _zones(beginning()))


# ----------------------------------------------------------------------------------------- what players know

HANDS = """
procedure play
    shuffle deck
    each p in players
        draw 3 from deck to hand[p]
    let a = first(players)
    a chooses n from {1 .. 1}
    swap hand[a] with hand[a.left]
    a chooses m from {1 .. 1}
    finish with winner a
"""

CHOSEN = """
procedure play
    shuffle deck
    each p in players
        draw 3 from deck to hand[p]
    let a = first(players)
    draw 2 from deck to table
    a chooses c from hand[a]
    a.left chooses d from hand[a.left]
    swap c with d
    a chooses e from hand[a]
    swap e with first(table)
    each p in players
        p chooses n from {1 .. 1}
    finish with winner a
"""


def _keys(state: rw.State, zone: str) -> list[str]:
    return sorted(piece["key"] for piece in state.save()["zones"].get(zone, ()))


def _told(state: rw.State, player: int, seat: str) -> list[str]:
    pieces = state.view(player)["zones"]["hand"]["values"][seat].get("pieces", ())
    return sorted(piece["key"] for piece in pieces if "key" in piece)


def test_swapped_hands_are_known_to_both(tmp_path: Path) -> None:
    """All of each hand has gone, so both know the other's cards, and a third player neither."""
    state = made(tmp_path, HANDS, 3).start(3).choose(0)
    for player, other in ((0, "player_2"), (1, "player_1")):
        assert _told(state, player, other) == _keys(state, f"hand[{other}]")
    assert _told(state, 2, "player_1") == _told(state, 2, "player_2") == []
    worlds = {tuple(_keys(state.imagine(2, seed), "hand[player_1]")) for seed in range(12)}
    assert len(worlds) > 3
    assert {tuple(_keys(state.imagine(0, seed), "hand[player_2]")) for seed in range(12)} == {
        tuple(_keys(state, "hand[player_2]"))
    }


def test_who_may_know_what_was_swapped(tmp_path: Path) -> None:
    game = made(tmp_path, CHOSEN, 3)
    for seed in range(6):
        state = game.start(seed)
        for _ in range(2):
            state = state.choose(seed % 3)
        c, d = (entry.key for entry in state.log[-2:])
        for player in range(3):
            told = [entry.key for entry in state.log_for(player)][-2:]
            # Whose card it was knows it; a third player hears of neither.
            assert told == [c if player == 0 else None, d if player == 1 else None]
            assert game.leaks(state, player, seed) == []
        assert _told(state, 0, "player_2") == [c]
        assert _told(state, 1, "player_1") == [d]
        assert _told(state, 2, "player_1") == []
        state = state.choose(0)
        assert all(state.log_for(player)[-1].key == state.log[-1].key for player in range(3))
        assert state.log[-1].key in _keys(state, "table")
        for player in range(3):
            assert json.dumps(state.imagine(player, seed).view(player)) == json.dumps(state.view(player))
            assert game.leaks(state, player, seed) == []


WITH_WHOM = """
procedure play
    shuffle deck
    each p in players
        draw 3 from deck to hand[p]
    let a = first(players)
    a chooses b from players except a
    swap hand[a] with hand[b]
    each p in players
        p chooses n from {1 .. 1}
    finish with winner a
"""


def test_all_hear_whose_hands_are_swapped_where_they_can_count(tmp_path: Path) -> None:
    state = made(tmp_path, WITH_WHOM, 3).start(3).choose("player_3")
    assert [state.log_for(player)[-1].key for player in range(3)] == ["player_3"] * 3
    assert _told(state, 0, "player_3") == _keys(state, "hand[player_3]")
