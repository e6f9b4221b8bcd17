"""The sentences in which players of the large games are asked: one for each question, and none for any other."""

from __future__ import annotations

import re

import pytest
from studio_page import Page

import rulewright as rw

LARGE = ("baron", "carolus-magnus", "domaine", "kings-and-things", "loewenherz")


@pytest.mark.parametrize("name", LARGE)
def test_each_question_is_a_sentence(name: str) -> None:
    (folder,) = (one for one in rw.shipped_rulesets() if one.name == name)
    ruleset = rw.open_ruleset(folder)
    asks = ruleset.manifest.asks
    asked = {
        one.name for n in rw.playing.player_counts(ruleset) for one in rw.load(folder, players=n).actions.questions
    }
    assert {one for one in asked if not one.endswith(".react")} == set(asks)
    assert all("{player}" in sentence and sentence[-1] in "?." for sentence in asks.values())


def test_a_sentence_names_who_is_asked() -> None:
    page = Page()
    page.ask("game/start", ruleset="domaine", seed=3, seats=["person", "person"])
    who = page.question["who"]
    assert page.question["text"] == f"Where does {who} put a castle?"
    page.play(60, lambda number, size: 0)
    hands = [piece["name"] for holder in page.shown["holders"] for pile in holder["piles"] for piece in pile["pieces"]]
    assert any(re.search(r"\b[ABCD] \d (border|knight|expansion)", name) for name in hands), hands
