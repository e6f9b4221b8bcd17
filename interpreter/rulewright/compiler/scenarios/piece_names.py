"""Names of pieces in a scenario: a piece that is called after a seat may be called after who sits there."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Any, TypeVar

from rulewright.foundation.tree_fields import node_fields
from rulewright.syntax import ast

N = TypeVar("N")


class PieceNames:
    """The names of the pieces of a game in which these players have these seats."""

    def __init__(self, known: Iterable[str], seats: Mapping[str, str]) -> None:
        self._known, self._seats = frozenset(known), {name: seat for name, seat in seats.items() if name != seat}

    def in_(self, part: N) -> N:
        """A part of a scenario in which pieces have the names that the game gives them: ``"anna castle 1"`` is the
        `orange castle 1` if anna is orange."""
        return self._named(part) if self._seats else part

    def _named(self, part: Any) -> Any:
        match part:
            case tuple():
                return tuple(map(self._named, part))
            case ast.StringLiteral(text):
                return replace(part, text=self._key(text))
            case ast.Node():
                now = {name: self._named(getattr(part, name)) for name in node_fields(type(part))}
                changed = {name: value for name, value in now.items() if value != getattr(part, name)}
                if isinstance(part, ast.SPut):
                    changed["key"] = self._key(part.key)
                return replace(part, **changed) if changed else part
            case _:
                return part

    def _key(self, key: str) -> str:
        name, comma, place = key.partition(", ")
        named = " ".join(self._seats.get(word, word) for word in name.split(" "))
        return named + comma + place if name not in self._known and named in self._known else key


__all__ = ["PieceNames"]
