"""Lines that the rules tell: who hears which, and that they change nothing."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest
from secret_games import made

import rulewright as rw
from rulewright.ir import model as m
from rulewright.knowledge.secrets.public_flow import public_lines
from rulewright.play.narration import Narrator, story
from rulewright.play.playing import PUBLIC
from sampling import sample

TELLING = """
field gold[Player]: 0..99 = 0
field purse[p: Player]: 0..9 = 0, seen by p

procedure play
    shuffle deck
    each p in players
        draw 3 from deck to hand[p]
        chance chooses n from {1 .. 4}
        purse[p] = n
    tells "the game begins"
    each p in players
        turn(p)
    finish ranking p in players by gold[p]

procedure turn(p: Player)
    p chooses c from hand[p]
    tells "{p} holds up {c}"
    move c to table
    gold[p] += c.worth
    tells "{p} lays {c} and has {gold[p]} gold; {size(hand[p])} are left"
    if some(d in hand[p] where d.worth > 3) then tells "{p} has a high card"
    if purse[p] > 2 then tells "{p} is rich"
    tells "{p} has {purse[p]}"
    p chooses kept from hand[p]
    tells "{p} keeps {kept}"
    whisper(p, purse[p])

effect whisper(p: Player, n: Int)
    tells "{p} whispers {n}"
"""


def told(playing: rw.Game, state: rw.State, reader: int | None) -> list[str]:
    return [line.text for line in story(playing, state, reader) if line.kind == "told"]


def played(playing: rw.Game, seed: int, steps: int) -> rw.State:
    state = playing.start(seed)
    for step in range(steps):
        assert state.decision is not None
        state = state.choose((seed + step) % len(state.decision.options))
    return state


def test_who_hears_what(tmp_path: Path) -> None:
    playing = made(tmp_path, TELLING, 2)
    state = playing.start(1)
    assert state.decision is not None
    card = state.decision.options[0].key
    worth = int(card.split()[1])
    state = state.choose(card)
    laid = f"player 1 lays {card} and has {worth} gold; 2 are left"
    assert told(playing, state, 0) == ["the game begins", f"player 1 holds up {card}", laid]
    for reader in (1, PUBLIC):
        assert told(playing, state, reader) == ["the game begins", "player 1 holds up card", laid]
    purse = state.view(None)["fields"]["purse"]["values"]["player_1"]
    assert told(playing, state, None)[-1] == f"player 1 has {purse}"


def test_the_order_of_the_functions_decides_nothing(tmp_path: Path) -> None:
    """Secrets are followed through what is handed on, handed back and returned, whichever function comes first."""
    program = made(tmp_path, TELLING, 2).start(1).engine.program
    other = replace(program, functions=program.functions[::-1])
    heard, again = (public_lines(one) for one in (program, other))
    lines = [(f.name, pc) for f in program.functions for pc, i in enumerate(f.code) if isinstance(i, m.Tell)]
    found = [line for line in lines if heard.may_be_public(line)]
    assert 0 < len(found) < len(lines)
    assert [line for line in lines if again.may_be_public(line)] == found


def test_live_and_later_the_same_lines(tmp_path: Path) -> None:
    playing = made(tmp_path, TELLING, 2)
    state = played(playing, 5, 0)
    for reader in (0, 1, PUBLIC, None):
        narrator, now, live = Narrator(playing, state, reader), state, told(playing, state, reader)
        while now.decision is not None:
            now = now.choose(0)
            live += [line.text for line in narrator.look(now) if line.kind == "told"]
        assert live == told(playing, now, reader)


ANNOUNCED = """
field gold[Player]: 0..99 = 0
field marked[Card]: Bool = false

procedure play
    shuffle deck
    each p in players
        draw 3 from deck to hand[p]
    each p in players
        if some(c in hand[p] where c.worth > 4) then boast(p, 7)
        if no(c in hand[p] where c.worth > 5) then boast(p, 8)
    finish ranking p in players by gold[p]

