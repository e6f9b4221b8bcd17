"""Narrations: what has happened in a game, told to a reader who may not know everything."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path

import pytest
from secret_games import BIDS, PASSING, made
from shipped_games import game
from test_hidden_information import HONEST, states

import rulewright as rw
from rulewright.narration import Narrator, story
from rulewright.playing import PUBLIC

CHANCY = """
field coins[p: Player]: 0..9 = 0, seen by p
field open_coins[Player]: 0..9 = 0
zone won[p: Player]: set of Card, seen by everyone

procedure play
    shuffle deck
    each p in players
        draw 2 from deck to hand[p]
        chance chooses d from {1 .. 6}
        coins[p] = d
    first(players) chooses c from hand[first(players)]
    move c to won[first(players)]
    open_coins[first(players)] += c.worth
    first(players) chooses last from {0 .. 1}
    finish ranking p in players by open_coins[p] then coins[p]
"""


def texts(lines: tuple[rw.narration.Line, ...], *kinds: str) -> list[str]:
    return [line.text for line in lines if line.kind in kinds or not kinds]


@pytest.mark.parametrize(("rules", "steps"), [(PASSING, 6), (BIDS, 8), (HONEST, 9), (CHANCY, 2)])
def test_what_is_told_follows_from_what_the_reader_knows(tmp_path: Path, rules: str, steps: int) -> None:
    """Games in which a player has seen and heard the same are told to them in the same words."""
    playing = made(tmp_path, rules, 2)
    told: dict[str, set[str]] = {}
    truths: dict[str, set[str]] = {}
    for seed in range(36):
        state = playing.start(seed)
        for _ in range(seed % (steps + 1)):
            # The first option, or the second: few games, so that some have one history.
            if state.decision is not None:
                state = state.choose(seed // 7 % min(2, len(state.decision.options)))
        for reader in (0, 1, PUBLIC):
            mine = json.dumps([reader, state.history(reader)])
            told.setdefault(mine, set()).add("\n".join(texts(story(playing, state, reader))))
            truths.setdefault(mine, set()).add("\n".join(texts(story(playing, state, None))))
    assert all(len(found) == 1 for found in told.values())
    assert max(map(len, truths.values())) > 1, "some of these games differ in what is hidden"


def test_live_and_later_the_same_is_told_of_a_game_without_chance() -> None:
    playing = game("tic-tac-toe")
    visited = list(states(playing.start(3), 1))
    narrator = Narrator(playing, visited[0], PUBLIC)
    live = [line for state in visited[1:] for line in narrator.look(state)]
    assert tuple(live) == story(playing, visited[-1], PUBLIC)
    assert live[0].text == f"x: turn.cell = {visited[-1].log[0].key}"
    assert live[1].text == f"{visited[-1].log[0].key}: mark none \N{RIGHTWARDS ARROW} x"


def test_hidden_pieces_are_counted_and_own_ones_named(tmp_path: Path) -> None:
    playing = made(tmp_path, CHANCY, 2)
    state = playing.start(4)
    mine, all_told = texts(story(playing, state, 0)), texts(story(playing, state, None))
    cards = [piece["key"] for piece in state.view(0)["zones"]["hand"]["values"]["player_1"]["pieces"]]
    assert any(line.endswith("deck \N{RIGHTWARDS ARROW} hand of player_1") and cards[0] in line for line in mine)
    assert "2 \N{MULTIPLICATION SIGN} card face down: deck \N{RIGHTWARDS ARROW} hand of player_2" in mine
    theirs = [piece["key"] for piece in state.view(1)["zones"]["hand"]["values"]["player_2"]["pieces"]]
    assert not any(card in line for card in theirs for line in mine)
    assert any(card in line for card in theirs for line in all_told)
    assert any(line.startswith("player_1: coins 0") for line in mine)
    assert not any(line.startswith("player_2: coins") for line in mine)
    assert [line for line in texts(story(playing, state, PUBLIC)) if "coins" in line or "chance" in line] == []


def test_numbers_and_moves_after_an_answer(tmp_path: Path) -> None:
    playing = made(tmp_path, CHANCY, 2)
    state = playing.start(4)
    narrator = Narrator(playing, state, 1)
    assert state.decision is not None
    card = state.decision.options[0].key
    worth = int(card.split()[1])
    assert texts(narrator.look(state.choose(card))) == [
        f"player_1: play.c = {card}",
        f"{card}: hand of player_1 \N{RIGHTWARDS ARROW} won of player_1",
        f"player_1: open coins 0 \N{RIGHTWARDS ARROW} {worth} ({worth:+})",
    ]


def test_the_end_names_the_values_that_the_reader_may_know(tmp_path: Path) -> None:
    playing = made(tmp_path, CHANCY, 2)
    state = playing.start(4).choose(0).choose(0)
    assert state.result is not None
    first, second = (who for place in state.result.ranking for who in place)
    public = texts(story(playing, state, PUBLIC), "end")
    assert public == [
        "the game ends: play",
        f"1. {first} (open coins {state.view(None)['fields']['open_coins']['values'][first]})",
        f"2. {second} (open coins 0)",
    ]
    assert all("coins" in line.replace("open coins", "") for line in texts(story(playing, state, None), "end")[1:])


def test_a_domaine_is_told_with_its_score() -> None:
    title = "X1: six borders close a Domaine in the corner"
    playing, state = rw.Game.of_scenario("domaine", title)
    narrator = Narrator(playing, state, PUBLIC)
    told = texts(narrator.look(state.choose("(2, 11)|(3, 11)")), "values")
    assert "blue: score 0 \N{RIGHTWARDS ARROW} 4 (+4)" in told
    assert "(2, 11)|(3, 11): walled" in told
    assert any(line.endswith("castle in none \N{RIGHTWARDS ARROW} blue castle 1") for line in told)


def test_a_game_that_ends_tells_why() -> None:
    """Nobody has a Domaine: the ducats decide."""
    playing = game("domaine", 2)
    *answers, last = playing.playout(3, keep=True).answers
    state = playing.start(3)
    for answer in answers:
        state = state.choose(answer)
    narrator = Narrator(playing, state, PUBLIC)
    end = [line for line in narrator.look(state.choose(last)) if line.kind == "end"]
    assert [line.text for line in end] == [
        "the game ends: crown",
        "1. orange (final score 5, ducats 17)",
        "2. blue (final score 3, ducats 13)",
    ]
    assert end[0].cites == ("DO-END-9", "DO-END-10", "DO-END-11")


def test_regions_that_are_joined() -> None:
    playing = game("carolus-magnus", 3)
    visited = list(states(playing.start(3), 3))
    told = Counter(line.kind for line in story(playing, visited[-1], PUBLIC))
    assert all(told[kind] for kind in ("regions", "chance", "pieces", "values"))


def test_a_state_without_its_game_tells_its_log(tmp_path: Path) -> None:
    playing = made(tmp_path, CHANCY, 2)
    assert story(playing, playing.start(1).choose(0).imagine(0, 1), 0) == ()
    title = "X1: six borders close a Domaine in the corner"
    domaine, state = rw.Game.of_scenario("domaine", title)
    after = state.choose("(2, 11)|(3, 11)")
    assert "blue: score 0 \N{RIGHTWARDS ARROW} 4 (+4)" in texts(story(domaine, after, PUBLIC))
