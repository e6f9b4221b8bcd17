"""Stores of saved games: they stay with the host, as they contain everything that seats may not know of each other."""

from __future__ import annotations

from typing import Any, Protocol

from rulewright_tools.studio.host.messages import ErrorCode, Refused

MOST = 200
"""Games that are kept."""

Saved = dict[str, Any]


class Store(Protocol):
    """A place in which saved games are kept by name."""

    def names(self) -> list[str]:
        """The names of all games, sorted."""

    def put(self, name: str, saved: Saved) -> None:
        """Keep a game, in the place of one of that name."""

    def get(self, name: str) -> Saved | None:
        """A game that is kept."""


class MemoryStore:
    """A store that lasts as long as the host."""

    def __init__(self) -> None:
        self._games: dict[str, Saved] = {}

    def names(self) -> list[str]:
        """The names of all games, sorted."""
        return sorted(self._games)

    def put(self, name: str, saved: Saved) -> None:
        """Keep a game, in the place of one of that name; Refused if there are too many."""
        if name not in self._games and len(self._games) >= MOST:
            raise Refused(ErrorCode.NOT_NOW, f"no more than {MOST} games are kept")
        self._games[name] = saved

    def get(self, name: str) -> Saved | None:
        """A game that is kept."""
        return self._games.get(name)