procedure boast(p: Player, why: Int)
    tells "somebody boasts"
    p chooses n from {1 .. 2}
    tells "{n} is said"
    tells "{why} is why"
    each c in hand[p] where c.worth > 4 and not marked[c]
        tells "{c} will be marked"
        marked[c] = true
        tells "{c} is marked"
        if c.worth > 5 then tells "{c} is high"
"""


def test_what_was_announced_is_no_secret(tmp_path: Path) -> None:
    """A question tells all where the rules are, and a marker which piece it is laid on, though a secret has led there.
    What was handed to the rule they do not know."""
    playing = made(tmp_path, ANNOUNCED, 2)
    program = playing.start(1).engine.program
    heard = public_lines(program)
    lines = {
        "".join(i.words): heard.may_be_public((f.name, pc))
        for f in program.functions
        for pc, i in enumerate(f.code)
        if isinstance(i, m.Tell)
    }
    assert lines == {
        "somebody boasts": False,
        " is said": True,
        " is why": False,
        " will be marked": False,
        " is marked": True,
        " is high": False,
    }


@pytest.mark.parametrize(("rules", "steps"), [(TELLING, 3), (ANNOUNCED, 2)])
def test_what_is_told_is_the_same_in_all_worlds_that_a_player_thinks_possible(
    tmp_path: Path, rules: str, steps: int
) -> None:
    """Games with one history for a reader have the same lines for them, whatever is hidden from them."""
    playing = made(tmp_path, rules, 2)
    lines: dict[str, set[str]] = {}
    truths: dict[int, dict[str, set[str]]] = {step: {} for step in range(steps)}
    for seed in range(sample(30, 120)):
        state = playing.start(seed)
        narrators = {reader: Narrator(playing, state, reader) for reader in (1, PUBLIC, None)}
        heard: dict[int | None, list[str]] = {reader: [] for reader in narrators}
        for step in range(steps):
            if state.decision is None:
                break
            state = state.choose((seed + step) % len(state.decision.options))
            for reader, narrator in narrators.items():
                heard[reader] += [line.text for line in narrator.look(state)]
            for reader in (1, PUBLIC):
                known = json.dumps([reader, step, state.history(reader)])
                lines.setdefault(known, set()).add(json.dumps(heard[reader]))
                truths[step].setdefault(known, set()).add(json.dumps(heard[None]))
    assert all(len(found) == 1 for found in lines.values())
    for found in truths.values():
        assert max(map(len, found.values())) > 1, "these games differ in what is hidden"


IN_ORDER = """
field gold[Player]: 0..99 = 0

procedure play
    draw 3 from deck to hand[first(players)]
    first(players) chooses c from hand[first(players)]
    move c to table
    tells "{c} lies there"
    gold[first(players)] += 1
    finish ranking p in players by gold[p]
"""


def test_a_line_stands_where_it_is_told(tmp_path: Path) -> None:
    """Between what was done before it and what is done after it."""
    playing = made(tmp_path, IN_ORDER, 2)
    state = playing.start(1)
    narrator = Narrator(playing, state, PUBLIC)
    assert state.decision is not None
    card, arrow = state.decision.options[0].key, "\N{RIGHTWARDS ARROW}"
    assert [line.text for line in narrator.look(state.choose(card))][1:4] == [
        f"{card}: hand of player 1 {arrow} table",
        f"{card} lies there",
        f"player 1: gold 0 {arrow} 1 (+1)",
    ]


def test_lines_change_nothing(tmp_path: Path) -> None:
    """The same game without its lines has the same answers and values in each state."""
    silent = "\n".join(line for line in TELLING.splitlines() if "tells" not in line) + "\n    purse[p] = n\n"
    (tmp_path / "silent").mkdir()
    (tmp_path / "loud").mkdir()
    quiet, loud = made(tmp_path / "silent", silent, 2), made(tmp_path / "loud", TELLING, 2)
    for seed in range(5):
        one, other = quiet.playout(seed, keep=True), loud.playout(seed, keep=True)
        assert one.answers == other.answers
        assert one.state.view(None) == other.state.view(None)


def test_a_line_that_cannot_be_worked_out_is_left_out(tmp_path: Path) -> None:
    """It is no mistake of the game, which does not look at it."""
    rules = """
