"""Questions that are asked because of a secret answer are as secret as that."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from secret_games import made

import rulewright as rw

HEAD = """game orders
players 3
enum Order: storm, hold, spy
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
