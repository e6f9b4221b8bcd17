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
        self._view = view

    def field(self, name: str, index: Keys) -> Iterator[tuple[Keys, Any]]:
        """All values of a field that are told; those of a field with two or more keys only where they are not the
        first value."""
        entry = self._view["fields"].get(name)
        if not index:
            yield from [((), entry)] if name in self._view["fields"] else []
        elif entry is None:
            return
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

    def regions(self) -> dict[str, str]:
        """For each place that belongs to a region the place that stands for it."""
        groups = [members for regions in self._view.get("regions", {}).values() for members in regions]
        return {place: members[0] for members in groups for place in members}

    def _rows(self, index: Keys) -> Iterator[tuple[str, Keys]]:
        """The name of each value in the view, with its keys. Views tell pieces that are alike apart by number."""
        parts = []
        for universe in index:
            keys = self._universes[universe]
            alike = len(set(keys)) < len(keys)
            parts.append([(f"{key} #{number}" if alike else key, key) for number, key in enumerate(keys)])
        for row in product(*parts):
            yield ", ".join(name for name, _ in row), tuple(key for _, key in row)
