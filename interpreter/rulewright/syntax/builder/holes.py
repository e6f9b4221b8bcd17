"""Expressions in the holes of a text: ``"{p} builds a castle in {place}"``."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

from rulewright.diagnostics import Report, Span
from rulewright.syntax import ast
from rulewright.syntax.lalr.contextual_words import names_in
from rulewright.syntax.lalr.machine import END, machine
from rulewright.syntax.lalr.parse_tree import Tree
from rulewright.syntax.lexer.logical_lines import read_lines, unreserve_stop
from rulewright.syntax.lexer.token import Token
from rulewright.syntax.tables.parse_tables import EXPRESSION

_HOLE = re.compile(r"\{([^{}]*)\}")


class WrongHole(Exception):
    """No expression stands between two braces."""

    def __init__(self, message: str, span: Span) -> None:
        super().__init__(message)
        self.message = message
        self.span = span


def words_and_values(
    token: Token, file: str, expr: Callable[[Tree[Token]], ast.Expr]
) -> tuple[tuple[str, ...], tuple[ast.Expr, ...]]:
    """The words of a quoted text around its holes, one more than there are holes, and the expressions in these.

    They stand where they stand in the file, so that messages and editors find them there.
    """
    words, values, end = [], [], 1
    for hole in _HOLE.finditer(token.value):
        words.append(_plain(token, file, end, hole.start()))
        values.append(expr(_parsed(token, file, hole)))
        end = hole.end()
    return (*words, _plain(token, file, end, len(token.value) - 1)), tuple(values)


def words_in_holes(token: Token) -> Iterator[tuple[Token, ...]]:
    """The words in each hole of a quoted text, where they stand in the file; none of a hole without an expression."""
    for hole in _HOLE.finditer(token.value):
        found = _words(token, "", hole, Report())
        read = _named(found) if found else None
        if read is not None:
            yield tuple(read[0])


def _plain(token: Token, file: str, start: int, end: int) -> str:
    words = token.value[start:end]
    for at, letter in enumerate(words):
        if letter in "{}":
            raise WrongHole(
                f"`{letter}` without its pair: an expression stands between `{{` and `}}`",
                _at(token, file, start + at, 1),
            )
    return words


def _parsed(token: Token, file: str, hole: re.Match[str]) -> Tree[Token]:
    report = Report()
    found = _words(token, file, hole, report)
    read = _named(found) if found and not report.found else None
    if read is None:
        shown = hole[1].strip() or "nothing"
        where = _at(token, file, hole.start(1), len(hole[1]))
        raise WrongHole(f"expected an expression between `{{` and `}}`, not `{shown}`", where)
    inside = read[1].children[0]
    assert isinstance(inside, Tree)
    return inside


def _words(token: Token, file: str, hole: re.Match[str], report: Report) -> list[Token]:
    """The words of a hole, where they stand in the file."""
    inner = hole[1]
    before = token.column + hole.start(1) + len(inner) - len(inner.lstrip()) - 1
    lines = read_lines(inner.strip(), file, report).lines if not set(inner) & {"#", "@"} else []
    return [
        Token(t.type, t.value, token.line, before + t.column, before + t.end_column)
        for line in lines
        for t in unreserve_stop(line.tokens)
    ]


def _named(tokens: list[Token]) -> tuple[list[Token], Tree[Token]] | None:
    """The words of an expression, those of the language that are names here as names, and its tree; None if they are
    no expression."""
    states, end = machine(EXPRESSION), tokens[-1].like(END, "")
    tree = states.parse([*tokens, end])
    if tree is None and (named := names_in(states, states.first, tokens, [END])) is not None:
        tokens, tree = list(named), states.parse([*named, end])
    return None if tree is None else (tokens, tree)


def _at(token: Token, file: str, start: int, length: int) -> Span:
    column = token.column + start
    return Span(file, token.line, column, token.line, column + max(length, 1))
