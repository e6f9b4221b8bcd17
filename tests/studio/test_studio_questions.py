"""The sentences in which players of the large games are asked: one for each question, and none for any other."""

from __future__ import annotations

import re

import pytest
from studio_page import Page

import rulewright as rw
import rulewright_lab as lab

LARGE = ("baron", "carolus-magnus", "domaine", "kings-and-things", "loewenherz")


@pytest.mark.parametrize("name", LARGE)
def test_each_question_is_a_sentence(name: str) -> None:
    (folder,) = (one for one in rw.shipped_rulesets() if one.name == name)
    ruleset = rw.open_ruleset(folder)
    asks = ruleset.manifest.asks
    asked = {
        one.name for n in rw.playing.player_counts(ruleset) for one in lab.actions(rw.load(folder, players=n)).questions
    }
    assert {one for one in asked if not one.endswith(".react")} == set(asks)
    assert all("{player}" in sentence and sentence[-1] in "?." for sentence in asks.values())


INTERRUPTING = ("call_screen", "cash", "clear_income", "late_challenge", "balloon")
"""Actions of Kings & Things that may be answered to most questions: what they do is told."""


@pytest.mark.parametrize("name", LARGE)
def test_each_answer_is_told_in_words(name: str) -> None:
    """No word for an option is told by the words for the members of a question; `done` is, unless nothing else is."""
    (folder,) = (one for one in rw.shipped_rulesets() if one.name == name)
    ruleset = rw.open_ruleset(folder)
    names = rw.display_names.DisplayNames(ruleset.manifest)
    for n in rw.playing.player_counts(ruleset):
        for question in lab.actions(rw.load(folder, players=n)).questions:
            if question.name.endswith(".react"):
                continue
            words = [word for word in question.words if word not in INTERRUPTING]
            assert [word for word in words if names.answer(question.name, word) is None] == [], question.name
            assert names.answer(question.name) is not None or not question.universe, question.name


def test_the_log_of_the_studio_is_in_these_words() -> None:
    page = Page()
    page.ask("game/start", ruleset="domaine", seed=3, seats=["person", "person"])
    page.play(60, lambda number, size: 0)
    told = [line["text"].partition(": ")[2] for line in page.log if line["kind"] == "answer"]
    verbs = ("puts", "sells", "plays", "takes", "places", "expands", "wins", "forms", "from", "for", "with")
    assert told
    assert [text for text in told if not text.startswith(verbs)] == []


def test_a_sentence_names_who_is_asked() -> None:
    page = Page()
    page.ask("game/start", ruleset="domaine", seed=3, seats=["person", "person"])
    page.ask("game/look")
    who = page.question["who"]
    assert page.question["text"] == f"Where does {who} put a castle?"
    page.play(60, lambda number, size: 0)
    hands = [piece["name"] for holder in page.shown["holders"] for pile in holder["piles"] for piece in pile["pieces"]]
    assert any(re.search(r"\b[ABCD] \d (border|knight|expansion)", name) for name in hands), hands
