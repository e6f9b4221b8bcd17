"""Names in rules that a program writes: in scenarios it records, templates it fills, variants it has found.

Names come from everywhere: seats and rulesets from manifests, values from tables, words from commands. One that is a
word of the language, or no name at all, is quoted where a text may stand, or another one takes its place.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from itertools import count, islice

from rulewright.syntax import ast
from rulewright.syntax.tables.parse_tables import reserved_words

_IN_QUOTES = str.maketrans({'"': "'", "{": "(", "}": ")", "\n": " "})
_NAME = re.compile(r"[a-z_][a-z0-9_]*")


def is_name(text: str) -> bool:
    """True if rules can name something so."""
    return _NAME.fullmatch(text) is not None and text not in reserved_words()


def key(text: str) -> ast.Expr:
    """The key of a member: its name, or in quotes."""
    return ast.Name(text) if is_name(text) else ast.StringLiteral(text)


def value(text: str) -> ast.Expr:
    """The value of a parameter, which commands are given as it is written, but for the key of a member in quotes."""
    literal = text in ("true", "false", "none") or text not in reserved_words()
    return ast.Name(text) if literal else ast.StringLiteral(text)


def quotable(text: str) -> str:
    """A text of somebody else as it may stand between quotes, and in a comment; in braces would stand what is told."""
    return "".join(letter for letter in text.translate(_IN_QUOTES) if letter.isprintable())


def game(ruleset: str) -> str:
    """The name of a ruleset as rules say it: ``river-race`` is ``game river_race``."""
    name = ruleset.replace("-", "_")
    return name if is_name(name) else f"game_{name}"


def players(seats: Sequence[str], taken: Collection[str]) -> tuple[str, ...]:
    """The names of the players of a scenario: those of their seats, unless one is no name, or something else has it."""
    if all(is_name(seat) and seat not in taken for seat in seats):
        return tuple(seats)
    free = (name for name in (f"player_{number}" for number in count(1)) if name not in taken)
    return tuple(islice(free, len(seats)))
