"""Own answers, which are the same in each world that a player imagines."""

from __future__ import annotations

from pathlib import Path

import pytest
from hiding_games import hiding_game
from imagined_games import CARDS, HEAD
from own_answers import own_answers
from secret_games import made
from twin_outputs import positions

import rulewright as rw
from sampling import sample

OWN = {
    "in a round of which another way goes on to the next": """
procedure play
    each p in players
        p chooses said from {1 .. 9}
        if said > 3
            p chooses more from {1 .. 4}
            box = said + more
        else
            box = said
    finish with winner first(players)
""",
    "asked again, and passed": """
procedure play
    var said = 0
    each p in players
        repeat 3 times
            p may choose word from {1 .. 9}
            then
                said = word
            p chooses more from {1 .. 4}
            box = said + more
    finish with winner first(players)
""",
}
"""Rules that keep in a local what a player has said, and nobody else knows it."""


@pytest.mark.parametrize("name", OWN)
def test_own_answers_stand_in_every_world(tmp_path: Path, name: str) -> None:
    game = made(tmp_path, "field box: 0..99 = 0, seen by {}" + OWN[name], 2, CARDS, HEAD)
    first, second = (game.start(0).choose(word) for word in ("7", "9"))
    for seed in range(6):
        mine = [state.imagine(0, seed).to_bytes() for state in (first, second)]
        theirs = [state.imagine(1, seed).to_bytes() for state in (first, second)]
        assert mine[0] != mine[1]
        assert theirs[0] == theirs[1]


def looked_at(state: rw.State, seed: int) -> int:
    """Compare them in a game at random; how many there were."""
    count = 0
    for here in positions(state, seed, 40):
        for seat in range(here.engine.program.players):
            try:
                found = own_answers(here, here.imagine(seat, seed), seat)
            except rw.RulesetError:
                continue
            count += len(found)
            for place, (said, imagined) in found.items():
                assert said == imagined, (here.decision, seat, place)
    return count


def test_random_games(tmp_path: Path) -> None:
    count = sum(
        looked_at(hiding_game(tmp_path, seed, 2 + seed % 2).start(seed), seed) for seed in range(sample(20, 200))
    )
    assert count
