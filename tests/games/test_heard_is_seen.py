"""Nobody hears of a card that was chosen unless they see where it goes, or saw it where it lay; nor which option was
taken of several of which they see nothing.

What is compared is said in ``heard_answers.py``.
"""

from __future__ import annotations

from pathlib import Path

import pytest
from heard_answers import compared, positions
from hiding_games import hiding_game
from secret_games import made
from test_parting_ways import CARDS, HEAD, WAYS

from sampling import sample

GAMES = sample(24, 400)


@pytest.mark.parametrize("turn", WAYS.values(), ids=WAYS)
def test_ways_that_part(turn: str, tmp_path: Path) -> None:
    game = made(tmp_path, turn, 2, CARDS, HEAD)
    found = [heard for seed in range(6) for state in positions(game, seed) for heard in compared(state, 2)]
    assert all(len(heard) == 1 for heard in found)
    assert bool(found) == ("hand[p]" in turn and "p.left chooses" not in turn)


def test_random_games(tmp_path: Path) -> None:
    count = 0
    for seed in range(GAMES):
        players = 2 + seed % 2
        game = hiding_game(tmp_path, seed, players)
        for state in positions(game, seed):
            for heard in compared(state, players):
                count += 1
                assert len(heard) == 1, f"game {seed}, {state.decision}:\n" + "\n".join(sorted(heard))
    assert count > GAMES
