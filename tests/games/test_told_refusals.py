"""Reasons why an answer is refused: whoever is asked learns nothing of what is hidden from them."""

from __future__ import annotations

from pathlib import Path

import pytest
from secret_games import made
from shipped_games import game
from twins import positions, reasons, told_apart

HEAD = """game whys
players 2
piece Rune from "cards.json"
    sign: {sun, moon}
    named "{sign}"
    begins in bag
zone bag: stack of Rune, count seen by everyone
zone sleeve[q: Player]: set of Rune, face seen by q, count seen by everyone
zone open[q: Player]: set of Rune, seen by everyone
field coins[Player]: 0..20 = 4
field oath[q: Player]: 0..3 = 0, seen by q
query sworn(q: Player) -> Bool = some(c in sleeve[q] where c.sign is sun)
query dark(q: Player) -> Int = count(c in sleeve[q] where c.sign is moon)
effect curse(q: Player)
    if sworn(q) then coins[q] -= 1
procedure spy(q: Player) -> Int
    let found = dark(q)
    return found
procedure play
    shuffle bag
    each q in players
        draw 2 from bag to sleeve[q]
        draw 1 from bag to open[q]
    each q in players
        turn(q)
    finish ranking q in players by coins[q]
procedure turn(q: Player)
"""
RUNES = {"rows": [{"sign": "sun", "count": 4}, {"sign": "moon", "count": 4}]}
ASKS = {
    "all pieces are candidates": """\
    q chooses c from Rune
        forbid hands_off: c not in sleeve[q]
    move c to open[q]
""",
    "all pieces but those of one kind in a sleeve": """\
    q may choose c from Rune
        forbid guarded: c.sign is sun and sworn(q.left)
        forbid not_here: c not in open[q]
    then
        move c to sleeve[q]
""",
    "a value taken before": """\
    let fear = sworn(q.left)
    q chooses n from {1 .. 3}
        forbid too_much: n is 3
        forbid afraid: n >= 3 and fear
    coins[q] += n
""",
    "a value that a branch has decided": """\
    var fear = 3
    if sworn(q.left) then fear = 2
    q chooses n from {1 .. 3}
        forbid too_much: n is 3
        forbid afraid: n > fear
    coins[q] += n
""",
    "a value that is returned": """\
    let known = spy(q.left)
    q chooses n from {1 .. 3}
        forbid too_much: n is 3
        forbid spied: n > 4 - known
    coins[q] += n
""",
    "what would be after an effect": """\
    q chooses n from {1 .. 3}
        forbid too_much: n is 3
        forbid cursed: n is 3 and coins[q.left] < 4 after curse(q.left)
    coins[q] += n
""",
    "an option": """\
    q chooses either as deed
        option wait
            forbid blessed: sworn(q.left)
            forbid always: coins[q] >= 0
            coins[q] += 1
        option go: coins[q] -= 1
""",
    "an exception": """\
    q chooses n from {1 .. 3}
        forbid too_much: n is 3
            unless friend: dark(q.left) is 7
        forbid small: n is 1 and coins[q] is 0
    coins[q] += n
""",
}
KEYS = ("3", "2", "1", "sun", "moon", "sun in sleeve[player_2]", "moon in sleeve[player_2]", "sun in bag", "wait", "x")


@pytest.mark.parametrize("asks", ASKS)
def test_twins_are_told_the_same(asks: str, tmp_path: Path) -> None:
    played = made(tmp_path, ASKS[asks], 2, RUNES, HEAD)
    found, compared = told_apart(positions(played, range(80)), reasons(KEYS), 0)
    assert not found, found[0]
    assert compared > 30


def test_the_seat_and_the_author(tmp_path: Path) -> None:
    rules = """\
    oath[q] = 2
    let own = dark(q)
    q chooses n from {1 .. 4}
        forbid too_much: n is 3
        forbid sworn_to_less: n is oath[q]
        forbid holds: n is 1 and size(sleeve[q.left]) is 2
        forbid dark_hand: n is 1 and own >= 0
        forbid secret: n is 4 and dark(q.left) > 3
        forbid guessed: n is 2 and dark(q.left) >= 0
    coins[q] += n
"""
    state = made(tmp_path, rules, 2, RUNES, HEAD).start(3)

    def labels(key: str, *player: int | None) -> list[str]:
        return [r.label.removeprefix("turn.") for r in state.why_not(key, *player).reasons]

    assert labels("3") == ["too_much"]
    assert labels("2") == ["sworn_to_less"]
    assert labels("2", None) == ["sworn_to_less", "guessed"], "the author sees all"
    assert labels("1") == ["holds", "dark_hand"], "what they can count, and their own"
    assert labels("4") == []
    assert labels("3", 1) == ["not_among"], "somebody else is asked"
    assert labels("3", 0) == ["too_much"]


@pytest.mark.parametrize("who", ["q.left chooses", "chance chooses"])
def test_a_piece_that_was_chosen_unseen_and_may_lie_in_sight_since(who: str, tmp_path: Path) -> None:
    rules = f"""\
    {who} kept from sleeve[q.left]
    move {{c in sleeve[q.left] where c.sign is sun}} to open[q.left]
    q chooses n from {{1 .. 3}}
        forbid too_much: n is 3
        forbid kept_sun: n is 3 and kept.sign is sun
    coins[q] += n
"""
    played = made(tmp_path, rules, 2, RUNES, HEAD)
    found, compared = told_apart(positions(played, range(80), 1, "turn.n"), reasons(KEYS), 0)
    assert not found, found[0]
    assert compared > 30


def test_a_piece_that_all_saw(tmp_path: Path) -> None:
    """Reasons that follow from a piece that all saw when it was chosen are told, though it is out of sight since."""
    rules = """\
    q.left chooses kept from open[q.left]
    move kept to sleeve[q.left]
    q chooses n from {1 .. 3}
        forbid kept_any: n is 3 and (kept.sign is sun or kept.sign is moon)
    coins[q] += n
"""
    state = made(tmp_path, rules, 2, RUNES, HEAD).start(3).choose(0)
    assert [r.label for r in state.why_not("3").reasons] == ["turn.kept_any"]


def test_reason_out_of_sight(tmp_path: Path) -> None:
    rules = """\
    q chooses n from {1 .. 3}
        forbid guessed: n is 2 and dark(q.left) >= 0
    coins[q] += n
"""
    state = made(tmp_path, rules, 2, RUNES, HEAD).start(3)
    (reason,) = state.why_not("2").reasons
    assert (reason.label, reason.text) == ("unseen", "not possible, for a reason that you cannot see")


@pytest.mark.parametrize("name", ["baron", "domaine"])
def test_shipped_games_still_tell(name: str) -> None:
    """Reasons are told as before where nothing hidden is looked at."""
    played, told = game(name), 0
    for state in positions(played, range(1), 6):
        assert state.decision is not None
        for option in state.decision.options[:3]:
            assert state.why_not(option.key).allowed
        for key in (key for universe in played.model.universes for key in played.model.keys(universe)[:4]):
            both = [[r.label for r in state.why_not(key, *whose).reasons] for whose in ((), (None,))]
            told += both[0] == both[1] != []
    assert told
