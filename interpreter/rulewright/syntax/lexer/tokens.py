"""Tokens: words and signs of a line with their positions, and words that belong together at some places only."""

from __future__ import annotations

from functools import lru_cache
from typing import Self

from rulewright.syntax.tables.parse_tables import CONTEXTUAL, ScannerTables, keywords, tables, words


class Token(str):
    """A word or sign. It is a string, so that it can be printed and compared as its text, and never spans two lines."""

    __slots__ = ("column", "end_column", "line", "type", "value")

    type: str
    """The terminal of the grammar: ``NAME``, ``FORBID``, ``COLON``."""
    value: str
    """The text, as a plain string."""
    line: int
    column: int
    end_column: int
    """The column after the last character."""

    def __new__(cls, type: str, value: str, line: int, column: int, end_column: int) -> Self:
        """Make a token of this type at this position."""
        made = str.__new__(cls, value)
        made.type = type
        made.value = value
        made.line = line
        made.column = column
        made.end_column = end_column
        return made

    def like(self, type: str, value: str) -> Token:
        """Another token at the same position."""
        return Token(type, value, self.line, self.column, self.end_column)


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


_TYPES = ("COLON", "ARROW", "SET_OF", "LIST_OF")
_HEADS = {
    "TEAMS_OF": ("PLAYERS",),
    "RING_OF": ("MAP",),
    "HEXES_FROM": ("MAP",),
    "HEXES_OF_RADIUS": ("MAP",),
    "HEXES_IN_RHOMBUS": ("MAP",),
    "HEXES_IN_TRIANGLE": ("MAP",),
    "WITH_DIAGONALS": ("MAP",),
    "GRAPH_FROM": ("MAP",),
    "GROWING_HEXES_OF": ("MAP",),
    "CORNERS_OF": ("MAP",),
    "JOINED_ACROSS": ("AREA",),
    "SEEN_BY": ("ZONE", "FIELD"),
    "FACE_SEEN_BY": ("ZONE", "FIELD"),
    "BACK_SEEN_BY": ("ZONE", "FIELD"),
    "COUNT_SEEN_BY": ("ZONE", "FIELD"),
    "INSTEAD_OF": ("REACTION",),
}
"""The clauses in which a phrase has its meaning; an overlay may write ``add`` or ``replace`` before them."""
_BEHIND = {
    "STACK_OF": _TYPES,
    "BAG_OF": _TYPES,
    "ROW_OF": _TYPES,
    "SET_OF": _TYPES,
    "LIST_OF": _TYPES,
    "POSITIONS_OF": _TYPES,
    "SEEN_BY": ("COMMA",),
    "FACE_SEEN_BY": ("COMMA",),
    "BACK_SEEN_BY": ("COMMA",),
    "COUNT_SEEN_BY": ("COMMA",),
    "BACK_SHOWS": ("",),
    "TEAMS_OF": ("COMMA",),
    "JOINED_ACROSS": ("COMMA",),
    "INSTEAD_OF": ("NAME",),
    "UP_TO": ("CHOOSES", "CHOOSE", "REPEATS", "COLON"),
    "FINISH_WITH_WINNER": ("", "THEN", "COLON"),
    "FINISH_WITH_NOBODY_WINNING": ("", "THEN", "COLON"),
    "FINISH_WITH_A_DRAW": ("", "THEN", "COLON"),
    "DO_NOTHING": ("", "THEN", "COLON"),
    "LEADING_ON": ("COMMA",),
    "ASKED_ANYWAY": ("COMMA",),
}
"""The tokens after which a phrase has its meaning; an empty one is the beginning of the clause."""
_NOT_BEHIND = {
    "CLOCKWISE_FROM": ("CHOOSES", "CHOOSE", "DRAW", "AS", "ANY_NUMBER_OF", "NAME", "TYPE", "INT", "STRING", "RPAR",
                       "RSQB", "RBRACE"),
}  # fmt: skip
"""The tokens after which a phrase has no meaning: where a name is, or where a value has just ended."""


_OF_SCENARIOS = {"SEEN": "seen", "HIDDEN": "hidden", "OUT": "out"}
"""Words that begin a line of a scenario, and are names anywhere else."""


def scenario_words() -> dict[str, str]:
    """The words that are none of the language but at the beginning of a scenario's line: ``seen`` -> ``SEEN``."""
    return {word: name for name, word in _OF_SCENARIOS.items()}


def split_phrases(tokens: list[Token], before: list[Token], *, scenario: bool = False) -> list[Token]:
    """The tokens with phrases taken apart where they are none; `before` are the tokens of the clause so far.

    `scenario`: it is a line of a scenario.
    """
    if _split_words().isdisjoint([t.type for t in tokens]):
        return tokens
    done = list(before)
    for token in tokens:
        if token.type in _OF_SCENARIOS and (done or not scenario):
            done.append(token.like("NAME", token.value))
        elif done and done[-1].type == "DOT" and token.type in _phrases():
            first, *more = _words(token)
            done += [first.like("NAME", first.value), *more]
        elif token.type in _HEADS or token.type in _BEHIND or token.type in _NOT_BEHIND:
            done += [token] if _has_its_meaning(token, done) else _words(token)
        else:
            done.append(token)
    return done[len(before) :]


@lru_cache(maxsize=1)
def _phrases() -> frozenset[str]:
    return frozenset(name for name, text in words().items() if " " in text.strip())


@lru_cache(maxsize=1)
def _split_words() -> frozenset[str]:
    """All that is looked at here."""
    return _phrases().union(_OF_SCENARIOS, _HEADS, _BEHIND, _NOT_BEHIND)


def _has_its_meaning(token: Token, done: list[Token]) -> bool:
    heads = _HEADS.get(token.type)
    if heads is not None and not any(t.type in heads for t in done[:2]):
        return False
    last = done[-1].type if done else ""
    behind = _BEHIND.get(token.type)
    if behind is _TYPES and any(t.type == "ZONE" for t in done[:2]):
        return True
    follows = behind is None or last in behind or ("NAME" in behind and last in CONTEXTUAL)
    return follows and last not in _NOT_BEHIND.get(token.type, ())


def _words(token: Token) -> list[Token]:
    """The words of a phrase, each a token of its own."""
    found, offset = [], 0
    for word in token.split(" "):
        if word:
            column = token.column + offset
            found.append(Token(keywords().get(word, "NAME"), word, token.line, column, column + len(word)))
        offset += len(word) + 1
    return found
