"""Short texts that are written on pieces: printed attributes, or values of fields."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any

import rulewright as rw
from rulewright_tools.render.picture import Item
from rulewright_tools.render.view_reader import ViewReader


class Badges:
    """Knows the badges of all pieces in one view."""

    def __init__(self, game: rw.Game, view: ViewReader) -> None:
        self._model = game.model
        self._labels = game.ruleset.manifest.draw.labels
        self._view = view
        self._texts: dict[str, str] = {}
        wanted = game.ruleset.manifest.draw.badges
        # Kinds below others have fewer members: the last one written is the closest.
        for kind in sorted(self._model.kinds, key=lambda kind: -len(kind.members)):
            if kind.name in wanted:
                values = self._values(wanted[kind.name])
                keys = self._model.keys("Piece")
                self._texts |= {keys[number]: self._text(values.get(keys[number])) for number in kind.members}

    def on(self, item: Item) -> Item:
        """Pieces with their badge, if they are known and have any. A side that lies up stands behind their key."""
        piece = item.key.rpartition(" (")[0] if item.key.endswith(")") and item.key not in self._texts else item.key
        text = "" if item.back else self._texts.get(piece, "")
        return replace(item, badge=text) if text else item

    def _values(self, name: str) -> Mapping[str, Any]:
        """The value of a field or of a printed attribute by the keys of pieces; nothing where pieces that are alike
        differ."""
        found: dict[str, Any] = {}
        for key, value in self._every(name):
            found[key] = value if found.setdefault(key, value) == value else None
        return found

    def _every(self, name: str) -> Iterator[tuple[str, Any]]:
        printed = self._model.attribute("Piece", name)
        if printed is not None:
            yield from zip(self._model.keys("Piece"), printed.values, strict=True)
        for field in self._model.fields:
            if field.name == name and field.index == ("Piece",):
                yield from ((keys[0], value) for keys, value in self._view.field(name, field.index))

    def _text(self, value: Any) -> str:
        if isinstance(value, bool) or not isinstance(value, (int, str)):
            return ""
        return str(value) if isinstance(value, int) else self._labels.get(value, value[:1].upper())
