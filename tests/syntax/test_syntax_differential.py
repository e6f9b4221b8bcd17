"""The scanner and the parser do what lark's own do: the same tokens, the same trees between the same tokens, and the
same place where a text does not go on. Only their loops are ours; the grammar and the tables are lark's."""

from __future__ import annotations

import random
import re
from pathlib import Path
from typing import Any

import lark
import pytest
import syntax_helpers
import syntax_strategies as rules
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from syntax_helpers import ROOT, all_rules, every_day, name_of

from rulewright.diagnostics import Report
from rulewright.syntax import ast, keywords, print_expr, print_file
from rulewright.syntax.lalr.machine import END, Tree, frames, machine, names_in, read_as_names
from rulewright.syntax.lexer.logical_lines import Line, read_lines, unreserve_stop
from rulewright.syntax.lexer.tokens import Token, scanner
from rulewright.syntax.parser.expectations import SyntaxFailure
from rulewright.syntax.parser.recovery import Recovery, framed_tokens, locate
from rulewright.syntax.tables.parse_tables import EXPRESSION, START
from sampling import sample

CASES = sorted((ROOT / "tests" / "language" / "cases").glob("*.cases"))
PIECES = [*sorted(keywords()), "x", "Knight", "True", "3", '"a"', *"()[]{}:,=.+-*/|<>&ö\r\t\"", "..", "->", "+=", "==",
          "===", "!=", "<=", "at  most", "any number of", "is a", "is an", "is not a", "is  empty", "seen", "seen by",
          "out", "face up", "# c", "@A-1", "x9_", "9x", "myVar", "_", '"open', "\n", "\n    ", "\n        ",
          "  "]  # fmt: skip


# ---------------------------------------------------------------------------------------------------- lark's route


def reference_tokens(text: str) -> list[tuple[object, ...]]:
    lexer: Any = syntax_helpers.lark().parse_interactive(text, start=START).lexer_thread
    return [
        (t.type, str(t), t.line, t.column, t.end_line, t.end_column) for t in lexer.lex(None) if t.type != "NEWLINE"
    ]


def reference_tree(tokens: list[Token], start: str) -> Any:
    """Lark's tree, or the number of the token that it does not take."""
    parser: Any = syntax_helpers.lark().parse_interactive(start=start)
    for number, token in enumerate(tokens):
        fed = lark_token(token)
        try:
            if token.type == END:
                return parser.feed_eof(fed)
            parser.feed_token(fed)
        except lark.UnexpectedToken:
            return number
    raise AssertionError("there is no end")


def lark_token(token: Token) -> lark.Token:
    return lark.Token(token.type, token.value, 0, token.line, token.column, token.line, token.end_column, 0)


# ---------------------------------------------------------------------------------------------------- comparison


def compare_tokens(text: str) -> None:
    ours = [
        (t.type, t.value, t.line, t.column, t.line, t.end_column)
        for number, line in enumerate(text.split("\n"), 1)
        for t in scanner().scan(line, number)
    ]
    assert ours == reference_tokens(text)


def shape(tree: object) -> object:
    """A tree of ours in the form of :func:`reference_shape`."""
    if isinstance(tree, Tree):
        place = (tree.first.line, tree.first.column, tree.last.line, tree.last.end_column)
        return (tree.data, place, [shape(child) for child in tree.children])
    return None if tree is None else (tree.type, tree.value, tree.line, tree.column)  # type: ignore[attr-defined]


def reference_shape(tree: Any) -> object:
    if isinstance(tree, lark.Tree):
        place = (tree.meta.line, tree.meta.column, tree.meta.end_line, tree.meta.end_column)
        return (str(tree.data), place, [reference_shape(child) for child in tree.children])
    return None if tree is None else (tree.type, str(tree), tree.line, tree.column)


def compare_trees(lines: list[Line]) -> bool:
    """True if the lines fit; fails if the parsers differ."""
    tokens = framed_tokens(lines)
    expected = reference_tree(tokens, START)
    found = machine().parse(tokens)
    if found is not None:
        assert shape(found) == reference_shape(expected)
        return True
    assert expected in numbers_of(locate(lines))
    return False


