"""The grammar itself: no conflicts, and its words are reserved."""

import pytest

from rulewright.navigation.syntax_context import tokens_of
from rulewright.syntax import ast, keywords, parse, parse_expression, print_expr, print_file, reserved_words
from rulewright.syntax.tables.grammar import make_lark
from rulewright.syntax.tables.parse_tables import ALWAYS_WRONG, EXPRESSION, START, TRIVIA, grammar_text

VALUES = {"players", "place", "chance"}
"""Words of the language that are values too."""


def test_the_grammar_is_free_of_conflicts() -> None:
    make_lark(grammar_text(), (START, EXPRESSION), (*TRIVIA, *ALWAYS_WRONG), strict=True)


@pytest.mark.parametrize("word", sorted(reserved_words()))
def test_words_are_reserved(word: str) -> None:
    text = f"game g\nprocedure p\n    let {word} = 3\n    stop\nquery q = 3\n"
    result = parse(text)
    assert [(d.code, d.span.line, d.span.column) for d in result.diagnostics] == [("SYN002", 3, 9)]
    assert f"`{word}`" in result.diagnostics[0].message
    assert len(result.file.decls) == 3


NAMED = """game {0}
players 2
param {0}_ = 1
enum Door: {0}, shut
piece Card from "cards.json"
    {0}: 1..3
    worth: Int = {0}
field {0}: Int = 0
field other[{0}: Player]: Int = 0, seen by {0}
zone hand[{0}: Player]: set of Card, at most {0}, seen by {0}
map Board: grid {0} by {0} of Cell
query {0}({0}: Int) -> Int = {0} + {0} * 2 if {0} > 3 and {0} is not 4 else {0}({0})
query long({0}: Int) -> Int = {0} + {0} + {0} + {0} + {0} + {0} + {0} + {0} + {0} + {0} + {0} + {0} + {0} + {0}
value strength({0}: Int) -> Int = {0}
    {0}: + {0} when {0}
procedure {0}({0}: Int), open {0}
    let {0} = 3
    {0} = {0} + 1
    {0}[{0}] += {0}
    {0}({0})
    {0}.{0}
    if {0} then {0}({0})
    each {0} in {0} where {0} by {0}
        move {0} from {0} to {0}
        draw {0} from {0} to {0} as {0}
    {0} chooses {0} from {0} where {0}
        forbid {0}: {0}
        obey {0}({0})
    match {0}
        {0}, shut: {0}({0})
    step {0}
        stop {0}
reaction {0} before {0}({0}), by {0} with {0} in {0} where {0}
    finish with winner {0}
reaction {0} instead of {0}({0})
    do nothing
consequence {0} for {0} in {0} when {0}
    {0}({0})
end {0} for {0} in {0} when {0}, after {0}
    {0}({0})
invariant {0} for {0} in {0}: {0}
variant "v" of {0}
    set {0} = 3
    remove {0}.{0}
    before {0}.{0}
        {0}({0})
    unchanged {0}
scenario "s"
    players {0}, anna
    given {0} = {0}, {0}[{0}] = {0}
    start {0}({0})
    when {0}: {0} = {0}
    offered {0}: {0} = {{{0}, pass}}
    refused {0}: {0} = {0} because {0}.{0}
    then {0} is {0}
    wins {0}
"""
"""A name in all sorts of places."""


@pytest.mark.parametrize("word", sorted(keywords().keys() - reserved_words()))
def test_the_other_words_are_names_where_a_name_can_stand(word: str) -> None:
    text = NAMED.format(word)
    result = parse(text)
    assert [f"{d.span.line}: {d.message}" for d in result.diagnostics] == []
    other = "q" * len(word)
    assert print_file(result.file) == print_file(parse(NAMED.format(other)).file).replace(other, word)
    assert {t.value for t in tokens_of(text).tokens if t.type == "NAME"} >= {word}
    assert print_expr(parse_expression(f"{word} is {word}[{word}]")) == f"{word} is {word}[{word}]"


def test_a_line_that_does_not_fit_keeps_its_words() -> None:
    for text, said in (
        ("procedure p\n    move x\n", "expected"),
        ("procedure p\n    open\n", "expected"),
        ("procedure p\n    field gold: Int\n", "not `field`"),
    ):
        (found,) = parse(text).diagnostics
        assert found.code == "SYN001"
        assert said in found.message


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
    text = "field match: Int = 0\nprocedure p\n    match += 1\n    move match to x\n    forbid y: match is 3\n"
    found = parse(text).diagnostics
    assert [(d.code, d.span.line) for d in found] == [("SYN002", 1)]
