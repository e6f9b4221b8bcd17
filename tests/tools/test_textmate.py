"""The TextMate grammar of editors is made from the words of the language, and colours each of them."""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from rulewright.navigation.vocabulary import Role, Word, vocabulary
from rulewright_tools.console import json_text
from rulewright_tools.textmate import textmate_grammar

GRAMMAR = Path(__file__).parents[2] / "tools" / "vscode" / "syntaxes" / "rulewright.tmLanguage.json"
NAMES = {"variable.other", "entity.name.function", "entity.name.label", "entity.name.type"}
RULES = sorted((Path(__file__).parents[2] / "rulesets").rglob("*.rules"))


@cache
def patterns() -> list[tuple[re.Pattern[str], dict[str, Any]]]:
    listed: Any = textmate_grammar()["patterns"]
    return [(re.compile(each["match"]), each) for each in listed]


def scopes(line: str) -> list[tuple[str, str]]:
    """The texts of a line with their scopes: an editor takes the pattern that matches first, and the first of those."""
    found, at = [], 0
    while at < len(line):
        matches = [(match, p) for pattern, p in patterns() if (match := pattern.search(line, at)) and match[0].strip()]
        if not matches:
            break
        match, pattern = min(matches, key=lambda pair: pair[0].start())
        if "name" in pattern:
            found.append((match[0], str(pattern["name"])))
        else:
            found += [(match[int(n)], c["name"]) for n, c in pattern["captures"].items() if match[int(n)]]
        at = match.end()
    return [(text, scope.removesuffix(".rulewright")) for text, scope in found]


def test_the_committed_grammar_is_the_generated_one(golden: Callable[[Path, str], None]) -> None:
    """If this fails: run it once with `--update-goldens`."""
    golden(GRAMMAR, json_text(textmate_grammar()) + "\n")


def line_with(word: Word) -> str:
    """A line in which a word has its meaning, and where it stands behind other words, if it may."""
    after = " Tile" if word.pattern.endswith("[A-Z])") else " (" if Role.FUNCTION in word.roles else " black"
    if ahead := re.search(r"\(\?= \+(of|to)\\b", word.pattern):
        after = f" {ahead[1]} Tile"
    begins = {Role.DECLARATION, Role.CLAUSE, Role.SCENARIO, Role.PREFIX} & word.roles
    return ("" if begins else "x ") + word.text + after


def test_every_word_is_coloured() -> None:
    words = vocabulary().words
    assert len(words) > 150
    for word in words:
        found = dict(scopes(line_with(word)))
        assert found.get(word.text) not in {None, *NAMES}, word.text
        if Role.SCENARIO in word.roles:
            assert dict(scopes(f"x {word.text} y"))[word.text] in NAMES
        else:
            assert dict(scopes(f"x y.{word.text}")).get(word.text) != found[word.text], word.text


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("add query goal = 20", {"add": "keyword.control", "query": "storage.type", "goal": "entity.name.function"}),
        (
            "    let open = die + field[x]",
            {"open": "variable.other", "die": "variable.other", "field": "variable.other"},
        ),
        ("    start = given and before is end", dict.fromkeys(("start", "given", "before", "end"), "variable.other")),
        ("procedure p, open clockwise from q", {"open": "keyword.other"}),
        ("reaction r before strike(v), by p", {"before": "keyword.other", "by": "keyword.other"}),
        ("    given gold[p] = 3", {"given": "keyword.control"}),
        ("move 2 of x to y if z", {"move": "keyword.control", "2": "constant.numeric", "if": "keyword.operator.word"}),
        ('piece Tile from "tiles.json"', {"piece": "storage.type", "from": "keyword.other"}),
        ('    from "another scenario"', {"from": "keyword.control"}),
        (
            "if n > 3 then stop",
            {"then": "keyword.control", "if": "keyword.control", ">": "keyword.operator", "stop": "keyword.control"},
        ),
        ("reaction r after draw(p)", {"draw": "support.function", "after": "keyword.operator.word"}),
        ("zone hand: set of Card", {"hand": "entity.name.function", "set of": "keyword.other"}),
        ("    forbid taken: x != y  # no", {"taken": "entity.name.label", "!=": "invalid.illegal"}),
        ("players 2 to 4  @TW-1.a", {"players": "storage.type", "@TW-1.a": "entity.other.attribute-name.citation"}),
    ],
)
def test_lines(line: str, expected: dict[str, str]) -> None:
    found = dict(scopes(line))
    assert {text: found.get(text) for text in expected} == expected


def test_words_follow_the_grammar() -> None:
    roles = {word.text: word.roles for word in vocabulary().words}
    assert roles["procedure"] == {Role.DECLARATION}
    assert roles["forbid"] == {Role.CLAUSE}
    assert roles["from"] == {Role.CLAUSE, Role.PARTICLE}
    assert roles["if"] == {Role.CLAUSE, Role.OPERATOR}
    assert roles["count"] == {Role.FUNCTION}
    assert roles["is not empty"] == {Role.OPERATOR}
    assert roles["none"] == {Role.CONSTANT}
    assert roles["add"] == {Role.CLAUSE, Role.PREFIX}
    assert roles["any number of"] == {Role.PARTICLE}
    assert {word.text for word in vocabulary().having(Role.SCENARIO)} == {"seen", "hidden", "out"}


def test_nothing_in_the_shipped_rules_is_left_out() -> None:
    """Every letter that is no blank has a scope, and none is called wrong."""
    lines = {line for path in RULES[::5] for line in path.read_text("utf-8").split("\n")[::7]}
    assert len(lines) > 100
    for line in sorted(lines):
        found = scopes(line)
        assert "".join(text for text, _ in found).replace(" ", "") == line.replace(" ", "")
        assert "invalid.illegal" not in dict(map(reversed, found)), line  # type: ignore[arg-type]
