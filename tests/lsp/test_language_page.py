"""Help on words of the language comes from its page, whose rows lead to the sections of its chapters."""

from __future__ import annotations

import re

import pytest

from rulewright.compiler.symbols.static_types import BUILTINS
from rulewright.foundation.resources import share
from rulewright.navigation.hover import LONGEST, about_builtin, about_word, explain_word
from rulewright.navigation.syntax_context import tokens_of
from rulewright.syntax.tables.parse_tables import words

WORDS = sorted({name for name, text in words().items() if text.replace(" ", "").isalpha()} | {"SEEN", "HIDDEN", "OUT"})


LINK = re.compile(r"\[[^\]:]+(?:: (?P<heading>[^\]]+))?\]\(file://.*/language/(?P<chapter>[a-z-]+\.md)(?:#[a-z-]+)?\)")


def assert_says_something(about: str) -> None:
    *parts, link = about.split("\n\n")
    assert all(10 < len(part) <= LONGEST + 1 for part in parts), about
    match = LINK.fullmatch(link)
    assert match is not None, link
    chapter = (share("language") / match["chapter"]).read_text("utf-8")
    assert match["heading"] is None or f"\n## {match['heading']}\n" in chapter


def test_each_word_is_explained(subtests: pytest.Subtests) -> None:
    for word in WORDS:
        with subtests.test(word):
            assert_says_something(about_word(word))


def test_each_function_is_explained(subtests: pytest.Subtests) -> None:
    for name in sorted(BUILTINS):
        with subtests.test(name):
            about = about_builtin(name)
            assert_says_something(about)
            assert f"{name}(" in about


def test_other_words_are_not() -> None:
    assert about_word("NAME") == about_word("COLON") == about_builtin("points") == ""


@pytest.mark.parametrize(
    ("text", "asked", "section"),
    [
        ("    repeat until x is 3", "until", "control-flow.md#repetition"),
        ("    move c to hand[p]", "to", "statements.md#moving-pieces"),
        ("    p rolls 2 D6 as n", "as", "statements.md#chance"),
        ("    each r in players by gold[r] descending", "by", "control-flow.md#repetition"),
        ("    if x then stop", "then", "control-flow.md#branches"),
        ("query x() -> Int = best(q in players by score(q))", "by", "expressions.md#sets-and-counting"),
        ("query x() -> Int\n    3 when true", "when", "queries.md#queries"),
        ("query x() -> Int = size(hand[p])", "size", "expressions.md#built-in-functions"),
        ("consequence x for f in Family when f is red", "when", "events.md#consequences"),
        ("end x when C, after turn", "after", "events.md#ends"),
        ("    forbid x: attacked(p) after shift(p)", "after", "queries.md#what-would-be"),
        ("    after turn", "after", "variants.md#changes"),
        ("    draw 2 from deck to hand[p]", "draw", "statements.md#moving-pieces"),
        ("    draw on[place] with X = red", "draw", "scenarios.md#drawn-positions"),
        ('scenario "x"\n    when anna: card = red', "when", "scenarios.md#lines-of-a-scenario"),
        ('scenario "x"\n    seen anna: card', "seen", "hidden-information.md#knowledge-in-scenarios"),
        ("place Cell", "place", "maps.md"),
        ("query x() -> Int = place(c)", "place", "pieces-and-zones.md#where-a-piece-is"),
    ],
)
def test_a_word_is_explained_by_its_clause(text: str, asked: str, section: str) -> None:
    source = tokens_of(text)
    token = next(token for token in source.tokens if token.value == asked)
    explained = explain_word(token, *source.clause(token))
    assert explained.endswith(f"/language/{section})"), explained


def test_the_form_of_another_clause_is_not_shown() -> None:
    source = tokens_of("query x() -> Int\n    3 when true")
    token = next(token for token in source.tokens if token.value == "when")
    assert "```" in explain_word(token)
    assert "```" not in explain_word(token, *source.clause(token))
