"""Small signs on places: which of them stand where, as far as the viewer may know."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any

import rulewright as rw
from rulewright_tools.render.picture import Item, Marker, MarkerStyle
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


class PlaceMarkers:
    """Finds what the markers of the manifest say of one state."""

    def __init__(self, game: rw.Game, state: rw.State, viewer: int | None, view: ViewReader) -> None:
        self._game = game
        self._state = state
        self._viewer = viewer
        self._view = view

    def styles(self, names: rw.display_names.DisplayNames) -> tuple[MarkerStyle, ...]:
        """The looks of all kinds of markers."""
        hints = self._game.ruleset.manifest.draw.markers
        return tuple(
            MarkerStyle(name, hint.name or names.name(name), hint.sign, hint.icon, hint.colour)
            for name, hint in hints.items()
        )

    def of(self, board: rw.view_model.Board, places: tuple[str, ...]) -> dict[str, list[Marker]]:
        """The markers on each of these places of a map, in the order of the manifest."""
        found: dict[str, list[Marker]] = {}
        for name in self._game.ruleset.manifest.draw.markers:
            for place, value in self._answers(board, name, places):
                if value is not None and value is not False and value != 0 and place in places:
                    found.setdefault(place, []).append(Marker(name, "" if value is True else str(value)))
        return found

    def answers_of_query(
        self, board: rw.view_model.Board, name: str, places: tuple[str, ...]
    ) -> Iterator[tuple[str, Any]]:
        """The answers of a query of one place; none if they might reveal hidden information to this viewer."""
        if self._viewer is not None and name not in self._game.public_queries:
            return
        for query in self._game.model.queries:
            if query.name == name and len(query.index) == 1 and query.index[0] == board.place:
                yield from ((place, self._state.ask(name, place)) for place in places)

    def _answers(self, board: rw.view_model.Board, name: str, places: tuple[str, ...]) -> Iterator[tuple[str, Any]]:
        """The values of places under a name: a query, a printed attribute, or a field."""
        model, universes = self._game.model, (board.place, *board.regions)
        yield from self.answers_of_query(board, name, places)
        printed = model.attribute(board.place, name)
        if printed is not None:
            yield from zip(model.keys(board.place), printed.values, strict=True)
        for field in model.fields:
            if field.name != name:
                continue
            if len(field.index) == 1 and field.index[0] in universes:
                yield from ((keys[0], value) for keys, value in self._view.field(name, field.index))
            elif len(field.index) < 2 and field.type.universe in universes:
                # It points at places: in the colour of whom it belongs to, if it belongs to anyone.
                for keys, value in self._view.field(name, field.index):
                    for place in value if isinstance(value, list) else [value]:
                        yield str(place), keys[0] if keys else True
