"""Words and signs of a text, each with its position."""

from __future__ import annotations

from typing import Self


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
