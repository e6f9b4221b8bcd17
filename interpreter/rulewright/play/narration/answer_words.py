"""Answers in the words that a manifest has for them: ``plays A 3 borders``, ``brings nothing more``."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import groupby

from rulewright.data.display_names import counted
from rulewright.play.narration.words import Wording

DONE = "done"
"""The answer that ends a choice of several."""

HIDDEN = "(hidden)"
"""In place of an answer that the reader may not know."""


REACTION, PASS = ".react", "pass"
"""The end of the name of a question whether somebody reacts, and the answer of those who do not."""


def has_words(wording: Wording, name: str, universe: str, key: str | None) -> bool:
    """True if there are words for this answer to a question."""
    return _words(wording, name, universe, key) is not None


def answer_words(wording: Wording, name: str, answers: Sequence[tuple[str, str | None]]) -> list[str] | None:
    """Words for answers in a row to one question, each with the universe from which it is chosen; None if the
    manifest has no words for all of them. That several have been chosen is told without the word that ends it."""
    if not all(has_words(wording, name, universe, key) for universe, key in answers):
        return None
    if len(answers) > 1 and answers[-1][1] == DONE:
        answers = answers[:-1]
    return [said for said in _said(wording, name, answers) if said]


def _said(wording: Wording, name: str, answers: Sequence[tuple[str, str | None]]) -> Iterator[str]:
    for words, group in groupby(answers, key=lambda one: _words(wording, name, *one) or ""):
        together = list(group)
        hidden = sum(key is None for _, key in together)
        keys = [counted(wording.phrase(HIDDEN), hidden)] if hidden else []
        keys += [wording.member(universe, key) for universe, key in together if key is not None]
        yield words.replace("{answer}", ", ".join(keys))


def _words(wording: Wording, name: str, universe: str, key: str | None) -> str | None:
    """The words for one answer: its own, or those of its question unless it is an action that interrupts it."""
    own = wording.answer(name, HIDDEN if key is None else key)
    if own is not None:
        return own
    if key is not None and wording.is_rule(key) and key not in wording.model.keys(universe):
        return wording.answer(key)
    if key == PASS and name.endswith(REACTION):
        return wording.phrase("does not react")
    return wording.answer(name)
