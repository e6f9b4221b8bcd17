"""The syntax at a position of a text that is being written: what stands before it, and what can follow."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property, lru_cache

from rulewright.diagnostics import Report, Span
from rulewright.foundation import limits
from rulewright.syntax.builder.expression_builder import words_in_holes
from rulewright.syntax.lalr.machine import frames, machine, read_as_names
from rulewright.syntax.lexer.logical_lines import Line, read_lines, unreserve_stop
from rulewright.syntax.lexer.tokens import Token, scanner
from rulewright.syntax.tables.parse_tables import words

_PARTIAL = re.compile(r"@[\w.\-]*\Z|[A-Za-z_]\w*\Z")
_STANDS_FOR = "zz_here"
"""The name that is read in place of the word that is being written."""


@dataclass(frozen=True, slots=True)
class Context:
    """A position as the grammar sees it."""

    partial: str
    """The part of a word that stands before it."""
    start: int
    """The column at which that part begins."""
    before: tuple[Token, ...]
    """The words of the clause before that part."""
    head: str
    """The declaration that it belongs to: the type of its first word."""
    first_line: int
    """The line on which that begins."""
    indent: int
    accepted: frozenset[str]
    """The tokens that the grammar takes here."""
    quoted: bool
    """True inside a text between quotes, or in a comment."""


def context_at(text: str, line: int, column: int) -> Context:
    """A position as the grammar sees it. Lines before it that cannot be parsed are passed over."""
    lines = text.split("\n")[:line]
    current = lines[-1][: column - 1] if lines else ""
    partial = _PARTIAL.search(current)
    word = partial[0] if partial is not None else ""
    kept = current[: len(current) - len(word)]
    top = next((n for n in range(len(lines) - 1, -1, -1) if lines[n][:1].strip() and lines[n][0] != "#"), 0)
    indent = len(kept) - len(kept.lstrip())
    read = read_lines("\n".join([*lines[top:-1], f"{kept}{_STANDS_FOR}"]), "", Report()).lines
    start = len(kept) + 1
    if not read or read[-1].tokens[-1] != _STANDS_FOR:
        return Context(word, start, (), "", top + 1, indent, frozenset(), True)
    *kept_tokens, here = read[-1].tokens
    before = tuple(kept_tokens)
    if read[0].head == "SCENARIO":
        for one in read:
            one.tokens = unreserve_stop(one.tokens)
    read[-1].tokens = list(before)
    if before:
        read_as_names(read, partial=True)
    before = tuple(read[-1].tokens)
    read[-1].tokens.append(here)
    head = read[0].head if read[0].tokens[0] != _STANDS_FOR else ""
    return Context(word, start, before, head, top + 1, indent, frozenset(_accepted(read)), False)


def _accepted(lines: list[Line]) -> set[str]:
    """The tokens that fit in place of the last one."""
    lines = list(lines)
    while True:
        states = machine()
        stack = list(states.first)
        failed = -1
        for index, (before, line) in enumerate(frames(lines)):
            last = index == len(lines) - 1
            types = [t.type for t in (line.tokens[:-1] if last else line.tokens)]
            if not all(states.step(stack, name) for name in [*before, *types, *([] if last else ["_NL"])]):
                failed = index
                break
        if failed < 0:
            return states.accepts(stack)
        if failed == len(lines) - 1:
            # A block that has lost all its lines cannot end: then the line above it goes, too.
            failed -= 1
        if failed <= 0:
            return set()
        del lines[failed]


def phrases(accepted: frozenset[str]) -> list[str]:
    """The words of the language among some tokens."""
    texts = (words()[name] for name in accepted if name in words())
    return sorted(text for text in texts if text.replace(" ", "").replace("_", "").isalpha())


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
    strings = [t for clause in clauses if any(t.type == "TELLS" for t in clause) for t in clause if t.type == "STRING"]
    holes = [words for token in strings for words in words_in_holes(token)]
    return SourceTokens((*clauses, *holes), tuple(trivia))


_APART = ("CITE", "COMMENT")
