"""Stores of games: they stay with the host, as they contain everything that seats may not know of each other."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Protocol

Saved = dict[str, Any]
"""A game, or its summary in lists, as a JSON object."""

MOST = 2_000
"""Games that are kept."""


class Store(Protocol):
    """A place in which games are kept by name."""

    def names(self) -> list[str]:
        """The names of all games."""

    def summaries(self) -> dict[str, Saved]:
        """The summaries of all games, by their names, the last changed first."""

    def put(self, name: str, saved: Saved, summary: Saved, events: Sequence[Saved]) -> None:
        """Keep a game as it is now, with events that have been added to those before, in one transaction."""

    def get(self, name: str) -> Saved | None:
        """A game that is kept."""

    def delete(self, name: str) -> None:
        """Forget a game."""


class MemoryStore:
    """A store that lasts as long as the host."""

    def __init__(self) -> None:
        self._games: dict[str, Saved] = {}
        self._summaries: dict[str, Saved] = {}
        self.events: dict[str, list[Saved]] = {}

    def names(self) -> list[str]:
        """The names of all games."""
        return list(self._games)

    def summaries(self) -> dict[str, Saved]:
        """The summaries of all games, by their names, the last changed first."""
        return dict(reversed(self._summaries.items()))

    def put(self, name: str, saved: Saved, summary: Saved, events: Sequence[Saved]) -> None:
        """Keep a game as it is now."""
        self._games[name] = saved
        self._summaries.pop(name, None)
        self._summaries[name] = summary
        self.events.setdefault(name, []).extend(events)

    def get(self, name: str) -> Saved | None:
        """A game that is kept."""
        return self._games.get(name)

    def delete(self, name: str) -> None:
        """Forget a game."""
        for found in (self._games, self._summaries, self.events):
            found.pop(name, None)
