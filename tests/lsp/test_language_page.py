"""Help on words of the language comes from its page, which explains each of them under a heading that is there."""

from __future__ import annotations

import pytest

from rulewright.navigation.language_page import LONGEST, SECTIONS, about_builtin, about_word
from rulewright.syntax.tables.parse_tables import words

SMALL = {"AS", "OF", "TO", "TIMES"}
"""Words that only join the parts of clauses."""


def test_each_word_has_its_heading() -> None:
    named = [word for group in SECTIONS.values() for word in group.split()]
    assert len(named) == len(set(named))
    known = {name for name, text in words().items() if text.replace(" ", "").isalpha()}
    assert known - set(named) <= SMALL
    assert set(named) - known == {"SEEN", "HIDDEN", "OUT"}


@pytest.mark.parametrize("heading", SECTIONS)
def test_each_heading_says_something(heading: str) -> None:
    for word in SECTIONS[heading].split():
        assert 10 < len(about_word(word)) <= LONGEST + 1


def test_the_part_about_the_word_is_shown() -> None:
    assert about_word("UNTIL").startswith("`repeat` alone goes on")
    assert about_word("REFUSED").startswith("`refused bert: c =")
    assert about_word("AS") == ""
    assert about_builtin("size") == "`size(S)`: how many members; of a region: how many places"
    assert about_builtin("points") == ""
