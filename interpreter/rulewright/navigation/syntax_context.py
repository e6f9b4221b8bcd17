"""The syntax at a position of a text that is being written: what stands before it, and what can follow."""

from __future__ import annotations

import re
from dataclasses import dataclass

from rulewright.diagnostics import Report
from rulewright.syntax.lalr.contextual_words import frames, read_as_names
from rulewright.syntax.lalr.machine import machine
from rulewright.syntax.lexer.logical_lines import Line, read_lines, unreserve_stop
from rulewright.syntax.lexer.token import Token
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


__all__ = ["Context", "context_at", "phrases"]
