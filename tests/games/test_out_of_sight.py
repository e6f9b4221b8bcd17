"""Narrations of pieces that go where the reader sees nothing of them."""

from __future__ import annotations

from pathlib import Path

import pytest
from secret_games import LOSING, made

import rulewright as rw
from rulewright.play.narration import Narrator
from rulewright.play.playing import PUBLIC

ARROW = "\N{RIGHTWARDS ARROW}"


def texts(lines: tuple[rw.narration.Line, ...], kind: str) -> list[str]:
    return [line.text for line in lines if line.kind == kind]


def test_what_goes_into_a_bag_in_sight_is_told_though_it_is_forgotten_at_once(tmp_path: Path) -> None:
    """All see the card go there; then something may go from there, or not, unseen, and nobody knows what lies there."""
    playing = made(tmp_path, LOSING, 2)
    state = playing.start(1)
    for reader in (PUBLIC, 0, 1):
        narrator, now = Narrator(playing, state, reader), state
        for _ in range(2):
            assert now.decision is not None
            card = now.decision.options[0].key
            now = now.choose(0)
            assert texts(narrator.look(now), "pieces") == [f"{card}: table {ARROW} bag"]
            now = now.choose(0)
            assert texts(narrator.look(now), "pieces") == []


MARKING = """
zone bag: bag of Card, seen by {}
field damage[Card]: 0..9 = 0

procedure play
    draw 4 from deck to table
    first(players) chooses c from table
    damage[c] = 2
    first(players) chooses n from {1 .. 2}
    move table to bag
    shuffle deck
    draw 1 from bag to hand[first(players)]
    first(players) chooses k from {1 .. 2}
    finish with winner first(players)
"""


@pytest.mark.parametrize("alike", [False, True])
def test_of_a_piece_that_is_not_seen_at_all_no_value_is_told(tmp_path: Path, alike: bool) -> None:
    rows = [{"suit": "red", "worth": worth // 2 if alike else worth} for worth in range(2, 10)]
    playing = made(tmp_path, MARKING, 2, {"rows": rows})
    state = playing.start(1)
    narrator = Narrator(playing, state, PUBLIC)
    (hit,) = texts(narrator.look(state.choose(0)), "values")
    assert hit.startswith("red ")
    assert texts(narrator.look(state.choose(0).choose(0)), "values") == []
