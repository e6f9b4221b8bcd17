"""Boards in parts: a page that puts together what it is told has the picture that would be sent as a whole."""

from __future__ import annotations

import json
import random
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st
from studio_page import Page, joined_parts, shipped

from rulewright_tools.studio.host import Message
from rulewright_tools.studio.host.game.sent_board import changed_parts

PARTS = st.lists(st.sampled_from("abcdef"), max_size=12)


@given(PARTS, PARTS)
def test_parts_that_are_told_are_put_together(before: list[str], now: list[str]) -> None:
    told = changed_parts(before, now, str)
    assert joined_parts(before, told) == now
    assert not any(isinstance(one, str) and one in before for one in told)


@pytest.mark.parametrize("ruleset", shipped())
def test_parts_are_the_whole_board_wherever_a_game_goes(ruleset: str) -> None:
    """Random answers, and ways back and forward; the host draws the same as a whole when it is asked for it."""
    draws = random.Random(ruleset)
    page = Page()
    seats, seed = ["person"] * players(page, ruleset), draws.randrange(1000)
    page.ask("game/start", ruleset=ruleset, seed=seed, seats=seats, viewer="all")
    parted = 0
    for number in range(16):
        if page.question is None or draws.random() < 0.2:
            page.ask("game/goto", at=draws.randrange(page.shown["last"] + 1))
        else:
            page.answer(draws.choice(page.options))
        parted += page.told["base"] is not None
        if number % 4 == 3:
            board = page.shown["board"]
            page.ask("game/show")
            assert page.told["base"] is None
            assert page.shown["board"] == board
    assert parted > 8


def players(page: Page, ruleset: str) -> int:
    """The smallest table."""
    return min(page.ask("ruleset", ruleset=ruleset)["players"])


def test_of_a_large_board_little_is_sent() -> None:
    page = Page()
    page.ask("game/start", ruleset="domaine", seed=7, seats=["person", "first"])
    whole = len(json.dumps(page.shown["board"]))
    sizes = []
    for number in range(12):
        page.answer(page.options[number * 7 % len(page.options)])
        sizes.append(len(json.dumps(page.told)))
    assert whole > 200_000
    assert sum(sizes) / len(sizes) < whole / 20


class Watched(Page):
    """A page that notes for whom each board was made, and by which one it was told."""

    def __init__(self) -> None:
        self.bases: list[tuple[str | None, int | None]] = []
        super().__init__()

    def take(self, message: Message) -> None:
        super().take(message)
        self.bases.append((self.shown["viewer"]["seat"], self.told["base"]))


def test_another_viewer_is_sent_all() -> None:
    """Nothing that one seat was shown decides upon what another one at the same page is sent."""
    page = Watched()
    page.ask("game/start", ruleset="baron", seed=7, seats=["person", "person"])
    for _ in range(6):
        if page.question["covered"]:
            page.ask("game/look")
        page.answer(page.options[0])
    assert all((base is None) == (one != other) for (one, _), (other, base) in pairwise(page.bases))
    assert len({seat for seat, _ in page.bases}) > 1


def test_a_page_that_is_opened_anew_is_sent_all() -> None:
    page = Page()
    page.ask("game/start", ruleset="connect-four", seed=7, seats=["person", "person"])
    page.answer("3")
    assert page.told["base"] == page.told["number"] - 1
    for message in page.host.show_again():
        page.take(message)
        assert page.told["base"] is None
