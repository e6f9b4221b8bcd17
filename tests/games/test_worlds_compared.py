"""A world is in the information set of a seat just if the whole view is the same, though only parts of it are made."""

from __future__ import annotations

from itertools import product
from pathlib import Path

import pytest
from secret_games import SMALL, made
from shipped_games import game
from twin_outputs import positions

import rulewright as rw
from rulewright.engine.hidden_information.worlds.information_set import InformationSet
from rulewright.engine.hidden_information.worlds.replay_sampling import as_far


def compared(playing: rw.Game, visited: list[rw.State]) -> set[bool]:
    """Answers, found in both ways, to whether worlds that a seat imagines are in the information sets of each."""
    found = set[bool]()
    for state, who, seat in product(visited, range(playing.players), range(playing.players)):
        try:
            world = state.imagine(who, 1)
        except rw.RulesetError:
            continue
        inside = as_far(state, world, seat) and world.view(seat) == state.view(seat)
        assert InformationSet(state, seat, frozenset()).contains(world) == inside
        found.add(inside)
    return found


@pytest.mark.parametrize("name", SMALL)
def test_small_games(tmp_path: Path, name: str) -> None:
    playing = made(tmp_path, SMALL[name], 3)
    visited = list(positions(playing.start(3), 3, 12))
    assert True in compared(playing, visited)


@pytest.mark.parametrize("name", ["kings-and-things", "baron", "loewenherz"])
def test_shipped_games(name: str) -> None:
    playing = game(name, 3)
    visited = list(positions(playing.start(3), 3, 90))[5::28]
    assert compared(playing, visited) == {True, False}
