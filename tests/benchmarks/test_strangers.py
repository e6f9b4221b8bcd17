"""The games of strangers, in lockstep with OpenSpiel."""

from __future__ import annotations

from pathlib import Path

import pytest
from stranger_games import STRANGERS, Stranger, in_lockstep

SLOW = ("amazons", "clobber", "havannah", "loa", "quoridor", "xiangqi")
"""Games that take the Python engine more than a second."""


@pytest.mark.parametrize(
    "one",
    [pytest.param(one, id=one.name, marks=[pytest.mark.thorough] if one.name in SLOW else []) for one in STRANGERS],
)
def test_turns_and_ends_are_those_of_openspiel(one: Stranger) -> None:
    """Each turn has the same answers there, and the game ends in the same way."""
    pytest.importorskip("pyspiel")
    assert in_lockstep(one, 7) > 10


def test_each_folder_is_a_game_that_is_compared() -> None:
    """No game lies there that nobody plays."""
    folders = {path.parent.name for path in (Path(__file__).parent / "strangers").glob("*/ruleset.json")}
    assert folders == {one.name for one in STRANGERS}