def numbers_of(trouble: SyntaxFailure) -> range:
    """The tokens that may be the one that does not fit: those that frame a line are not told apart."""
    framed = [(len(before), len(line.tokens) + 1) for before, line in frames(trouble.lines)]
    start = sum(map(sum, framed[: trouble.index]))
    if trouble.position < 0:
        return range(start, start + len(trouble.before))
    start += framed[trouble.index][0] + trouble.position
    return range(start, start + 1)


def chunks(text: str) -> list[list[Line]]:
    """The lines of each declaration, as they are parsed."""
    report = Report()
    recovery = Recovery("f", report)
    found = list(recovery._chunks(read_lines(text, "f", report).lines))
    for chunk in found:
        if chunk[0].head == "SCENARIO":
            for line in chunk:
                line.tokens = unreserve_stop(line.tokens)
        recovery._straighten(chunk)
        if machine().parse(framed_tokens(chunk)) is None:
            read_as_names(chunk)
    return found


def compare(text: str) -> list[bool]:
    """Compare all of a text, declaration by declaration; gives for each whether it fits."""
    compare_tokens(text)
    return [compare_trees(chunk) for chunk in chunks(text)]


def damaged(text: str, seed: int) -> str:
    """A text with some pieces exchanged, left out or doubled."""
    rng = random.Random(seed)
    pieces = re.findall(r'"[^"\n]*"|\w+|\n *| +|.', text)
    for _ in range(rng.randint(1, 25)):
        if not pieces:
            break
        at = rng.randrange(len(pieces))
        pieces[at : at + rng.choice((0, 1, 1, 2))] = rng.choice(([], [rng.choice(PIECES)], [" ", rng.choice(pieces)]))
    return "".join(pieces)


# ---------------------------------------------------------------------------------------------------- tests


@pytest.mark.parametrize("path", every_day([*all_rules(), *CASES], sample(3, 1)), ids=name_of)
def test_every_file(path: Path) -> None:
    text = path.read_text("utf-8")
    compare_tokens(text)
    fits = [compare_trees(chunk) for chunk in chunks(text)[:8]]
    assert all(fits) or path.suffix == ".cases"  # there, what is said about the rules stands between them


@settings(max_examples=sample(40, 80), suppress_health_check=list(HealthCheck))
@given(st.lists(st.sampled_from(PIECES), max_size=40), st.booleans())
def test_any_words(pieces: list[str], apart: bool) -> None:
    compare((" " if apart else "").join(pieces))


@settings(max_examples=sample(50, 100), suppress_health_check=list(HealthCheck))
@given(st.text(max_size=60))
def test_any_text(text: str) -> None:
    compare_tokens(text)


@settings(max_examples=sample(15, 30), suppress_health_check=list(HealthCheck))
@given(rules.files, st.integers(0, 2**32))
def test_trees_that_are_drawn(file: ast.File, seed: int) -> None:
    text = print_file(file)
    assert all(compare(text))
    if text.strip():
        compare(damaged(text, seed))


@settings(max_examples=sample(15, 30), suppress_health_check=list(HealthCheck))
@given(rules.expressions)
def test_expressions(expr: ast.Expr) -> None:
    tokens = [token for line in read_lines(print_expr(expr), "e", Report()).lines for token in line.tokens]
    states = machine(EXPRESSION)
    if states.parse([*tokens, tokens[-1].like(END, "")]) is None:
        tokens = names_in(states, states.first, tokens, [END]) or tokens
    tokens.append(tokens[-1].like(END, ""))
    assert shape(machine(EXPRESSION).parse(tokens)) == reference_shape(reference_tree(tokens, EXPRESSION))


@pytest.mark.parametrize("seed", range(15))
def test_damaged_files(seed: int) -> None:
    rng = random.Random(seed)
    lines = rng.choice(all_rules()).read_text("utf-8").split("\n")
    start = rng.randrange(max(1, len(lines) - 60))
    compare(damaged("\n".join(lines[start : start + 60]) + "\n", seed))
