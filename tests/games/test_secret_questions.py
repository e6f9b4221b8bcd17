"""Questions that are asked because of a secret answer are as secret as that."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from secret_games import made

import rulewright as rw
from rulewright.engine.hidden_information.observations import log_visibility
from rulewright.engine.runtime.records import Heard
from rulewright.engine.states import state as states

HEAD = """game orders
players 3
enum Order: storm, hold, spy
field trap: Order = hold, seen by {}
piece Card from "cards.json"
    suit: {red, blue}
    worth: 1..9
    named "{suit} {worth}"
    begins in deck
zone deck: stack of Card, count seen by everyone
zone hand[p: Player]: set of Card, face seen by p, count seen by everyone
zone pocket[p: Player]: set of Card, seen by p
field order[p: Player]: Order or none, seen by p
field goal[p: Player]: 0..9 = 0, seen by p
field openly[Player]: 0..9 = 0
procedure play
    each p in players
        draw 2 from deck to hand[p]
    each p in players
        turn(p)
    finish ranking p in players by goal[p]
procedure pick(p: Player) -> Int
    p chooses n from {1 .. 3}
    return n
"""
SECRET = {
    "a number behind an option": """\
procedure turn(p: Player)
    p chooses either as what
        option storms
            p chooses n from {1 .. 3}
            order[p] = storm, goal[p] = n
        option holds: order[p] = hold
""",
    "two questions, one after the other": """\
procedure turn(p: Player)
    p chooses either as what
        option storms
            p chooses n from {1 .. 3}
            p chooses k from {1 .. n}
            goal[p] = n + k
        option spies
            p chooses either as how
                option twice
                    p chooses n from {1 .. 2}
                    goal[p] = n
                option once: order[p] = spy
        option holds: order[p] = hold
""",
    "a procedure that asks": """\
procedure turn(p: Player)
    p chooses either as what
        option storms
            let n = pick(p)
            goal[p] = n
        option holds: order[p] = hold
""",
    "a condition on what was chosen": """\
procedure turn(p: Player)
    p chooses o from Order
    order[p] = o
    if o is storm
        p chooses n from {1 .. 3}
        goal[p] = n
""",
    "whose turn it is has gone on": """\
field whose: Player or none = none, seen by {}
procedure turn(p: Player)
    whose = p
    whose chooses o from Order
    order[p] = o
    whose = p.left
    if o is storm
        p chooses n from {1 .. 3}
        goal[p] = n
""",
    "a pass": """\
procedure turn(p: Player)
    p may choose c from hand[p]
    then
        p chooses n from {1 .. 3}
        goal[p] = n + c.worth - c.worth
""",
    "again until it is free": """\
field tried[p: Player]: set of Order, seen by p
procedure turn(p: Player)
    repeat
        p chooses o from Order where o not in tried[p]
        tried[p] += o
        if o is trap
            order[p] = o
            return
""",
    "again until a number is right": """\
procedure turn(p: Player)
    repeat
        p chooses n from {1 .. 3} where n > goal[p]
        goal[p] = n
        if n is 3 then stop
""",
    "a procedure that says whether it was right": """\
procedure attempt(p: Player) -> Bool
    p chooses n from {1 .. 3} where n > goal[p]
    goal[p] = n
    return n is 3
procedure turn(p: Player)
    repeat
        let right = attempt(p)
        if right then stop
""",
    "a procedure that calls itself": """\
field tried[p: Player]: set of Order, seen by p
procedure turn(p: Player)
    p chooses o from Order where o not in tried[p]
    tried[p] += o
    if o is not trap
        turn(p)
""",
    "a hidden counter": """\
procedure turn(p: Player)
    var tries = 0
    repeat
        p chooses n from {1 .. 3} where n > goal[p]
        goal[p] = n
        tries += 1
        if n is 3 then stop
    if tries > 1
        p chooses k from {1 .. 2}
        order[p] = storm if k is 1 else hold
""",
    "as many as they like": """\
procedure turn(p: Player)
    p chooses up to 2 n as many from {1 .. 3}
    goal[p] = size(many)
""",
    "as often as they like": """\
procedure turn(p: Player)
    p repeats up to 2 times as more
        p chooses n from {1 .. 3}
        goal[p] = n
""",
    "a question about what the rules have looked up": """\
procedure turn(p: Player)
    p chooses o from Order
    order[p] = o
    if trap is o
        p chooses n from {1 .. 3}
        goal[p] = n
""",
    "a choice that may have no answer": """\
procedure turn(p: Player)
    p chooses o from Order
    order[p] = o
    p chooses n from {1 .. 3} where order[p] is storm
    then
        goal[p] = n
    else
        goal[p] = 0
""",
    "a line between": """\
