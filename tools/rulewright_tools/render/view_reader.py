"""A reader of views: fields and zones, one value after the other."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import product
from typing import Any

import rulewright as rw

Keys = tuple[str, ...]
"""The keys under which a value stands, one for each universe of its index."""


class ViewReader:
    """A view of one state, read by field and by zone."""

    def __init__(self, game: rw.Game, view: Mapping[str, Any]) -> None:
        self._universes = {name: universe.keys for name, universe in game.model.universes.items()}
        self._pieces = frozenset(self._universes["Piece"])
        self._view = view

    def field(self, name: str, index: Keys) -> Iterator[tuple[Keys, Any]]:
        """All values of a field in the view; those of a field with two or more keys only where they are not the first
        value."""
        entry = self._view["fields"].get(name)
        if not index:
            yield from [((), entry)] if name in self._view["fields"] else []
        elif entry is None:
            return
        elif index == ("Piece",):
            yield from self._of_pieces(entry)
        elif len(index) == 1:
            hidden = set(entry.get("hidden", ()))
            for row, keys in self._rows(index):
                if row not in hidden:
                    yield keys, entry["values"].get(row, entry["default"])
        elif entry["values"]:
            for row, keys in self._rows(index):
                if row in entry["values"]:
                    yield keys, entry["values"][row]

    def zone(self, name: str, index: Keys) -> Iterator[tuple[Keys, Mapping[str, Any]]]:
        """All zones of a name in which something is seen to lie."""
        entry = self._view["zones"].get(name)
        if entry is None:
            return
        if not index:
            yield from [((), entry)] if entry["count"] else []
            return
        for row, keys in self._rows(index):
            if row in entry["values"]:
                yield keys, entry["values"][row]

    def regions(self, universes: Keys) -> dict[str, str]:
        """For each place that belongs to a region of these universes the place that stands for it."""
        groups_of = self._view.get("regions", {})
        groups = [members for universe in universes for members in groups_of.get(universe, ())]
        return {place: members[0] for members in groups for place in members}

    def _of_pieces(self, entry: Mapping[str, Any]) -> Iterator[tuple[Keys, Any]]:
        """The values of a field of pieces, by their keys. A player's view names only what differs from the first value,
        and distinguishes pieces that are alike by where they lie, or by a number; a value that lies upon the back of a
        piece that they do not know belongs to none of the keys."""
        seen: dict[str, list[Any]] = {key: [] for key in self._universes["Piece"]}
        unknown = dict.fromkeys(seen, 0)
        for row, value in entry["values"].items():
            if (piece := self._piece(row)) is not None:
                seen[piece].append(value)
        for row in entry.get("hidden", ()):
            if (piece := self._piece(row)) is not None:
                unknown[piece] += 1
        for key in self._universes["Piece"]:
            if seen[key]:
                yield (key,), seen[key].pop(0)
            elif unknown[key]:
                unknown[key] -= 1
            else:
                yield (key,), entry["default"]

    def _piece(self, row: str) -> str | None:
        """The key of the piece that a row is about: ``red knight in on[(0, 0)] #2`` is about a red knight; none if it
        is about a back."""
        ends = [len(row), *(at for at in range(len(row) - 1, 0, -1) if row.startswith((" in ", " #"), at))]
        return next((row[:end] for end in ends if row[:end] in self._pieces), None)

    def _rows(self, index: Keys) -> Iterator[tuple[str, Keys]]:
        """The name of each value in the view, with its keys. Views number pieces that are alike."""
        parts = []
        for universe in index:
            keys = self._universes[universe]
            alike = len(set(keys)) < len(keys)
            parts.append([(f"{key} #{number}" if alike else key, key) for number, key in enumerate(keys)])
        for row in product(*parts):
            yield ", ".join(name for name, _ in row), tuple(key for _, key in row)
