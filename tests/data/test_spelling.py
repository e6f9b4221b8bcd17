"""Suggestions for misspelt words."""

from __future__ import annotations

import pytest

from rulewright.diagnostics.suggestions import did_you_mean, listing, suggest

WORDS = ["red", "pink", "purple", "yellow", "turn_order", "Castle"]


@pytest.mark.parametrize(
    "word, meant",
    [
        ("purpel", "purple"),
        ("turnorder", "turn_order"),
        ("turn-order", "turn_order"),
        ("castle", "Castle"),
        ("rad", "red"),
        ("xyzzy", None),
        ("", None),
        ("purple", None),
        ("p" * 10_000, None),
    ],
)
def test_suggest(word: str, meant: str | None) -> None:
    assert suggest(word, WORDS) == meant


def test_order_does_not_matter() -> None:
    assert suggest("ab", ["ac", "aa"]) == suggest("ab", ["aa", "ac"])
    assert suggest("purpel", {"purple", "purples"}) == "purple"


def test_sentences() -> None:
    assert did_you_mean("purpel", WORDS) == "did you mean `purple`?"
    assert did_you_mean("xyzzy", WORDS) == ""
    assert listing(["a"]) == "`a`"
    assert listing(["a", "b", "c"]) == "`a`, `b` and `c`"
    assert listing([]) == "none"
    assert listing(map(str, range(20)), most=2) == "`0`, `1` and 18 more"
