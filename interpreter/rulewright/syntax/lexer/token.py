"""Words and signs of a text, each with its place."""

from __future__ import annotations

from typing import Self


class Token(str):
    """A word or sign. It is its own text, so that it can be shown and compared as one; it stands on one line."""

    __slots__ = ("column", "end_column", "line", "type", "value")

    type: str
    """The terminal of the grammar: ``NAME``, ``FORBID``, ``COLON``."""
    value: str
    """The text, as a plain string."""
    line: int
    column: int
    end_column: int
    """Behind the last character."""

    def __new__(cls, type: str, value: str, line: int, column: int, end_column: int) -> Self:
        """A token of this type at this place."""
        made = str.__new__(cls, value)
        made.type = type
        made.value = value
        made.line = line
        made.column = column
        made.end_column = end_column
        return made

    def like(self, type: str, value: str) -> Token:
        """Another token at the same place."""
        return Token(type, value, self.line, self.column, self.end_column)
