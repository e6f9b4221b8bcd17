"""From two positions that a player cannot tell apart one seed gives the same world, and policies decide alike.

Small games hide a number in each way in which one can be hidden. They are played from many seeds; the positions with
one history are *twins*, and what is imagined in them must be the same, byte by byte, and no likelier to be the truth
than chance has it.
"""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from imagined_games import CARDS, HIDDEN, guessing
from imagined_games import HEAD as HIDING
from secret_games import HEAD, made
from twins import groups, information

import rulewright as rw

GAMES = 40


@pytest.mark.parametrize("players", [2, 3])
@pytest.mark.parametrize("name", HIDDEN)
def test_one_seed_gives_one_world(tmp_path: Path, name: str, players: int) -> None:
    together = [group for group in groups(guessing(tmp_path, name, players), 0, range(GAMES)) if len(group) > 1]
    assert together
    for group in together:
        for seed in range(6):
            worlds = {state.imagine(0, seed).to_bytes() for state in group}
            assert len(worlds) == 1, [json.dumps(state.view(None)) for state in group[:2]]


@pytest.mark.parametrize("name", HIDDEN)
@pytest.mark.parametrize("engine", ["python", "native"])
def test_nobody_with_a_preference_knows_it(tmp_path: Path, name: str, engine: str) -> None:
    guessing(tmp_path, name, 2)
    game = rw.load(tmp_path, 2, engine="native" if engine == "native" else "python")
    greedy, random = game.policy("greedy:score", noise=0), game.policy("random")
    right = sum(
        game.playout(seed, policies=[greedy, random]).result.winners == (game.seats[0],)  # type: ignore[union-attr]
        for seed in range(GAMES)
    )
    assert right < GAMES * 0.7


PRESUPPOSED = """
procedure play
    shuffle deck
    let holder = first(players)
    draw 2 from deck to hand[holder]
    move {c in deck where c.worth is 120 and c.suit is red} to hand[holder]
    holder chooses laid from hand[holder] where laid.worth is 120 and laid.suit is red
    finish with winner holder
"""
"""The player who is asked holds one certain card of many."""


def test_a_card_that_a_question_presupposes_is_there_and_all_others_are_dealt_anew(tmp_path: Path) -> None:
    """It seldom is in a deal at random; what else they hold must not be kept for that."""
    cards = {"rows": [{"suit": suit, "worth": worth} for suit in ("red", "blue") for worth in range(1, 121)]}
    game = made(tmp_path, PRESUPPOSED, 2, cards, HEAD.replace("1..9", "1..120"))
    twins = [game.start(seed) for seed in range(3)]
    assert len({information(state, 1) for state in twins}) == 1
    assert len({state.to_bytes() for state in twins}) == len(twins)
    hands = set[tuple[str, ...]]()
    for seed in range(4):
        worlds = [state.imagine(1, seed) for state in twins]
        assert len({world.to_bytes() for world in worlds}) == 1
        held = worlds[0].view(None)["zones"]["hand"]["values"]["player_1"]["pieces"]
        hands.add(tuple(sorted(piece["key"] for piece in held)))
    assert all("red 120" in hand for hand in hands)
    assert len(hands) == 4


AGAIN = {
    "an answer of whoever was to be asked then": """
field box: 0..4 = 0, seen by {}
field whose: Player or none = none
procedure play
    let asker = first(players)
    whose = asker.left
    whose chooses said from {1 .. 4}
    whose = asker
    asker chooses word from {1 .. 4}
    box = said
    finish with winner asker
""",
    "a count that a secret has begun": """
field box: 0..99 = 0, seen by {}
procedure play
    let asker = first(players)
    chance chooses said from {1 .. 4}
    var total = said
    repeat 3 times
        total += 1
        asker chooses word from {1 .. 4}
        box = total
    finish with winner asker
""",
    "a pass of whoever was to be asked then": """
field box: 0..9 = 0, seen by {}
field whose: Player or none = none, seen by {}
procedure play
    let asker = first(players)
    whose = asker.left
    var marked = 0
    whose may choose said from {1 .. 4}
    then
        marked = said
    else
        whose = asker
    asker chooses word from {1 .. 4}
    box = marked
    finish with winner asker
""",
    "a number that was worked out from another one in the round before": """
field box: 0..99 = 0, seen by {}
procedure play
    let asker = first(players)
    var said = 0
    var kept = 0
    repeat 3 times
        kept = said + 1
        chance chooses drawn from {1 .. 4}
        said = drawn
        asker chooses word from {1 .. 4}
        box = kept + said
    finish with winner asker
""",
}
"""A local holds what was answered, drawn or worked out an earlier time."""


@pytest.mark.parametrize("name", AGAIN)
def test_what_is_left_of_an_earlier_time_is_imagined_alike(tmp_path: Path, name: str) -> None:
    game = made(tmp_path, AGAIN[name], 2, CARDS, HIDING)
    together = [group for group in groups(game, 0, range(GAMES)) if len(group) > 1]
    differ = [group for group in together if len({state.to_bytes() for state in group}) > 1]
    assert differ
    for group in differ:
        for seed in range(6):
            assert len({state.imagine(0, seed).to_bytes() for state in group}) == 1
