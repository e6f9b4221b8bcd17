"""Perfect recall: a piece that was seen is known until it is mixed; views show it, imagining keeps it, and no more."""

from __future__ import annotations

import json
import pickle
from pathlib import Path

import pytest
from secret_games import PASSING, made

import rulewright as rw
from rulewright.engine.persistence.saving import checksum

SEEDS = range(25)


def hand(state: rw.State, zone: str) -> list[str]:
    return sorted(piece["key"] for piece in state.save()["zones"].get(zone, ()))


def imagined(state: rw.State, player: int, zone: str) -> set[tuple[str, ...]]:
    return {tuple(hand(state.imagine(player, seed), zone)) for seed in SEEDS}


def told(state: rw.State, player: int, zone: str, key: str | None = None) -> list[str]:
    """The pieces of a zone that a player is told of."""
    entry = state.view(player)["zones"][zone]
    if key is not None:
        entry = entry["values"].get(key, {})
    return sorted(piece["key"] for piece in entry.get("pieces", ()) if "key" in piece)


def test_who_passes_a_card_knows_it_where_it_lies(tmp_path: Path) -> None:
    playing = made(tmp_path, PASSING, 3)
    state = playing.start(3).choose(0)
    (passed,) = hand(state, "passed[player_1]")
    assert told(state, 0, "passed", "player_1") == [passed]
    assert told(state, 1, "passed", "player_1") == []
    assert imagined(state, 0, "passed[player_1]") == {(passed,)}
    assert len(imagined(state, 1, "passed[player_1]")) > 3
    state = state.choose(0).choose(0)
    # player_3 takes it up: it was alone in the pile, so it is known in the hand to which it goes.
    assert passed in hand(state, "hand[player_3]")
    assert told(state, 0, "hand", "player_3") == [passed]
    assert all(passed in world for world in imagined(state, 0, "hand[player_3]"))
    assert len(imagined(state, 0, "hand[player_3]")) > 5
    assert playing.load(json.loads(json.dumps(state.save()))) == state
    laid = state.choose(0).choose(0).choose(0)
    assert laid.log[-1].key == passed
    assert told(laid, 0, "hand", "player_3") == []
    assert told(state.choose(0).choose(0).choose(1), 0, "hand", "player_3") == [passed]


DRAFT = """
zone pack[p: Player]: set of Card, count seen by everyone
zone spare[p: Player]: set of Card, count seen by everyone

procedure play
    shuffle deck
    each p in players
        draw 3 from deck to hand[p]
    each p in players
        p chooses c from hand[p]
        move c to table
        move hand[p] to pack[p]
    each p in players
        move pack[p.left] to hand[p]
    each p in players
        p chooses hidden_one from hand[p]
        move hidden_one to spare[p]
    each p in players
        p chooses n from {1 .. 2}
    finish with winner first(players)
"""


def test_a_hand_that_was_handed_on_is_known_until_one_of_it_is_hidden(tmp_path: Path) -> None:
    state = made(tmp_path, DRAFT, 3).start(5).choose(0).choose(0).choose(0)
    # player_1's pack went to the player on whose left they sit.
    assert state.decision is not None
    for player, holder in ((0, "player_3"), (1, "player_1"), (2, "player_2")):
        assert told(state, player, "hand", holder) == hand(state, f"hand[{holder}]")
        assert imagined(state, player, f"hand[{holder}]") == {tuple(hand(state, f"hand[{holder}]"))}
    state = state.choose(0)
    # player_2 saw the two cards that player_1 holds; one of them now lies in the spare pile; which is not seen.
    assert told(state, 1, "hand", "player_1") == told(state, 1, "spare", "player_1") == []
    assert told(state, 0, "spare", "player_1") == hand(state, "spare[player_1]")


