"""Cuts a line of a file into words and signs. Any text can be cut: characters that fit nowhere are tokens as well."""

from __future__ import annotations

from functools import lru_cache

from rulewright.syntax.lexer.token import Token
from rulewright.syntax.tables.parse_tables import ScannerTables, tables


class Scanner:
    """Cuts lines into tokens, with one pattern for all of them."""

    def __init__(self, tables: ScannerTables) -> None:
        self._find = tables.pattern.finditer
        self._types = (None, *tables.types)  # groups of a pattern count from 1
        self._texts = tables.texts
        self._reserved = tables.reserved

    def scan(self, line: str, number: int) -> list[Token]:
        """All tokens of a line, including comments, citations and whatever is always wrong."""
        types, texts, reserved = self._types, self._texts, self._reserved
        tokens = []
        for match in self._find(line):
            group = match.lastindex
            if group is None:  # the end of the line, with all blanks before it
                break
            text = match[group]
            type = types[group]
            if type is None:
                type = texts.get(text) or texts[" ".join(text.split())]
            elif type in reserved:
                type = reserved[type].get(text, type)
            end = match.end() + 1
            tokens.append(Token(type, text, number, end - len(text), end))
        return tokens


@lru_cache(maxsize=1)
def scanner() -> Scanner:
    """The scanner of the one grammar."""
    return Scanner(tables().scanner)