procedure turn(p: Player)
    repeat
        p chooses n from {1 .. 3} where n > goal[p]
        goal[p] = n
        tells "{p} has tried"
        if n is 3 then stop
    tells "{p} is done"
""",
}
OPEN = {
    "a field that all see": """\
procedure turn(p: Player)
    p chooses either as what
        option storms
            p chooses n from {1 .. 3}
            openly[p] = n
        option holds: order[p] = hold
""",
    "somebody else is asked": """\
procedure turn(p: Player)
    p chooses either as what
        option storms
            p.left chooses n from {1 .. 3}
            goal[p] = n
        option holds: order[p] = hold
""",
}


def ends(state: rw.State, seat: int) -> Iterator[tuple[str, list[rw.State]]]:
    """Ways on to the next decision of another player, with the states on the way."""
    waiting = [(state, [state])]
    while waiting:
        now, way = waiting.pop()
        if now.decision is None or (now.decision.seat != seat):
            yield ", ".join(entry.key for entry in now.log[len(state.log) :]), way
            continue
        for option in now.decision.options:
            after = now.choose(option)
            waiting.append((after, [*way, after]))


def heard(state: rw.State, player: int) -> str:
    """Everything that a player is told, in the log, in the view and in their history."""
    told = [(entry.who, entry.name, entry.key) for entry in state.log_for(player)]
    return json.dumps([told, state.view(player), state.history(player)])


@pytest.mark.parametrize("turn", SECRET)
def test_others_are_told_the_same(turn: str, tmp_path: Path) -> None:
    state = made(tmp_path, HEAD + SECRET[turn], 3, head="").start(1)
    ways = list(ends(state, 0))
    assert len({len(way) for _, way in ways}) > 1, "some take more questions than others"
    for player in (1, 2):
        assert len({heard(way[-1], player) for _, way in ways}) == 1
        for _, way in ways:
            for between in way[:-1]:
                assert heard(between, player) == heard(state, player), "as long as they think"
    assert len({heard(way[-1], 0) for _, way in ways}) == len(ways), "they know themselves what they do"


DARK = """\
game dark
players 2
place Cell
map Board: grid 2 by 3 of Cell
field stone[Cell]: Player or none = none, seen by {}
field known[p: Player, Cell]: Bool = false, seen by p
procedure play
    repeat 3 times
        each p in players
            turn(p)
    finish ranking p in players by count(c in Cell where stone[c] is p)
procedure turn(p: Player)
    repeat
        p chooses cell from Cell where not known[p, cell]
        known[p, cell] = true
        if stone[cell] is none
            stone[cell] = p
            return
"""
BETWEEN = """\
procedure turn(p: Player)
    p chooses o from Order
    order[p] = o
    p chooses k from {1 .. 2}
    goal[p] = k
    if o is storm
        p chooses n from {1 .. 3}
        goal[p] = n
"""
DIE = """\
die D: 1 to 3
procedure turn(p: Player)
    p chooses o from Order
    order[p] = o
    p rolls D as face
    goal[p] = face
    if goal[p] > 1
        p chooses n from {1 .. 3}
        goal[p] = n