PAIR = """
zone kept[p: Player]: set of Card, count seen by everyone

procedure play
    shuffle deck
    let p = first(players)
    let q = p.left
    draw 3 from deck to hand[p]
    p chooses c from hand[p]
    move c to table
    move hand[p] to hand[q]
    q chooses d from hand[q]
    move d to kept[q]
    p chooses n from {1 .. 2}
    repeat n times
        draw 1 from deck to hand[q]
    q chooses e from {1 .. 1}
    move hand[q] to HAND
    p chooses f from {1 .. 1}
    finish with winner p
"""


def pair(folder: Path, to: str = "hand[p]") -> tuple[rw.Game, rw.State]:
    """player_2 was handed two cards, and has laid one of them aside."""
    playing = made(folder, PAIR.replace("HAND", to), 2)
    return playing, playing.start(5).choose(0).choose(0)


def test_of_two_cards_the_one_that_does_not_come_back_was_kept(tmp_path: Path) -> None:
    playing, state = pair(tmp_path)
    both = {*hand(state, "hand[player_2]"), *hand(state, "kept[player_2]")}
    assert len(both) == 2
    assert told(state, 0, "hand", "player_2") == told(state, 0, "kept", "player_2") == []
    assert imagined(state, 0, "kept[player_2]") == {(key,) for key in both}
    assert all({*hand(w, "hand[player_2]"), *hand(w, "kept[player_2]")} == both for w in worlds(state, 0))
    one = state.choose(0).choose(0)  # a card of the deck came back with it
    assert set(told(one, 0, "hand", "player_1")) & both
    assert told(one, 0, "kept", "player_2") == hand(one, "kept[player_2]")
    assert imagined(one, 0, "kept[player_2]") == {tuple(hand(one, "kept[player_2]"))}
    assert playing.leaks(one, 0, 1) == []


def test_what_lies_together_again_is_known(tmp_path: Path) -> None:
    _, state = pair(tmp_path, "kept[q]")
    both = sorted([*hand(state, "hand[player_2]"), *hand(state, "kept[player_2]")])
    state = state.choose(0).choose(0)
    assert told(state, 0, "kept", "player_2") == both
    assert len(hand(state, "kept[player_2]")) == 3


def worlds(state: rw.State, player: int) -> list[rw.State]:
    return [state.imagine(player, seed) for seed in SEEDS]


def test_classes_of_several_are_saved(tmp_path: Path) -> None:
    playing, state = pair(tmp_path)
    save = json.loads(json.dumps(state.save()))
    pieces = [entry["piece"] for name in ("hand[player_2]", "kept[player_2]") for entry in save["zones"][name]]
    assert save["known"] == {"player_1": [sorted(pieces)], "player_2": [save["zones"]["kept[player_2]"][0]["piece"]]}
    again = playing.load(save)
    assert again == state
    assert again.to_bytes() == state.to_bytes()
    assert pickle.loads(pickle.dumps(state)) == state
    for world in worlds(state, 0):
        assert playing.load(json.loads(json.dumps(world.save()))) == world


@pytest.mark.parametrize("classes", [[[3]], [[0, 1], [1, 2]], [0, [0, 1]], [[1, 0]], [["a", 0]], [[0, 99]], [[]], 7])
def test_damaged_classes_are_refused(tmp_path: Path, classes: object) -> None:
    playing, state = pair(tmp_path)
    save = json.loads(json.dumps(state.save()))
    save["known"]["player_1"] = classes
    save["checksum"] = checksum(save)
    with pytest.raises(rw.RulesetError, match=r"known\.player_1|damaged|no game is saved"):
        playing.load(save)


