"""From a state to a picture: the one module that knows how a view and a program are built."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import groupby, product
from typing import Any

import rulewright as rw
from rulewright_tools.picture import Holder, Item, MapStyle, Picture, Pile, Spot

BOX = "box"
"""Where pieces lie that are not in the game."""


def picture_of(game: rw.Game, state: rw.State, viewer: int | None) -> Picture:
    """What a seat (by number; None: somebody who sees everything) sees of a position."""
    return _Sight(game, state.view(viewer)).picture()


def hides_hands(game: rw.Game, state: rw.State, viewer: int | None) -> bool:
    """Whether others hold pieces that a seat does not see: then it must not be told what they have drawn."""
    view = state.view(viewer)
    owners = {universe.name for universe in game.program.universes if universe.sort in ("player", "party")}
    keys = {universe.name: universe.keys for universe in game.program.universes}
    for zone in game.program.zones:
        if owners & set(zone.index):
            for names in product(*(keys[universe] for universe in zone.index)):
                seen = view["zones"].get(_named(zone.name, names))
                if seen is None or any("key" not in piece for piece in seen.get("pieces", [{}] * seen["count"])):
                    return True
    return False


class _Sight:
    def __init__(self, game: rw.Game, view: Mapping[str, Any]) -> None:
        self.game = game
        self.view = view
        program = game.program
        self.hints = game.ruleset.manifest.draw
        self.universes = {universe.name: universe for universe in program.universes}
        self.map = program.graphs[0] if program.graphs else None
        places = {self.map.place} if self.map else set()
        self.places = places | {merged.name for merged in program.merged if merged.place in places}
        self.owners = {u.name for u in program.universes if u.sort in ("player", "party")}
        self.items: dict[str, list[Item]] = {}
        self.marks: dict[str, list[str]] = {}
        self.piles: dict[str, list[Pile]] = {}
        self.facts: dict[str, list[tuple[str, str]]] = {}

    def picture(self) -> Picture:
        for zone in self.game.program.zones:
            if zone.name != BOX:
                self._zone(zone.name, zone.index, zone.order in ("stack", "row"))
        for field in self.game.program.fields:
            self._field(field.name, field.index, field.ty)
        seats = self.game.seats
        others = [name for name in (*self.piles, *self.facts) if name and name not in seats]
        names = (*seats, *dict.fromkeys(others))
        return Picture(
            title=self.game.title,
            shape=self.map.shape if self.map else "",
            style=MapStyle(self.hints.places, self.hints.place_label != "none", self.hints.background),
            spots=self._spots(),
            links=self._links(),
            holders=tuple(self._holder(name) for name in names),
            table=self._holder(""),
        )

    def _holder(self, name: str) -> Holder:
        return Holder(name, tuple(self.piles.get(name, ())), tuple(self.facts.get(name, ())))

    # ------------------------------------------------------------------------------------------------ the map

    def _spots(self) -> tuple[Spot, ...]:
        if self.map is None:
            return ()
        region = {
            place: members[0]
            for regions in self.view.get("regions", {}).values()
            for members in regions
            for place in members
        }
        keys = self.universes[self.map.place].keys
        labels = self._attribute(self.hints.place_label)
        colours = self._attribute(self.hints.place_colour)
        return tuple(
            Spot(
                key, x, y, tuple(self.items.get(key, ())), tuple(self.marks.get(key, ())), region.get(key, key),
                labels[number] if labels else key, colours[number] if colours else "",
            )
            for number, (key, (x, y)) in enumerate(zip(keys, self.map.layout, strict=False))
        )  # fmt: skip

    def _attribute(self, name: str) -> list[str]:
        """What places say under a name, as words; empty if nothing is asked or there is no such attribute."""
        assert self.map is not None
        found = [table for table in self.game.program.tables if table.name == f"{self.map.place}.{name}"]
        if not found:
            return []
        values = found[0].values
        universe = self.universes.get(found[0].ty.universe)
        return [
            universe.keys[value] if universe and isinstance(value, int) and 0 <= value < universe.size else str(value)
            for value in values
        ]

    def _links(self) -> tuple[tuple[int, int], ...]:
        if self.map is None:
            return ()
        return tuple(
            (number, other)
            for number, beside in enumerate(self.map.neighbours)
            for other in range(number + 1, len(self.map.neighbours))
            if beside >> other & 1
        )

    # ------------------------------------------------------------------------------------------------- zones

    def _zone(self, name: str, index: tuple[str, ...], ordered: bool) -> None:
        for keys in self._keys(index):
            seen = self.view["zones"].get(_named(name, keys))
            if seen is None or not seen["count"]:
                continue
            items = _items(seen, ordered)
            if len(index) == 1 and index[0] in self.places:
                self.items.setdefault(keys[0], []).extend(items)
            else:
                owner, title = self._owner(name, index, keys)
                self.piles.setdefault(owner, []).append(Pile(title, tuple(items)))

    def _owner(self, name: str, index: tuple[str, ...], keys: tuple[str, ...]) -> tuple[str, str]:
        """Who has it, and what it is called there."""
        owner = next((key for universe, key in zip(index, keys, strict=True) if universe in self.owners), "")
        rest = [key for universe, key in zip(index, keys, strict=True) if universe not in self.owners]
        return owner, " ".join([_title(name), *rest])

    def _keys(self, index: tuple[str, ...]) -> Iterator[tuple[str, ...]]:
        return product(*(self.universes[universe].keys for universe in index))

    # ------------------------------------------------------------------------------------------------ fields

    def _field(self, name: str, index: tuple[str, ...], ty: Any) -> None:
        if not index:
            self._single(name, ty, self.view["fields"].get(name))
            return
        shared: list[str] = []
        for keys in self._keys(index):
            value = self.view["fields"].get(_named(name, keys))
            if value is None or value is False or value == [] or (value == 0 and index[0] in self.places):
                continue
            if len(index) == 1 and index[0] in self.places:
                self._on_place(keys[0], name, ty, value)
            elif any(universe in self.owners for universe in index):
                owner, title = self._owner(name, index, keys)
                self.facts.setdefault(owner, []).append((title, _words(value)))
            else:
                shared.append(" ".join(keys) if value is True else f"{' '.join(keys)}: {_words(value)}")
        if shared:
            more = f" and {len(shared) - 12} more" if len(shared) > 12 else ""
            self.facts.setdefault("", []).append((_title(name), ", ".join(shared[:12]) + more))

    def _single(self, name: str, ty: Any, value: Any) -> None:
        if value is None or value == []:
            return
        if ty.kind in ("entity", "set", "list") and ty.universe in self.places and not isinstance(value, dict):
            for place in value if isinstance(value, list) else [value]:
                self.marks.setdefault(str(place), []).append(_title(name))
        else:
            self.facts.setdefault("", []).append((_title(name), _words(value)))

    def _on_place(self, place: str, name: str, ty: Any, value: Any) -> None:
        """A field of a place: who or what it names is drawn like a piece, the rest is written."""
        if ty.kind == "entity" and isinstance(value, str):
            self.items.setdefault(place, []).append(Item(value, 1))
        elif value is True:
            self.marks.setdefault(place, []).append(_title(name))
        else:
            self.marks.setdefault(place, []).append(f"{_title(name)} {_words(value)}")


def _named(name: str, keys: tuple[str, ...]) -> str:
    return f"{name}[{', '.join(keys)}]" if keys else name


def _title(name: str) -> str:
    return name.replace("_", " ")


def _items(seen: Mapping[str, Any], ordered: bool) -> list[Item]:
    """Pieces that look alike, together; in a stack or row only those that lie one on the other."""
    pieces = seen.get("pieces")
    if pieces is None:
        return [Item("", seen["count"], back=True)]
    shown = [(_look(piece), "key" not in piece) for piece in pieces]
    if not ordered:
        first = {look: number for number, look in reversed(list(enumerate(shown)))}
        shown.sort(key=lambda look: first[look])
    return [Item(key, len(list(group)), back) for (key, back), group in groupby(shown)]


def _look(piece: Mapping[str, Any]) -> str:
    key = str(piece.get("key", ""))
    return f"{key} ({piece['side']})" if piece.get("side") else key


def _words(value: Any) -> str:
    if isinstance(value, dict):
        return f"{value.get('count', '?')} (hidden)"
    if isinstance(value, list):
        return ", ".join(map(_words, value))
    if isinstance(value, bool):
        return "yes" if value else "no"
    return "none" if value is None else str(value)