field gold[Player]: 0..9 = 0

procedure play
    first(players) chooses c from {1 .. 2}
    tells "each gets {6 / gold[first(players)] rounded down}"
    tells "{c} was said"
    finish with winner first(players)
"""
    playing = made(tmp_path, rules, 2)
    assert told(playing, playing.start(1).choose(0), PUBLIC) == ["1 was said"]


CALLED_TWICE = """
field gold[Player]: 0..99 = 0

procedure play
    shuffle deck
    each p in players
        draw 3 from deck to hand[p]
    pay(first(players), 2)
    if some(c in hand[first(players)] where c.worth > 3) then pay(first(players), 3)
    first(players) chooses c from hand[first(players)]
    move c to table
    pay(first(players), 1)
    finish with winner first(players)

procedure pay(p: Player, n: Int)
    gold[p] += n
    tells "{p} gets {n}"
"""


def test_a_rule_is_heard_where_no_secret_decides_upon_it(tmp_path: Path) -> None:
    """It is called in a secret branch, too: there nobody hears it."""
    playing = made(tmp_path, CALLED_TWICE, 2)
    everything = set()
    for seed in range(8):
        state = playing.start(seed).choose(0)
        assert told(playing, state, PUBLIC) == ["player 1 gets 2", "player 1 gets 1"]
        everything.add(tuple(told(playing, state, None)))
    assert ("player 1 gets 2", "player 1 gets 3", "player 1 gets 1") in everything
    assert len(everything) == 2


FRIENDS = """game friends
players 2
piece Thing
    number: 1..9
piece Card is a Thing from "cards.json#cards"
    named "card {number}"
    begins in deck
piece Token is a Thing from "cards.json#tokens"
    named "token {number}"
    begins in table
zone deck: set of Card, count seen by everyone
zone hand[p: Player]: set of Thing, face seen by p, count seen by everyone
zone table: set of Thing, seen by everyone
field friends[Token]: set of Thing = {}

procedure play
    move deck to hand[first(players)]
    first(players) chooses t from Token
    first(players) chooses u from {x in Token where x is not t}
    bind(t, u)
    first(players) chooses c from hand[first(players)]
    LINE
    if friends[t] is not empty then tells "they are friends"
    first(players) chooses n from {1 .. 2}
    finish with winner first(players)

effect bind(t: Token, u: Token)
    friends[t] = friends[t] + {u}
"""


@pytest.mark.parametrize(
    ("line", "heard"),
    [
        ("move {c} to table", True),
        ("friends[t] = friends[t] + {c}", False),
        ("move {t} to hand[first(players)]", False),
    ],
)
def test_a_field_over_pieces_that_never_lie_hidden_is_no_secret(tmp_path: Path, line: str, heard: bool) -> None:
    rows = [{"number": number} for number in range(1, 4)]
    playing = made(tmp_path, FRIENDS.replace("LINE", line), 2, {"cards": rows, "tokens": rows}, head="")
    assert (told(playing, played(playing, 1, 3), PUBLIC) == ["they are friends"]) is heard


def test_who_has_won_a_domaine_game_and_by_what_is_heard() -> None:
    """Alliances of castles, which all see, decide upon consequences before: nothing in that is hidden."""
    playing, state = rw.Game.of_scenario("domaine", "the king is reached or passed")
    lines = [line.text for line in Narrator(playing, state, PUBLIC).look(state.choose("(2, 4)|(3, 4)"))]
    assert lines[-4:-2] == ["orange has 42 points, 40 are enough", "the game ends: the king is reached"]
