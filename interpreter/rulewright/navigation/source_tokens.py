"""The words of a rules file with their places: also in a text that cannot be parsed."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property, lru_cache

from rulewright.diagnostics import Report, Span
from rulewright.foundation import limits
from rulewright.syntax.builder.holes import words_in_holes
from rulewright.syntax.lalr.contextual_words import read_as_names
from rulewright.syntax.lexer.logical_lines import Line, read_lines
from rulewright.syntax.lexer.scanner import scanner
from rulewright.syntax.lexer.token import Token


@dataclass(frozen=True)
class SourceTokens:
    """The words of a text."""

    clauses: tuple[tuple[Token, ...], ...]
    """The words and signs of each clause, from however many lines; at the end those in the holes of told sentences."""
    trivia: tuple[Token, ...]
    """Citations and comments."""

    @cached_property
    def tokens(self) -> tuple[Token, ...]:
        """All words, citations and comments, in order."""
        inside = [token for clause in self.clauses for token in clause]
        return tuple(sorted((*inside, *self.trivia), key=_start))

    @cached_property
    def _starts(self) -> list[tuple[int, int]]:
        return [_start(token) for token in self.tokens]

    @cached_property
    def _clause_of(self) -> dict[tuple[int, int], tuple[int, int]]:
        return {_start(t): (n, i) for n, clause in enumerate(self.clauses) for i, t in enumerate(clause)}

    def at(self, line: int, column: int) -> Token | None:
        """The word at a position; of two that touch it the name, else the second."""
        index = bisect_right(self._starts, (line, column))
        near = [t for t in self.tokens[max(index - 2, 0) : index] if t.line == line and t.end_column >= column]
        named = [t for t in near if t.type in ("NAME", "TYPE", "CITE", "STRING")]
        return next(reversed(named or near), None)

    def clause(self, token: Token) -> tuple[tuple[Token, ...], int]:
        """The clause of a word, and its position there; a citation or comment is alone."""
        found = self._clause_of.get(_start(token))
        return ((token,), 0) if found is None else (self.clauses[found[0]], found[1])

    def within(self, span: Span) -> Iterator[Token]:
        """The words of a stretch of the file."""
        index = bisect_right(self._starts, (span.line, span.column - 1))
        for token in self.tokens[index:]:
            if (token.line, token.end_column) > (span.end_line, span.end_column):
                return
            yield token


def _start(token: Token) -> tuple[int, int]:
    return token.line, token.column


@lru_cache(maxsize=256)
def tokens_of(text: str) -> SourceTokens:
    """The words of a text; none of one that is too large to be read at all."""
    text = text.removeprefix("\ufeff").replace("\r\n", "\n")
    if len(text) > limits.RULES_CHARACTERS:
        return SourceTokens((), ())
    read = read_lines(text, "", Report())
    chunk: list[Line] = []
    for line in read.lines:
        if line.indent == 0 and chunk:
            read_as_names(chunk)
            chunk = []
        chunk.append(line)
    read_as_names(chunk)
    scan = scanner().scan
    lines = enumerate(text.split("\n"), 1)
    trivia = [t for n, line in lines if "#" in line or "@" in line for t in scan(line, n) if t.type in _APART]
    clauses = [tuple(line.tokens) for line in read.lines]
    told = [t for clause in clauses if any(t.type == "TELLS" for t in clause) for t in clause if t.type == "STRING"]
    holes = [words for token in told for words in words_in_holes(token)]
    return SourceTokens((*clauses, *holes), tuple(trivia))


_APART = ("CITE", "COMMENT")

__all__ = ["SourceTokens", "tokens_of"]
