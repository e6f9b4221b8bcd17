"""Readers of a log: who may read what follows from the declarations of all that an answer goes to."""

from __future__ import annotations

from pathlib import Path
from random import Random

import pytest
from secret_games import BIDS, PASSING, made

import rulewright as rw


def keys(state: rw.State, player: int | None, name: str) -> list[str | None]:
    return [entry.key for entry in state.log_for(player) if entry.name == name]


def test_a_card_that_is_passed_is_known_to_who_passed_it(tmp_path: Path) -> None:
    state = made(tmp_path, PASSING, 3).start(3)
    for _ in range(3):
        state = state.choose(1)
    true = keys(state, None, "give.parted")
    assert None not in true
    assert len(true) == 3
    for player in range(3):
        assert keys(state, player, "give.parted") == [key if n == player else None for n, key in enumerate(true)]
    assert [entry.who for entry in state.log_for(0) if entry.name == "give.parted"] == [
        "player_1", "player_2", "player_3",
    ]  # fmt: skip
    for _ in range(3):
        state = state.choose(0)
    assert None not in keys(state, 2, "play.laid"), "laid on the table, all see which"


def test_the_end_of_a_log_is_told_as_in_the_whole_log(tmp_path: Path) -> None:
    """Also while answers are given in secret: a longer log tells them when all are given."""
    for rules in (PASSING, BIDS):
        state = made(tmp_path, rules, 3).start(3)
        while state.decision is not None:
            before = len(state.log)
            state = state.choose(0)
            for player in (None, 0, 1, 2):
                told = state.log_for(player)
                since = [state.log_for(player, first) for first in (0, before, len(state.log))]
                assert since[0] == told
                assert since[1] == told[len(told) - len(since[1]) :]
                assert not since[2]
                assert since[1] or state.log[before].who in ("chance", "rules")


def test_nobody_hears_how_a_hidden_deck_was_shuffled(tmp_path: Path) -> None:
    state = made(tmp_path, PASSING, 3).start(3)
    assert len(keys(state, None, "play.shuffle deck")) == 11
    for player in range(3):
        assert keys(state, player, "play.shuffle deck") == []


def test_a_card_that_is_drawn_from_a_bag_is_known_to_who_sees_it_then(tmp_path: Path) -> None:
    rules = """
zone bag: bag of Card, count seen by everyone

procedure play
    move deck to bag
    each p in players
        draw 2 from bag to hand[p] as drawn
    draw 1 from bag to table as shown
    each p in players
        p chooses n from {1 .. 2}
    finish with winner first(players)
"""
    state = made(tmp_path, rules, 3).start(3)
    held = state.save()["zones"]
    for player, seat in enumerate(("player_1", "player_2", "player_3")):
        assert sorted(map(str, keys(state, player, "play.drawn"))) == sorted(c["key"] for c in held[f"hand[{seat}]"])
        assert keys(state, player, "play.shown") == [held["table"][0]["key"]]


def test_what_is_answered_at_once_is_told_when_all_have_answered(tmp_path: Path) -> None:
    state = made(tmp_path, BIDS, 3).start()
    for n in range(3):
        assert [keys(state, p, "play.n") for p in range(3)] == [
            [str(p + 1) if p == m else None for m in range(n)] for p in range(3)
        ]
        assert keys(state, None, "play.n") == [str(m + 1) for m in range(n)]
        state = state.choose(n + 1)
    assert [keys(state, p, "play.n") for p in range(3)] == [
        ["1", None, None], [None, "2", None], [None, None, "3"]
    ], "it goes into a field that only its owner sees"  # fmt: skip
    for n in range(3):
        state = state.choose(n + 1)
        assert keys(state, 0, "play.loud") == (["1", None, None][: n + 1] if n < 2 else ["1", "2", "3"])


def test_an_answer_is_followed_through_results_and_branches(tmp_path: Path) -> None:
    state = made(tmp_path, BIDS, 2).start()
    while state.decision is not None:
        state = state.choose(2)
    assert keys(state, 0, "asked.m") == ["2", None]
    assert keys(state, 1, "asked.m") == [None, "2"]
    for player in (0, 1):
        assert keys(state, player, "play.vote") == keys(state, player, "play.spoken") == ["2", "2"]


def test_a_word_beside_the_options_is_as_secret_as_what_it_changes(tmp_path: Path) -> None:
    rules = """
field wish[p: Player]: 0..3 or none = none, seen by p
field ayes: 0..9 = 0, seen by {}

procedure play
    draw 4 from deck to hand[first(players)]
    let p = first(players)
    p may choose secret from {0 .. 3}
    then
        wish[p] = secret
    else
        wish[p] = none
    p may choose thrown from hand[p]
    then
        move thrown to deck
    p chooses either as ballot
        option aye: ayes += 1
        option nay: ayes += 2
    p chooses either as call
        option higher: move first(hand[p]) to table
        option lower: ayes += 2
    finish with winner p
"""
    state = made(tmp_path, rules, 2).start()
    for key in ("pass", "pass", "nay", "lower"):
        state = state.choose(key)
    names = ("play.secret", "play.thrown", "play.ballot", "play.call")
    assert [keys(state, 0, name) for name in names] == [["pass"], ["pass"], ["nay"], ["lower"]]
    assert [keys(state, 1, name) for name in names] == [[None], ["pass"], [None], ["lower"]]


def test_who_may_know_can_hang_on_the_answer(tmp_path: Path) -> None:
    """A letter: who gets it reads it."""
    rules = """
field letter[p: Player]: Player or none = none, seen by p

procedure play
    let p = first(players)
    p chooses whom from players
        forbid oneself: whom is p
    post(whom, p)
    finish with winner p

procedure post(whom: Player, sender: Player)
    letter[whom] = sender
"""
    state = made(tmp_path, rules, 3).start().choose("player_3")
    assert [keys(state, p, "play.whom") for p in range(3)] == [["player_3"], [None], ["player_3"]]


