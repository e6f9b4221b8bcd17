"""Answers that go to a hidden place on one way of the rules and to an open one on another."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from secret_games import made

import rulewright as rw

HEAD = """game parting
players 2
enum Suit: red, blue
piece Card from "cards.json"
    suit: Suit
    worth: 1..9
    named "{suit} {worth}"
    begins in deck
zone deck: stack of Card, seen by {}
zone hand[p: Player]: set of Card, face seen by p, count seen by everyone
zone passed[p: Player]: set of Card, seen by {}
zone kept[p: Player]: set of Card, seen by p
zone table: set of Card, seen by everyone
field aloud: Bool = false
field quietly[p: Player]: Bool = false, seen by p
field bid[p: Player]: 0..9 = 0, seen by p
field said[Player]: 0..9 = 0
procedure play
    each p in players
        draw 3 from deck to hand[p]
    each p in players
        p chooses b from {false, true}
        aloud = b
        turn(p)
    finish with winner first(players)
"""
CARD = """\
procedure turn(p: Player)
    p chooses c from hand[p]
    if aloud
        move c to table
    else
        move c to passed[p]
"""
WAYS = {
    "a card, at once": CARD,
    "a card, after something else": """\
procedure turn(p: Player)
    p chooses c from hand[p]
    p.left chooses n from {1, 2}
    said[p.left] = n
    if aloud
        move c to table
    else
        move c to passed[p]
""",
    "a card that a procedure is given": """\
procedure turn(p: Player)
    p chooses c from hand[p]
    lay(p, c)
procedure lay(p: Player, c: Card)
    if aloud
        show_it(c)
    else
        move c to passed[p]
procedure show_it(c: Card)
    move c to table
""",
    "a card that a procedure gives": """\
procedure turn(p: Player)
    let c = pick(p)
    if aloud
        move c to table
    else
        move c to passed[p]
procedure pick(p: Player) -> Card
    p chooses c from hand[p]
    return c
""",
    "a card that is kept": """\
procedure turn(p: Player)
    p chooses c from hand[p]
    if aloud
        move c to table
    else
        move c to kept[p]
""",
    "a card that is shown": """\
procedure turn(p: Player)
    p chooses c from hand[p]
    if aloud
        show c to players
    move c to passed[p]
""",
    "a card, in a loop": """\
procedure turn(p: Player)
    repeat 2 times
        p chooses c from hand[p]
        if aloud
            move c to table
        else
            move c to passed[p]
""",
    "several cards": """\
procedure turn(p: Player)
    p chooses exactly 2 c as picked from hand[p]
    if aloud
        move picked to table
    else
        move picked to passed[p]
""",
    "a number": """\
procedure turn(p: Player)
    p chooses n from {1 .. 3}
    if aloud
        said[p] = n
    else
        bid[p] = n
""",
    "a number that decides": """\
procedure turn(p: Player)
    p chooses n from {1 .. 3}
    if aloud
        if n > 1
            said[p] = n
        else
            said[p] = 9
    else
        if n > 1
            bid[p] = n
        else
            bid[p] = 9
