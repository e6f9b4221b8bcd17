"""All that a seat is given is the same in positions that it cannot tell apart, in every ruleset.

The long version is ``tests/torture/same_outputs.py``, a part of ``make torture``.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from hiding_games import hiding_game
from imagined_games import HIDDEN, guessing
from information_sets import GAMES
from secret_games import SMALL, made
from shipped_games import every_game, game
from twin_outputs import Comparison, Differs, positions
from twins import groups

import rulewright as rw
from sampling import sample

FEW = sample(2, 8)
BY_THEIR_LOG = ("goofspiel", "liars-dice")
"""Games that are not played on without their log, as all that is hidden was chosen or drawn for a field: their like are
compared below, in every position."""


@pytest.mark.parametrize(("name", "players"), every_game())
def test_shipped_games(name: str, players: int, record_property: Callable[[str, object], None]) -> None:
    comparison = Comparison(game(name, players).program, name, ("python",))
    if comparison.hides:
        visited = list(positions(game(name, players).start(players), players, 40))
        for state in visited[len(visited) // 2 :: len(visited) // FEW]:
            comparison.with_imagined(state, range(1))
    record_property("compared", str(comparison.tally))
    assert not comparison.hides or comparison.tally.twins or name in BY_THEIR_LOG


@pytest.mark.parametrize("name", HIDDEN)
def test_games_that_hide_a_number(tmp_path: Path, name: str, record_property: Callable[[str, object], None]) -> None:
    playing = guessing(tmp_path, name, 2)
    comparison = Comparison(playing.program, name)
    for group in groups(playing, 0, range(12)):
        comparison.of_group(group, 0)
    record_property("compared", str(comparison.tally))
    assert comparison.tally.outputs["imagined"]
    assert comparison.tally.outputs["policy, native"] == comparison.tally.outputs["policy, python"] > 0


@pytest.mark.parametrize("name", SMALL)
def test_small_games_of_cards_and_numbers(
    tmp_path: Path, name: str, record_property: Callable[[str, object], None]
) -> None:
    playing = made(tmp_path, SMALL[name], 3)
    comparison = Comparison(playing.program, name)
    for state in positions(playing.start(1), 1, 12):
        comparison.with_imagined(state, range(2))
        comparison.with_other_games(state, range(3))
    for seat in range(3):
        for group in groups(playing, seat, range(6), 6):
            comparison.of_group(group[:3], seat)
    record_property("compared", str(comparison.tally))
    assert comparison.tally.twins


@pytest.mark.parametrize("seed", [*range(sample(2, 12)), 40, 47])
def test_random_games_that_hide(tmp_path: Path, seed: int, record_property: Callable[[str, object], None]) -> None:
    playing = hiding_game(tmp_path, seed, 2 + seed % 2)
    comparison = Comparison(playing.program, f"hiding {seed}", ("python",))
    for seat in range(playing.players):
        for group in groups(playing, seat, range(6), 6):
            comparison.of_group(group[:2], seat)
    record_property("compared", str(comparison.tally))
    assert comparison.tally.twins


@pytest.mark.parametrize("name", ["draft", "goofspiel", "kuhn", "leduc", "liars"])
def test_games_of_the_literature(name: str, record_property: Callable[[str, object], None]) -> None:
    playing = rw.load(GAMES / name, 2)
    comparison = Comparison(playing.program, name)
    for seat in range(2):
        for group in groups(playing, seat, range(sample(12, 100))):
            comparison.of_group(group[:4], seat)
    record_property("compared", str(comparison.tally))
    assert comparison.tally.twins


def test_a_difference_is_found(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A world that is the true position is found."""
    playing = guessing(tmp_path, "a hand", 2)
    comparison = Comparison(playing.program, "a hand", ("python",))
    monkeypatch.setattr(rw.State, "imagine", lambda state, *_: state)
    largest = max(groups(playing, 0, range(12)), key=len)
    with pytest.raises(Differs, match=r"imagined|search"):
        comparison.of_group(largest, 0)
