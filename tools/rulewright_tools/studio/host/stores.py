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

    def put_picture(self, name: str, picture: str) -> None:
        """Keep the picture of a game."""

    def pictures(self, names: Sequence[str]) -> dict[str, str]:
        """The pictures of some games, as far as there are any."""

    def delete(self, name: str) -> None:
        """Forget a game."""


class MemoryStore:
    """A store that lasts as long as the host."""

    def __init__(self) -> None:
        self._games: dict[str, Saved] = {}
        self._summaries: dict[str, Saved] = {}
        self._pictures: dict[str, str] = {}
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

    def put_picture(self, name: str, picture: str) -> None:
        """Keep the picture of a game."""
        self._pictures[name] = picture

    def pictures(self, names: Sequence[str]) -> dict[str, str]:
        """The pictures of some games, as far as there are any."""
        return {name: self._pictures[name] for name in names if name in self._pictures}

    def delete(self, name: str) -> None:
        """Forget a game."""
        for found in (self._games, self._summaries, self._pictures, self.events):
            found.pop(name, None)
