"""Random rules are read as they were written, and random texts never break the parser."""

from __future__ import annotations

import gc
import random
from typing import Any

import pytest
import syntax_strategies as rules
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from syntax_helpers import corpus, nodes

from rulewright.syntax import ast, format_text, keywords, parse, parse_expression, print_expr, print_file
from rulewright.syntax.printer.line_layout import WIDTH
from sampling import sample


def runs(count: int) -> Any:
    return settings(max_examples=sample(count // 4, count), suppress_health_check=list(HealthCheck))


@runs(400)
@given(rules.expressions)
def test_expressions(expr: ast.Expr) -> None:
    assert parse_expression(print_expr(expr)) == expr


@runs(400)
@given(rules.files)
def test_files(file: ast.File) -> None:
    printed = print_file(file)
    result = parse(printed)
    assert result.diagnostics == ()
    assert result.file == file
    assert print_file(result.file) == printed


@runs(200)
@given(rules.files)
def test_nothing_is_lost(file: ast.File) -> None:
    before, after = (_trivia(f) for f in (file, parse(print_file(file)).file))
    assert before == after


def _trivia(file: ast.File) -> tuple[list[str], list[str]]:
    found = [n.trivia for n in nodes(file) if isinstance(n, ast.Clause)]
    found += [inner for t in found for _, inner in t.inner]
    cites = [c for t in found for c in t.cites]
    comments = [c for t in found for c in (*t.comments, *t.below, *([] if t.behind is None else [t.behind]))]
    return sorted(cites), sorted(c for c in comments if c != "\n")


@runs(150)
@given(rules.files)
def test_long_lines_are_broken_where_they_can_be(file: ast.File) -> None:
    for line in print_file(file).split("\n"):
        code = line.split("#")[0].split("  @")[0].rstrip()
        assert len(code) <= WIDTH or " and " not in code.replace('"', "")


@pytest.mark.parametrize("enabled", [True, False])
@pytest.mark.parametrize("text", ["game g\n", "nonsense\n", "\ud800"])
def test_the_collector_is_left_as_it_was(text: str, enabled: bool) -> None:
    before = gc.isenabled()
    try:
        (gc.enable if enabled else gc.disable)()
        parse(text)
        assert gc.isenabled() == enabled
    finally:
        (gc.enable if before else gc.disable)()


@runs(300)
@given(st.text(max_size=200))
def test_any_text(text: str) -> None:
    _survives(text)


words = st.sampled_from(
    [*sorted(keywords()), "x", "Knight", "3", '"a"', "(", ")", "[", "]", "{", "}", ":", ",", "=", "..", ".", "->", "+",
     "any number of", "is a", "# c", "@A-1", "\n", "\n    ", "\n        ", "\n  ", "\t", "==", "ö", '"', "myVar"]
)  # fmt: skip


@runs(300)
@given(st.lists(words, max_size=40))
def test_any_words(found: list[str]) -> None:
    _survives(" ".join(found))


@pytest.mark.parametrize("seed", range(60))
def test_damaged_files(seed: int) -> None:
    """Letters, words and lines of real rules are left out, doubled and swapped."""
    chance = random.Random(seed)
    text = chance.choice(corpus()).read_text(encoding="utf-8")
    start = chance.randrange(len(text) - 500)
    text = text[start : start + 1500]
    for _ in range(chance.randint(1, 6)):
        between = chance.choice(["", "", " ", "\n"])
        parts = text.split(between) if between else list(text)
        spot, other = chance.randrange(len(parts)), chance.randrange(len(parts))
        how = chance.randrange(3)
        if how == 0:
            del parts[spot]
        elif how == 1:
            parts.insert(spot, parts[other])
        else:
            parts[spot], parts[other] = parts[other], parts[spot]
        text = between.join(parts)
    _survives(text)


def _survives(text: str) -> None:
    result = parse(text, "here")
    for found in result.diagnostics:
        assert found.code.startswith("SYN")
        assert found.message
        assert 1 <= found.span.line <= text.count("\n") + 1
        assert found.span.column >= 1
    lines = [d.span.line for d in result.diagnostics if d.code not in ("SYN003", "SYN010")]
    assert len(lines) == len(set(lines)) or any(d.code == "SYN011" for d in result.diagnostics)
    if not result.diagnostics:
        printed = print_file(result.file)
        assert parse(printed).file == result.file
        assert format_text(printed) == printed
