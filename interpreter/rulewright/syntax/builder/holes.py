"""Expressions in the holes of a text: ``"{p} builds a castle in {place}"``."""

from __future__ import annotations

import re
from collections.abc import Callable

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
    inner = hole[1]
    before = hole.start(1) + len(inner) - len(inner.lstrip())
    where = _at(token, file, hole.start(1), len(inner))
    report = Report()
    lines = read_lines(inner.strip(), file, report).lines if not set(inner) & {"#", "@"} else []
    found = [
        Token(
            t.type, t.value, token.line, token.column + before + t.column - 1, token.column + before + t.end_column - 1
        )
        for line in lines
        for t in unreserve_stop(line.tokens)
    ]
    tree = _tree(found) if found and not report.found else None
    if tree is None:
        shown = inner.strip() or "nothing"
        raise WrongHole(f"expected an expression between `{{` and `}}`, not `{shown}`", where)
    inside = tree.children[0]
    assert isinstance(inside, Tree)
    return inside


def _tree(tokens: list[Token]) -> Tree[Token] | None:
    states, end = machine(EXPRESSION), tokens[-1].like(END, "")
    tree = states.parse([*tokens, end])
    if tree is None and (named := names_in(states, states.first, tokens, [END])) is not None:
        tree = states.parse([*named, end])
    return tree


def _at(token: Token, file: str, start: int, length: int) -> Span:
    column = token.column + start
    return Span(file, token.line, column, token.line, column + max(length, 1))