"""


def test_a_question_that_comes_in_any_case_is_told(tmp_path: Path) -> None:
    """Behind it another one that depends on a secret is not: they still seem to think about that."""
    state = made(tmp_path, HEAD + BETWEEN, 3, head="").start(1)
    ways = list(ends(state, 0))
    later = [now for _, way in ways for now in way[1:-1]]
    assert {now.decision.name for now in later if now.decision} == {"turn.k", "turn.n"}
    for player in (1, 2):
        assert len({heard(way[-1], player) for _, way in ways}) == 1
        assert len({heard(now, player) for now in later}) == 1
        assert later[0].view(player)["decision"] == {"who": "player_1", "name": "turn.k"}


def test_what_a_die_decides_is_not_told(tmp_path: Path) -> None:
    game = made(tmp_path, HEAD + DIE, 3, head="")
    state = game.start(1, ask_chance=True)
    while state.seat is None:
        state = state.choose(0)
    before, begun = heard(state, 1), state.choose("storm")
    over = set()
    for face in ("1", "2", "3"):
        state = begun.choose(face)
        if state.seat == 0:
            assert heard(state, 1) == before
            state = state.choose("2")
        over.add(heard(state, 1))
    assert len(over) == 1


@pytest.mark.parametrize("turn", ["again until it is free", "as many as they like", "a hidden counter"])
def test_the_check_of_views_finds_how_often_somebody_is_asked(
    turn: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    game = made(tmp_path, HEAD + SECRET[turn], 3, head="")
    state = game.start(1)
    assert not any(game.leaks(state, 0, seed) for seed in range(8))
    monkeypatch.setattr(log_visibility, "unobserved_answer", lambda *_: None)
    monkeypatch.setattr(states, "who_knows", lambda *_: -1)
    found = {leak for seed in range(8) for leak in game.leaks(state, 0, seed)}
    assert found
    assert all("another answer" in leak for leak in found)


def test_dark_boards(tmp_path: Path) -> None:
    """Stones that nobody else sees: whoever meets one tries again, and the other does not hear how often."""
    game = made(tmp_path, DARK, 2, head="")
    state = game.start(1).choose("(0, 0)")
    told = set()
    for tries in (["(1, 0)"], ["(0, 0)", "(1, 0)"]):
        now = state
        for cell in tries:
            assert now.seat == 1
            assert now.view(0)["decision"] == {"who": "player_2", "name": "turn.cell"}
            now = now.choose(cell)
        assert now.seat == 0
        assert now.log_for(0)[1:] == (Heard("player_2", "turn.cell", None),)
        told.add(heard(now, 0))
        assert len(now.log_for(1)) == 1 + len(tries)
    assert len(told) == 1


@pytest.mark.parametrize("turn", SECRET)
def test_what_is_imagined_follows_from_what_was_heard(turn: str, tmp_path: Path) -> None:
    """While others are asked, how often that was is no part of the worlds that a player imagines."""
    state = made(tmp_path, HEAD + SECRET[turn], 3, head="").start(1)
    ways = [way for _, way in ends(state, 0)]
    worlds = {json.dumps(way[-1].imagine(1, 5).view(None)) for way in ways}
    between = {json.dumps(now.imagine(1, 5).view(None)) for way in ways for now in way[:-1]}
    assert len(worlds) == len(between) == 1


LAID = """\
zone laid[p: Player]: set of Card, face seen by p, count seen by everyone
procedure turn(p: Player)
    draw 3 from deck to pocket[p]
    p repeats any number times as laying
        p chooses c from pocket[p]
        if c.suit is red
            p chooses n from {1 .. 2}
            openly[p] += n
            move c to laid[p]
        else
            move c to deck
"""
"""An answer shows where it goes, and nothing of the answer behind it does."""


@pytest.mark.parametrize("turn", [*SECRET, *OPEN, "laid"])
def test_worlds_look_like_what_they_are_imagined_from(turn: str, tmp_path: Path) -> None:
    """The question that a player takes for the current one, too, however often they have heard nothing of others."""
    state = made(tmp_path, HEAD + (SECRET | OPEN | {"laid": LAID})[turn], 3, head="").start(1)
    for way in [way for _, way in ends(state, 0)][:12]:
        for now in way:
            for player in (1, 2):
                assert now.imagine(player, 5).view(player) == now.view(player)


@pytest.mark.parametrize("turn", OPEN)
def test_what_shows_is_told(turn: str, tmp_path: Path) -> None:
    state = made(tmp_path, HEAD + OPEN[turn], 3, head="").start(1).choose("storms")
    (entry,) = state.log_for(2)
    assert entry.key == "storms"
    assert state.decision is not None
    assert state.view(2)["decision"]["name"] == state.decision.name


def test_logs_are_saved(tmp_path: Path) -> None:
    game = made(tmp_path, HEAD + SECRET["a procedure that asks"], 3, head="")
    state = game.start(1).choose("storms").choose("2")
    assert [entry.heard_by for entry in state.log] == [None, ("player_1",)]
    again = game.load(json.loads(json.dumps(state.save())))
    assert again.log == state.log
    assert heard(again, 1) == heard(game.start(1).choose("holds"), 1)


AT_ONCE = """\
game at_once
players 3
field goal[p: Player]: 0..9 = 0, seen by p
field openly[Player]: 0..9 = 0
procedure play
    var bold: set of Player = {}
    each p in players at once
        p chooses either as what
            option storms
                p chooses n from {1 .. 2}
                goal[p] = n
                bold += p
            option spies
                goal[p] = 5
                bold += p
            option holds: goal[p] = 9
        openly[p] += 1
    each p in bold
        p chooses k from {1 .. 2}
        goal[p] += k
    finish ranking p in players by goal[p]
"""


def test_what_all_see_of_a_secret_option(tmp_path: Path) -> None:
    """Others learn what an option does openly when all have decided, and not which one of those that do so it is."""
    game = made(tmp_path, AT_ONCE, 3, head="")
    told: dict[str, set[str]] = {"bold": set(), "not": set()}
    for answers in (["storms", "1"], ["storms", "2"], ["spies"], ["holds"]):
        state = game.start(1)
        for seat, keys in zip(game.seats, (answers, ["holds"], ["spies"]), strict=True):
            for key in keys:
                state = state.choose(key, by=seat)
        told["not" if answers == ["holds"] else "bold"].add(heard(state, 1))
        assert not any(game.leaks(state, player, seed) for player in range(3) for seed in range(4))
    assert list(map(len, told.values())) == [1, 1]
    assert told["bold"] != told["not"]