""",
}
UNSHOWN = [WAYS[way] for way in ("a card, after something else", "several cards", "a number that decides")]
"""Turns in which something else is asked before it is seen where the answer goes, or not seen which number it was."""
"""In each of them an answer goes to an open place if `aloud` is true, and to a hidden one if it is not."""
FIRST, SECOND = "player_1", "player_2"
CARDS = {"rows": [{"suit": suit, "worth": worth} for suit in ("red", "blue") for worth in range(1, 4)]}


def answers(state: rw.State) -> Iterator[tuple[bool, rw.State]]:
    """All ways to play a turn to its end, each with whether what is chosen in it goes to an open place."""
    for aloud in (False, True):
        waiting = [state.choose(str(aloud).lower())]
        while waiting:
            now = waiting.pop()
            if now.decision is None or now.decision.name == "play.b":
                yield aloud, now
            else:
                waiting += [now.choose(option) for option in now.decision.options]


def heard(state: rw.State, player: int, seat: str) -> list[str]:
    """The names of cards and numbers that a player hears a seat to have chosen."""
    return [str(e.key) for e in state.log_for(player) if e.who == seat and e.key is not None and e.name != "play.b"]


@pytest.mark.parametrize("turn", WAYS.values(), ids=WAYS)
def test_only_those_hear_it_who_see_it_go(turn: str, tmp_path: Path) -> None:
    game = made(tmp_path, turn, 2, CARDS, HEAD)
    begun = game.start(3)
    ways = list(answers(begun))
    assert {aloud for aloud, _ in ways} == {False, True}
    for aloud, after in ways:
        if not aloud:
            assert heard(after, 1, FIRST) == []
        elif turn not in UNSHOWN:
            assert heard(after, 1, FIRST) == heard(after, 0, FIRST)
        assert heard(after, 0, FIRST) == [e.key for e in after.log if e.who == FIRST and e.name != "play.b"]


@pytest.mark.parametrize("turn", WAYS.values(), ids=WAYS)
def test_what_is_hidden_makes_no_difference(turn: str, tmp_path: Path) -> None:
    game = made(tmp_path, turn, 2, CARDS, HEAD)
    told = {
        json.dumps([after.history(1), after.view(1)])
        for aloud, after in answers(game.start(3))
        if not aloud and [e.key for e in after.log if e.who == SECOND][:1] in ([], ["1"])
    }
    assert len(told) == 1


@pytest.mark.parametrize("turn", WAYS.values(), ids=WAYS)
def test_saves_and_replays_tell_the_same(turn: str, tmp_path: Path) -> None:
    """With chance as a decision, too: the rules rest there in any case."""
    drawn = re.sub(r"( +)if aloud", r"\1chance chooses d from {1 .. 3}\n\1said[p] = d\n\1if aloud", turn, count=1)
    game = made(tmp_path, drawn, 2, CARDS, HEAD)
    for _, after in answers(game.start(3)):
        assert game.load(json.loads(json.dumps(after.save()))).log == after.log
        assert game.replay(after.log, 3).log == after.log
        asked = game.replay(after.log, 3, ask_chance=True)
        for seat in range(2):
            assert asked.log_for(seat) == after.log_for(seat)


OPTIONS = {
    "options": """\
procedure turn(p: Player)
    p chooses either as what
        option storm: said[p] = 1
        option hide: bid[p] = 2
        option wait: bid[p] = 3
""",
    "an option that does nothing": """\
procedure turn(p: Player)
    p chooses either as what
        option storm: said[p] = 1
        option hide: bid[p] = 2
        option wait
            let idle = 1
""",
    "options that ask": """\
procedure turn(p: Player)
    p chooses either as what
        option storm
            p chooses n from {1 .. 2}
            said[p] = n
        option hide
            p chooses n from {1 .. 2}
            bid[p] = n
        option wait: bid[p] = 3
""",
}
"""Turns of which one option is seen by all, and two are not."""


@pytest.mark.parametrize("turn", OPTIONS.values(), ids=OPTIONS)
def test_options_that_look_alike_are_heard_alike(turn: str, tmp_path: Path) -> None:
    found: dict[str, set[str]] = {"storm": set(), "other": set()}
    for _, after in answers(made(tmp_path, turn, 2, CARDS, HEAD).start(3)):
        taken = next(entry.key for entry in after.log if entry.name == "turn.what")
        heard = [entry.key for entry in after.log_for(1) if entry.name == "turn.what"]
        assert heard == ["storm" if taken == "storm" else None]
        found["storm" if taken == "storm" else "other"].add(json.dumps([after.history(1), after.view(1)]))
    assert len(found["other"]) == 2  # after either answer of the first question
    assert len(found["storm"]) > 1


def test_the_only_option_that_is_not_seen_is_known(tmp_path: Path) -> None:
    turn = OPTIONS["options"].replace("        option wait: bid[p] = 3\n", "")
    for _, after in answers(made(tmp_path, turn, 2, CARDS, HEAD).start(3)):
        assert [e.key for e in after.log_for(1) if e.name == "turn.what"] == [
            e.key for e in after.log if e.name == "turn.what"
        ]
