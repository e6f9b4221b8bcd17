"""The grammar itself: no conflicts, and its words are reserved."""

import pytest

from rulewright.syntax import ast, keywords, parse, parse_expression
from rulewright.syntax.tables.grammar import make_lark
from rulewright.syntax.tables.parse_tables import ALWAYS_WRONG, EXPRESSION, START, TRIVIA, grammar_text

VALUES = {"players", "place", "chance"}
"""Words of the language that are values too."""


def test_the_grammar_is_free_of_conflicts() -> None:
    make_lark(grammar_text(), (START, EXPRESSION), (*TRIVIA, *ALWAYS_WRONG), strict=True)


@pytest.mark.parametrize("word", sorted(keywords()))
def test_words_are_reserved(word: str) -> None:
    text = f"game g\nprocedure p\n    let {word} = 3\n    stop\nquery q = 3\n"
    result = parse(text)
    assert [(d.code, d.span.line, d.span.column) for d in result.diagnostics] == [("SYN002", 3, 9)]
    assert f"`{word}`" in result.diagnostics[0].message
    assert len(result.file.decls) == 3


@pytest.mark.parametrize("word", sorted(keywords()))
def test_any_word_may_stand_behind_a_dot(word: str) -> None:
    assert parse_expression(f"x.{word}") == ast.Dot(ast.Name("x"), word)


@pytest.mark.parametrize("word", sorted(VALUES))
def test_some_words_are_values_too(word: str) -> None:
    assert parse_expression(word) == ast.Name(word)


def test_words_of_phrases_are_free() -> None:
    names = ["number", "any", "most", "up", "face", "top", "on", "a", "an", "row", "ring", "order", "many", "empty"]
    for name in names:
        assert parse_expression(f"{name}[x] + {name}") is not None


def test_a_word_used_as_a_name_is_said_once() -> None:
    text = "field step: Int = 0\nprocedure p\n    step += 1\n    move step to x\n    forbid y: step is 3\n"
    found = parse(text).diagnostics
    assert [(d.code, d.span.line) for d in found] == [("SYN002", 1)]
