"""Games in plain words and in cheap ones are the same games."""

from __future__ import annotations

import pytest
from bench_pairs import PAIRS, equal_games, in_lockstep
from stranger_games import STRANGERS

SLOW = ("havannah", "quoridor", "xiangqi")
"""Games that take the Python engine more than a second."""


@pytest.mark.parametrize("name", PAIRS)
def test_games_of_the_same_seeds_are_equal(name: str) -> None:
    """Each game is as long and ends in the same way."""
    assert equal_games(name, 100) > 1000


@pytest.mark.parametrize(
    "name", [pytest.param(name, marks=[pytest.mark.thorough] if name in SLOW else []) for name in PAIRS]
)
def test_the_same_is_asked(name: str) -> None:
    """Each question has the same options in the same order."""
    assert in_lockstep(name, 7, 40) > 20


def test_each_is_a_game_of_a_stranger() -> None:
    """No game lies there that has no other words."""
    assert set(PAIRS) <= {one.name for one in STRANGERS}