def test_places_in_a_stack_are_known_until_it_is_shuffled(tmp_path: Path) -> None:
    rules = """
procedure play
    shuffle deck
    let p = first(players)
    show first(deck) to p
    p chooses a from {1 .. 2}
    draw 1 from deck to table
    draw 1 from deck to hand[p]
    p chooses c from hand[p]
    move c to deck at bottom
    p chooses back from table
    move back to deck
    p chooses d from {1 .. 2}
    draw 1 from deck to hand[p.left]
    p chooses e from {1 .. 2}
    shuffle deck
    p chooses f from {1 .. 2}
    finish with winner p
"""
    state = made(tmp_path, rules, 2).start(2)
    (top,) = told(state, 0, "deck")
    assert told(state, 1, "deck") == []
    state = state.choose(0)
    (drawn,) = hand(state, "hand[player_1]")
    assert hand(state, "table") == [top]
    state = state.choose(0)
    assert told(state, 0, "deck") == [drawn], "they have laid it at the bottom themselves"
    assert told(state, 1, "deck") == []
    state = state.choose(0)
    assert (told(state, 0, "deck"), told(state, 1, "deck")) == (sorted([top, drawn]), [top])
    deck = state.imagine(1, 3).view(None)["zones"]["deck"]["pieces"]
    assert deck[0]["key"] == top
    state = state.choose(0)
    assert (told(state, 0, "deck"), told(state, 0, "hand", "player_2")) == ([drawn], [top])
    state = state.choose(0)
    assert (told(state, 0, "deck"), told(state, 0, "hand", "player_2")) == ([], [top])


def test_of_pieces_that_look_alike_only_the_number_is_known(tmp_path: Path) -> None:
    head = """game guards
players 2
piece Card from "cards.json"
    rank: 1..9
    named "rank {rank}"
    begins in deck
zone deck: set of Card, seen by everyone
zone hand[p: Player]: set of Card, face seen by p, count seen by everyone
zone table: set of Card, seen by everyone
"""
    rules = """
procedure play
    let p = first(players)
    move 1 of {c in deck where c.rank is 1} to table
    each q in players
        draw 1 from {c in deck where c.rank is 1} to hand[q]
        draw 1 from {c in deck where c.rank is 2} to hand[q]
    move deck to hand[p.left]
    p chooses a from hand[p]
    move a to table
    show {c in hand[p.left] where c.rank is 2} to p
    p chooses b from {1 .. 2}
    p.left chooses c from hand[p.left]
    move c to table
    p chooses d from {1 .. 2}
    finish with winner p
"""
    cards = {"rows": [{"rank": 1, "count": 4}, {"rank": 2, "count": 3}, {"rank": 3}]}
    state = made(tmp_path, rules, 2, cards, head).start(1)
    # Everything came from a deck that all have seen.
    held = hand(state, "hand[player_2]")
    assert told(state, 0, "hand", "player_2") == held == ["rank 1", "rank 1", "rank 2", "rank 2", "rank 3"]
    state = state.choose(0).choose(0)
    state = state.choose("rank 2")
    assert told(state, 0, "hand", "player_2") == ["rank 1", "rank 1", "rank 2", "rank 3"]


ALIKE = """
zone stock: set of Card, count seen by everyone

procedure play
    let p = first(players)
    let q = p.left
    move deck to stock
    move first(c in stock where c.rank is 1) to hand[q]
    move first(c in stock where c.rank is 1) to hand[p]
    p chooses mine from hand[p]
    move mine to hand[q]
    q chooses c from hand[q]
    move c to table
    p chooses d from {1 .. 2}
    finish with winner p
"""


def test_one_that_leaves_openly_may_be_the_known_one(tmp_path: Path) -> None:
    """Player 1 knows of one of two guards in the other's hand. One is laid: they do not know that the other is one."""
    head = """game guards
players 2
piece Card from "cards.json"
    rank: 1..9
    named "rank {rank}"
    begins in deck
zone deck: stack of Card, seen by {}
zone hand[p: Player]: set of Card, face seen by p, count seen by everyone
zone table: set of Card, seen by everyone
"""
    cards = {"rows": [{"rank": 1, "count": 2}, {"rank": 2, "count": 3}]}
    state = made(tmp_path, ALIKE, 2, cards, head).start(1).choose(0)
    assert told(state, 0, "hand", "player_2") == ["rank 1"]
    assert len(imagined(state, 0, "hand[player_2]")) == 2
    state = state.choose(0)
    assert told(state, 0, "hand", "player_2") == []
    assert imagined(state, 0, "hand[player_2]") == {("rank 1",), ("rank 2",)}


