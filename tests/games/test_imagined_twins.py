"""From two positions that a player cannot tell apart one seed gives the same world, and policies decide alike.

Small games hide a number in each way in which one can be hidden. They are played from many seeds; the positions with
one history are *twins*, and what is imagined in them must be the same, byte by byte, and no likelier to be the truth
than chance has it.
"""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from imagined_games import HIDDEN, guessing
from twins import groups

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
