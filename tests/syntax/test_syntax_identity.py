"""Printing and reading again changes nothing, for every rules file there is."""

import cProfile
from collections.abc import Callable
from pathlib import Path

import pytest
from syntax_helpers import HERE, all_rules, corpus, every_day, name_of, nodes, trivia_of

from closed_words import words_of
from rulewright.syntax import ast, format_text, parse, parse_expression, print_expr, print_file
from sampling import sample


def read(path: Path) -> str:
    return path.read_text(encoding="utf-8")


@pytest.mark.parametrize("path", every_day(all_rules(), sample(2, 1)), ids=name_of)
def test_print_then_parse_gives_the_same(path: Path) -> None:
    text = read(path)
    result = parse(text, path.name)
    assert result.diagnostics == ()
    printed = print_file(result.file)
    again = parse(printed, path.name)
    assert again.diagnostics == ()
    assert again.file == result.file
    assert print_file(again.file) == printed
    assert trivia_of(printed) == trivia_of(text)


@pytest.mark.parametrize("path", corpus(), ids=name_of)
def test_the_corpus_is_canonical(path: Path) -> None:
    assert format_text(read(path)) == read(path)


@pytest.mark.parametrize("path", sorted((HERE / "layout").glob("*.rules")), ids=name_of)
def test_layout(path: Path, golden: Callable[[Path, str], None]) -> None:
    golden(path.with_suffix(".formatted"), format_text(read(path)))


def test_the_corpus_has_every_construct() -> None:
    seen = {type(node).__name__ for path in corpus() for node in nodes(parse(read(path)).file)}
    wanted = {
        name
        for name, kind in vars(ast).items()
        if isinstance(kind, type) and issubclass(kind, ast.Node) and kind not in (ast.Node, ast.Clause, ast.RowEdit)
    }
    assert seen == wanted


@pytest.mark.parametrize("path", corpus(), ids=name_of)
def test_spans_point_at_the_text(path: Path) -> None:
    text = read(path)
    lines = text.split("\n")
    for node in nodes(parse(text, "here").file):
        span = node.span
        assert span.file == "here"
        assert (span.line, span.column) <= (span.end_line, span.end_column)
        if isinstance(node, ast.Name | ast.TypeName):
            assert lines[span.line - 1][span.column - 1 : span.end_column - 1] == node.name
        if isinstance(node, ast.Clause) and not isinstance(node, ast.File):
            assert lines[span.line - 1][span.column - 1] != " "


@pytest.mark.parametrize("path", corpus(), ids=name_of)
def test_expressions_stand_alone(path: Path) -> None:
    kinds = ast.Expr.__args__  # type: ignore[attr-defined]
    events = ("rolls", "move", "draw")  # what one can react to, but not compute
    for node in nodes(parse(read(path)).file):
        if isinstance(node, kinds) and not isinstance(node, ast.Entry):  # it stands in braces only
            text = print_expr(node)  # type: ignore[arg-type]
            if not text.startswith(events):
                assert parse_expression(text) == node


def test_a_large_game_is_read_in_linear_time() -> None:
    """Counted in calls, which are the same on every machine; twice a text may take twice as many, and a few more."""
    text = "\n".join(read(path) for path in corpus())
    assert text.count("\n") > 300
    once, twice = calls(lambda: parse(text)), calls(lambda: parse(text * 2))
    assert once > 1000
    assert twice < 2.2 * once


def calls(action: Callable[[], object]) -> int:
    """The number of functions called."""
    profile = cProfile.Profile()
    profile.runcall(action)
    return sum(entry.callcount for entry in profile.getstats())


def test_where_citations_go() -> None:
    text = """
procedure turn(p: Player)  @A-1
    if a  @A-2
        stop  @A-3
    else  @A-4
        x = (1 +  @A-5
            2)  @A-6
        @A-7
    if b then stop  @A-8
"""
    (turn,) = parse(text).file.decls
    assert isinstance(turn, ast.Callable)
    first, second = turn.body
    assert isinstance(first, ast.If)
    assert isinstance(second, ast.If)
    assert turn.trivia.cites == ("A-1",)
    assert first.trivia.cites == ("A-2", "A-4")
    assert dict(first.trivia.inner)["else"].cites == ("A-4",)
    assert first.branches[0].body[0].trivia.cites == ("A-3",)
    assert first.otherwise[0].trivia.cites == ("A-5", "A-6", "A-7")
    assert second.trivia.cites == ("A-8",)
    assert second.branches[0].body[0].trivia.cites == ()


def test_what_is_added_goes_on_behind_its_colon() -> None:
    """Long clauses are broken there, in overlays as elsewhere."""
    long = " and ".join(f"some_long_name_{i} is none" for i in range(9))
    text = format_text(f"with 3 players\n    add invariant a_name_that_is_long for clockwise in {'x' * 60}: {long}\n")
    assert parse(text).diagnostics == ()
    assert format_text(text) == text
    broken = "with 3 players\n    add invariant a:\n            b is none\n"
    assert parse(broken).diagnostics == ()


BEGINS_ANOTHER = {"+", "-", "in", "not in"}
"""Operators with which a line of its own can begin."""


@pytest.mark.parametrize("op", words_of(ast.Binary, "op"))
def test_a_line_goes_on_around_an_operator(op: str) -> None:
    alone = parse(f"query q() -> Int = a {op} b\n")
    assert alone.ok
    wanted = [type(node) for node in nodes(alone.file)]
    breaks = [f"a {op}\n        b"] + ([] if op in BEGINS_ANOTHER else [f"a\n        {op} b"])
    for text in breaks:
        broken = parse(f"query q() -> Int = {text}\n")
        assert broken.ok, text
        assert [type(node) for node in nodes(broken.file)] == wanted