def test_what_was_turned_down_is_remembered(tmp_path: Path) -> None:
    rules = """
zone row_of_cards: row of Card, faced, face seen by {}, count seen by everyone

procedure play
    shuffle deck
    let p = first(players)
    draw 3 from deck to row_of_cards face down
    p chooses a from {1 .. 2}
    flip first(row_of_cards) face up
    p chooses b from {1 .. 2}
    flip first(row_of_cards) face down
    p chooses c from {1 .. 2}
    finish with winner p
"""
    state = made(tmp_path, rules, 2).start(4)
    assert told(state, 1, "row_of_cards") == []
    state = state.choose(0)
    shown = told(state, 1, "row_of_cards")
    assert len(shown) == 1
    state = state.choose(0)
    assert told(state, 0, "row_of_cards") == told(state, 1, "row_of_cards") == shown
    assert {state.imagine(1, seed).view(None)["zones"]["row_of_cards"]["pieces"][0]["key"] for seed in SEEDS} == {
        *shown
    }


def test_who_has_seen_a_zone_remembers_it_when_it_is_closed(tmp_path: Path) -> None:
    rules = """
field herald: Player or none = none
zone letters: set of Card, face seen by {q in players where q is herald}, count seen by everyone

procedure play
    draw 4 from deck to letters
    each p in players
        herald = p
        p chooses n from {1 .. 2}
    draw 1 from deck to letters
    first(players) chooses n from {1 .. 2}
    finish with winner first(players)
"""
    state = made(tmp_path, rules, 2).start(1)
    letters = hand(state, "letters")
    assert (told(state, 0, "letters"), told(state, 1, "letters")) == (letters, [])
    state = state.choose(0)
    assert (told(state, 0, "letters"), told(state, 1, "letters")) == (letters, letters)
    state = state.choose(0)
    assert (told(state, 0, "letters"), len(told(state, 1, "letters"))) == (letters, 5)


KINDS = """game kinds
players 2
piece Card from "cards.json"
    worth: 1..9
    named "card {worth}"
    begins in deck
piece Red is a Card from "red.json"
    begins in held
piece Blue is a Card from "blue.json"
    begins in held
piece Green is a Card from "green.json"
    begins in held
zone deck: stack of Card, count seen by everyone
zone held: set of Card, count seen by first(players)
zone hand[p: Player]: set of Card, face seen by p, count seen by everyone
zone pile[p: Player]: set of Card, face seen by p, count seen by everyone
zone table: set of Card, seen by everyone
zone bag: bag of Card, count seen by first(players)
zone away: bag of Card, count seen by first(players)

procedure play
    draw 3 from deck to table
    move table to bag
    let p = first(players)
    move held to hand[p]
    p chooses c from hand[p]
    if c in Red
        move c to table
    else
        move c to pile[p]
    if c in Blue
        move bag to away
    p.left chooses n from {1 .. 2}
    finish with winner p
"""


def test_memory_does_not_tell_of_which_kind_a_hidden_answer_was(tmp_path: Path) -> None:
    """A red card would be seen by all; of a card that goes to the pile nobody hears whether it was blue or green."""
    rows = {"cards": (1, 2, 3, 4), "red": (7,), "blue": (8,), "green": (9,)}
    for name, worths in rows.items():
        (tmp_path / f"{name}.json").write_text(json.dumps({"rows": [{"worth": worth} for worth in worths]}))
    (tmp_path / "game.rules").write_text(KINDS)
    (tmp_path / "ruleset.json").write_text(json.dumps({"name": "kinds", "title": "Kinds", "rules": ["game.rules"]}))
    state = rw.load(tmp_path).start(1)
    assert len(state.view(1)["zones"]["bag"]["pieces"]) == 3
    blue, green = (state.choose(key) for key in ("card 8", "card 9"))
    assert blue.view(1) == green.view(1)
    assert [entry.key for entry in blue.log_for(1)] == [entry.key for entry in green.log_for(1)]