def test_what_a_player_saw_leave_is_known_to_them(tmp_path: Path) -> None:
    rules = """
zone hoard[p: Player]: set of Card, count seen by everyone
field target[p: Player]: Card or none = none, seen by p

procedure play
    draw 4 from deck to table
    let p = first(players)
    p chooses taken from table
    move taken to hoard[p]
    p chooses marked from table
    target[p] = marked
    p chooses told from table
    finish with winner p
"""
    state = made(tmp_path, rules, 2).start()
    while state.decision is not None:
        state = state.choose(0)
    assert keys(state, 1, "play.taken") != [None]
    assert keys(state, 1, "play.marked") == [None], "it goes into a field that only its owner sees"
    assert keys(state, 1, "play.told") != [None]


def test_who_may_know_is_saved_with_the_log(tmp_path: Path) -> None:
    playing = made(tmp_path, PASSING, 3)
    state = playing.start(3).choose(0).choose(0)
    again = playing.load(state.save())
    assert again.log == state.log
    assert again.log_for(1) == state.log_for(1)
    assert again.choose(0).log == state.choose(0).log
    assert playing.replay(state.log, 3).log == state.log


def test_a_view_tells_the_secret_answers_that_stand(tmp_path: Path) -> None:
    state = made(tmp_path, BIDS, 3).start()
    assert "answers" not in state.view(0)
    state = state.choose(2).choose(1)
    said = [{"who": "player_1", "name": "play.n"}, {"who": "player_2", "name": "play.n"}]
    assert state.view(2)["answers"] == said
    assert state.view(0)["answers"] == [said[0] | {"key": "2"}, said[1]]
    assert state.view(None)["answers"] == [said[0] | {"key": "2"}, said[1] | {"key": "1"}]
    assert len(state.choose(0).choose(0).view(None)["answers"]) == 1, "of the next question"


def test_where_pieces_of_other_kinds_would_go_tells_nothing(tmp_path: Path) -> None:
    """A gem would go to the table, where all see it; who gives a coin away tells nobody which."""
    rules = """
piece Thing
piece Gem is a Thing from "gems.json"
    worth: 1..9
    named "gem {worth}"
    begins in chest
piece Coin is a Thing from "coins.json"
    worth: 1..9
    named "coin {worth}"
    begins in chest
zone chest: bag of Thing, count seen by everyone
zone purse[p: Player]: set of Thing, face seen by p, count seen by everyone
zone sack: bag of Thing, count seen by everyone
zone table: set of Thing, seen by everyone

procedure play
    each p in players
        draw 4 from chest to purse[p] as found
    repeat 3 times
        each p in players
            p chooses given from purse[p]
            give(given)
    finish with winner players

effect give(t: Thing)
    if t is a Gem
        move t to table
    else
        move t to sack
"""
    (tmp_path / "gems.json").write_text('{"rows": [{"worth": 1}, {"worth": 2}, {"worth": 3}, {"worth": 4}]}')
    (tmp_path / "coins.json").write_text('{"rows": [{"worth": 5}, {"worth": 6}, {"worth": 7}, {"worth": 8}]}')
    (tmp_path / "game.rules").write_text("game gifts\nplayers 2\n" + rules)
    (tmp_path / "ruleset.json").write_text('{"name": "gifts", "title": "Gifts", "rules": ["game.rules"]}')
    game = rw.load(tmp_path)
    heard = []
    for seed in range(5):
        state, r = game.start(seed), Random(seed)
        while state.decision is not None:
            state = state.choose(r.choice(state.decision.options))
        given = [entry for entry in state.log if entry.name == "play.given"]
        told = [[e.key for e in state.log_for(player) if e.name == "play.given"] for player in range(2)]
        for number, entry in enumerate(given):
            giver = ("player_1", "player_2").index(entry.who)
            assert told[giver][number] == entry.key
            assert told[1 - giver][number] == (entry.key if entry.key.startswith("gem") else None)
            heard.append(entry.key[:3])
    assert set(heard) == {"gem", "coi"}


PARTING = """
zone passed[p: Player]: set of Card, count seen by everyone

procedure play
    shuffle deck
    each p in players
        draw 3 from deck to hand[p]
    each p in players
        part(p)
    finish with winner first(players)

procedure part(p: Player)
    p chooses parted from hand[p]
    move {what} to {where}
"""


@pytest.mark.parametrize(
    ("what", "is_certain"),
    [
        ("parted", True),
        ("{parted}", True),
        ("best(c in {parted} by c.worth)", False),
        ("sorted(c in {parted} by c.worth)", False),
        ("{c for c in {parted}}", False),
        ("{c in hand[p] where c is parted}", False),
        ("hand[p] intersect {parted}", False),
        ("{c in {parted} where c.worth > 8}", False),
        ("{c in [parted] until c.worth > 0}", False),
    ],
)
def test_a_piece_is_told_where_it_certainly_goes(tmp_path: Path, what: str, is_certain: bool) -> None:
    """A log keeps from others which piece it was where that may be left out; in the last lines it is."""
    for where in ("passed[p]", "table"):
        rules = PARTING.replace("{what}", what).replace("{where}", where)
        state = made(tmp_path, rules, 2).start(3).choose(1)
        (true,), (own,), (others,) = (keys(state, player, "part.parted") for player in (None, 0, 1))
        assert own == true is not None
        assert others == (true if is_certain and where == "table" else None)
