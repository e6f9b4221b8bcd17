"""From a state to a picture."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from functools import lru_cache
from itertools import groupby
from typing import Any

import rulewright as rw
from rulewright_tools.render.picture import Edge, Holder, Item, MapStyle, Picture, Pile, Spot, Stack
from rulewright_tools.render.place_markers import Badges, PlaceMarkers
from rulewright_tools.render.theme import figures_of, ground_of, line_fields, tiles, wall_fields
from rulewright_tools.render.view_reader import Keys, ViewReader


@lru_cache(maxsize=4)
def lattice(game: rw.Game, name: str) -> rw.playing.PlaceGraph:
    """All places that a growing map can ever have."""
    return game.places(name)


def spread(game: rw.Game, name: str, taken: Collection[str]) -> dict[str, tuple[int, int]]:
    """The places where something lies and those beside them, each with where it is drawn, in thousandths of a step.

    The lattice closes upon itself, so places are walked from (0, 0): a row that leaves it at one side goes on, and does
    not come back at the other.
    """
    places = lattice(game, name).nodes
    origin = next(key for key, data in places.items() if data["pos"] == (0, 0))
    steps = {way: places[there]["pos"] for way, there in places[origin]["toward"].items()}
    found: dict[str, tuple[int, int]] = {}
    for start in (origin, *sorted(taken)):
        if start in found:
            continue
        found[start] = places[start]["pos"]
        wave = [start]
        for here in wave:
            for way, there in places[here]["toward"].items() if here in taken else ():
                if there not in found:
                    (x, y), (dx, dy) = found[here], steps[way]
                    found[there] = (x + dx, y + dy)
                    wave.append(there)
    return found


Place = tuple[str, str]
"""A place, or an edge: its universe and its key; places of two maps may have equal keys."""

BOX = "box"
"""The zone of pieces that are not in the game."""

DASH = "\N{EN DASH}"

DEEP = 8
"""Of a stack with more layers than this only the top and the number are shown."""


def picture_of(game: rw.Game, state: rw.State, viewer: int | None) -> Picture:
    """The picture that a seat (by number) sees of a position; with None everything, with rw.playing.PUBLIC what all
    see.
    """
    return _Sight(game, state, viewer).picture()


class _Sight:
    def __init__(self, game: rw.Game, state: rw.State, viewer: int | None) -> None:
        self.game = game
        self.state = state
        self.view = ViewReader(game, state.view(viewer))
        self.model = game.model
        self.hints = game.ruleset.manifest.draw
        self.names = rw.display_names.DisplayNames(game.ruleset.manifest)
        self.badges = Badges(game, self.view)
        self.markers = PlaceMarkers(game, state, viewer, self.view)
        self.place = {board.place for board in self.model.boards}
        self.lies_on = {name: board.place for board in self.model.boards for name in (board.place, *board.regions)}
        """For each universe of places, and of regions, that of the places."""
        self.places = set(self.lies_on)
        self.owners = {u.name for u in self.model.universes.values() if u.sort in ("player", "party")}
        self.rows = {zone.name for zone in self.model.zones if zone.order == "row" and not zone.index}
        self.ground, self.grounds = ground_of(game)
        self.tiles = tiles(game, self.ground)
        self.wall_fields = wall_fields(game)
        self.line_fields = line_fields(game)
        self.figures = figures_of(game)
        self.pointing = [f.name for f in self.model.fields if self._points(f) and f.name not in self.hints.hides]
        self.ground_at: dict[Place, str] = {}
        self.walls: dict[Place, list[str]] = {}
        self.marked: set[Place] = set()
        self.lines: dict[Place, list[tuple[str, str]]] = {}
        self.standing: dict[str, dict[Place, str]] = {}
        """For each field of figures, and of who owns them, its values by place."""
        self.items: dict[Place, list[Item]] = {}
        self.stacks: dict[Place, list[Stack]] = {}
        self.marks: dict[Place, list[str]] = {}
        self.piles: dict[str, list[Pile]] = {}
        self.facts: dict[str, list[tuple[str, str]]] = {}

    def picture(self) -> Picture:
        game_words = self.game.ruleset.manifest.words
        for query in self.model.queries:
            if query.name in self.hints.shows:
                self._query(query.name, query.index)
        for zone in self.model.zones:
            if zone.name not in (BOX, *self.hints.hides):
                self._zone(zone.name, zone.index, zone.ordered)
        elsewhere = {*self.hints.hides, *self.hints.markers}
        elsewhere |= {
            f.name for f in self.model.fields if f.index == ("Piece",) and f.name in self.hints.badges.values()
        }
        for field in self.model.fields:
            if field.name == self.ground:
                values = self.view.field(field.name, field.index)
                self.ground_at = {self._at(field.index[0], keys[0]): value for keys, value in values if value}
            elif field.name in self.wall_fields:
                wall = game_words.get(field.name, field.name)
                for keys, value in self.view.field(field.name, field.index):
                    self.walls.setdefault(self._at(field.index[0], keys[0]), []).extend([wall] if value else [])
            elif field.name in self.line_fields:
                for keys, value in self.view.field(field.name, field.index):
                    line = (self.names.name(field.name), value if isinstance(value, str) else "")
                    self.lines.setdefault(self._at(field.index[0], keys[0]), []).extend([line] if value else [])
            elif field.name in self.figures or field.name in self.figures.values():
                values = self.view.field(field.name, field.index)
                standing = {
                    self._at(field.index[0], keys[0]): value for keys, value in values if isinstance(value, str)
                }
                self.standing[field.name] = standing
            elif field.name == self.hints.walls.mark:
                values = self.view.field(field.name, field.index)
                self.marked = {self._at(field.index[0], keys[0]) for keys, value in values if value}
            elif field.name not in elsewhere:
                self._field(field.name, field.index, field.type)
        self._stand()
        seats = self.game.seats
        others = [name for name in (*self.piles, *self.facts) if name and name not in seats]
        names = (*seats, *dict.fromkeys(others))
        hints = self.hints
        maps = [self._map(board) for board in self.model.boards]
        first = Picture(
            title=self.game.title,
            shape="",
            style=MapStyle(
                hints.places,
                hints.place_label != "none",
                hints.background,
                self.names.name(hints.walls.mark) if self.marked else "",
                hints.walls.colour,
                hints.links.colour,
                any(self._stacked(zone.name, zone.index) for zone in self.model.zones),
                self.markers.styles(self.names),
                tuple(dict.fromkeys(key for name in sorted(self.owners) for key in self.model.keys(name))),
                self.names.name(hints.rim or hints.tint),
                self.names.name("possible"),
                self.names.phrase("to move"),
            ),
            spots=(),
            links=(),
            holders=tuple(self._holder(name) for name in names),
            table=self._holder(""),
            grounds=tuple(self.grounds.values()),
            turn=self.state.decision.who if self.state.decision else "",
            seats=tuple(seats),
        )
        drawn = [replace(first, **one) for one in maps]
        return replace(drawn[0], further=tuple(drawn[1:])) if drawn else first

    def _at(self, universe: str, key: str) -> Place:
        """A place, by a key of it or of the region for which it stands; or an edge."""
        return self.lies_on.get(universe, universe), key

    def _stand(self) -> None:
        """Figures on their places, in the colour of whose they are; and who owns a place where no figure stands."""
        for name, whose in self.figures.items():
            owners = self.standing.get(whose, {})
            for place, value in self.standing.get(name, {}).items():
                owner = owners.get(place, "")
                title = " ".join(self.names.key(key) for key in (owner, value) if key)
                self.items.setdefault(place, []).append(Item(value, 1, name=title, owner=owner))
        for whose in dict.fromkeys(self.figures.values()):
            for place, owner in self.standing.get(whose, {}).items():
                if all(place not in self.standing.get(name, {}) for name in self.figures):
                    self.items.setdefault(place, []).append(Item(owner, 1))

    def _points(self, field: rw.view_model.Field) -> bool:
        """True of a field of players or parties that points at a place: where their pawn stands."""
        owned = any(universe in self.owners for universe in field.index)
        return owned and field.type.kind == "entity" and field.type.universe in self.place

    def _holder(self, name: str) -> Holder:
        seats = self.model.teams.get(name, ())
        title = "+".join(map(self.names.text, seats or (name,))) if name else self.names.name("table")
        return Holder(name, tuple(self.piles.get(name, ())), tuple(self.facts.get(name, ())), title)

    # ------------------------------------------------------------------------------------------------ the map

    def _map(self, board: rw.view_model.Board) -> dict[str, Any]:
        """The parts of a picture that are those of one map."""
        spots = self._spots(board)
        links = self._links(board, spots)
        return {
            "shape": "hexes" if board.shape == "growing" else board.shape,
            "name": self.names.name(board.name) if len(self.model.boards) > 1 else "",
            "place": board.place,
            "base": board.base,
            "spots": spots,
            "links": links,
            "edges": self._edges(board, spots, links),
        }

    def _spots(self, board: rw.view_model.Board) -> tuple[Spot, ...]:
        region = self.view.regions(board.regions)
        keys = self.model.keys(board.place)
        numbers = {key: number for number, key in enumerate(keys)}
        layout = dict(zip(keys, board.layout, strict=False))
        if board.shape == "growing":
            grown = spread(
                self.game,
                board.name,
                {key for at, key in (*self.items, *self.ground_at, *self.marks) if at == board.place},
            )
            layout = {key: grown[key] for key in sorted(grown, key=lambda key: (grown[key][1], grown[key][0]))}
        labels = self._attribute(board, self.hints.place_label)
        printed = self._attribute(board, self.ground)
        tints, rims = (self._lands(board, query, tuple(layout)) for query in (self.hints.tint, self.hints.rim))
        markers = self.markers.of(board, tuple(layout))
        return tuple(
            Spot(
                key, x, y, tuple(self.items.get(at, ())), tuple(self.marks.get(at, ())), region.get(key, key),
                labels[numbers[key]] if labels else key,
                self.ground_at.get(at, printed[numbers[key]] if printed else ""), tints.get(key, ""),
                rims.get(key, ""), tuple(self.stacks.get(at, ())), tuple(markers.get(key, ())),
            )
            for key, (x, y) in layout.items()
            for at in [(board.place, key)]
        )  # fmt: skip

    def _attribute(self, board: rw.view_model.Board, name: str) -> list[str]:
        """The values of places under a name, as words; empty without a name, or if there is no such attribute."""
        printed = self.model.attribute(board.place, name)
        if printed is None:
            return []
        return ["" if value is None else _words(value) for value in printed.values]

    def _lands(self, board: rw.view_model.Board, query: str, places: Keys) -> dict[str, str]:
        """The owner of each place, by a query; none if it gives the same for all places."""
        answers = dict(self.markers.answers_of_query(board, query, places))
        several = len(set(answers.values())) > 1
        return {place: answer for place, answer in answers.items() if several and isinstance(answer, str)}

    def _links(self, board: rw.view_model.Board, spots: Sequence[Spot]) -> tuple[tuple[int, int], ...]:
        if board.shape != "growing":
            return board.links
        numbers = {spot.key: number for number, spot in enumerate(spots)}
        ways = (
            (numbers[spot.key], numbers.get(key, -1))
            for spot in spots
            for key in lattice(self.game, board.name).adj[spot.key]
        )
        return tuple(sorted((a, b) for a, b in ways if b > a))

    def _edges(
        self, board: rw.view_model.Board, spots: Sequence[Spot], links: Sequence[tuple[int, int]]
    ) -> tuple[Edge, ...]:
        if board.edge is None:
            return ()
        if board.shape == "growing":
            graph = lattice(self.game, board.name)
            between = [(graph.edge(spots[a].key, spots[b].key)["key"], a, b) for a, b in links]
        else:
            ends = zip(self.model.keys(board.edge), board.edges, strict=True)
            between = [(key, one, other) for key, (one, other) in ends]
        return tuple(
            Edge(
                key, a, b, tuple(self.walls.get(at, ())), at in self.marked,
                tuple((name, owner or _common(spots[a], spots[b])) for name, owner in self.lines.get(at, ())),
            )
            for key, a, b in between
            for at in [(board.edge, key)]
        )  # fmt: skip

    # ------------------------------------------------------------------------------------------------- zones

    def _zone(self, name: str, index: Keys, ordered: bool) -> None:
        for keys, seen in self.view.zone(name, index):
            zone = f"{name}[{', '.join(keys)}]" if keys else name
            items = [replace(self.badges.on(self._named(item)), zone=zone) for item in _items(seen, ordered)]
            if name in self.rows and name in self.hints.beside:
                items = self._with_notes(self.hints.beside[name], items)
            if self._stacked(name, index):
                named = dict(zip(index, keys, strict=True))
                place = next(self._at(universe, key) for universe, key in named.items() if universe in self.places)
                owner = next((key for universe, key in named.items() if universe not in self.places), "")
                self.stacks.setdefault(place, []).append(Stack(owner, tuple(items)))
            elif len(index) == 1 and index[0] in self.places:
                place = self._at(index[0], keys[0])
                for item in items:
                    if item.key in self.tiles:
                        self.ground_at[place] = self.tiles[item.key]
                    else:
                        self.items.setdefault(place, []).append(item)
            else:
                owner, title = self._owner(name, index, keys)
                if ordered and len(items) > DEEP:
                    items = items[:1]
                under = seen["count"] - sum(item.count for item in items)
                note = self.names.phrase("on {number} more", number=under) if under else ""
                self.piles.setdefault(owner, []).append(Pile(title, tuple(items), under, note))

    def _stacked(self, name: str, index: Keys) -> bool:
        """True for zones of a place and an owner, and for hinted zones of a place."""
        rest = [universe for universe in index if universe not in self.places]
        if len(rest) == len(index) - 1:
            return rest[0] in self.owners if len(rest) == 1 else not rest and name in self.hints.stacks
        return False

    def _named(self, item: Item) -> Item:
        name, covered = self.names.key(item.key), self.names.phrase("face down")
        return replace(item, name="" if name == item.key else name, covered=covered)

    def _with_notes(self, query: str, items: list[Item]) -> list[Item]:
        """Pieces one by one, each with the result of a query about its position."""
        if all(q.name != query or len(q.index) != 1 for q in self.model.queries):
            return items
        apart = [replace(item, count=1) for item in items for _ in range(item.count)]
        answers = (self.state.ask(query, position) for position in range(len(apart)))
        return [
            item if answer is None else replace(item, note=f"{self.names.name(query)} {self._text(answer)}")
            for item, answer in zip(apart, answers, strict=True)
        ]

    def _owner(self, name: str, index: Keys, keys: Keys) -> tuple[str, str]:
        """The owner, and the name that the zone has with them."""
        owner = next((key for universe, key in zip(index, keys, strict=True) if universe in self.owners), "")
        rest = [key for universe, key in zip(index, keys, strict=True) if universe not in self.owners]
        return owner, " ".join([self.names.name(name), *rest])

    # ------------------------------------------------------------------------------------- fields and queries

    def _query(self, name: str, index: Keys) -> None:
        """The answers of a query of a player or party, or of nothing: everybody may see them."""
        if not index:
            self.facts.setdefault("", []).append((self.names.name(name), self._text(self.state.ask(name))))
        elif len(index) == 1 and index[0] in self.owners:
            for key in self.model.keys(index[0]):
                self.facts.setdefault(key, []).append((self.names.name(name), self._text(self.state.ask(name, key))))

    def _field(self, name: str, index: Keys, type: rw.view_model.ValueType) -> None:
        if not index:
            for _, value in self.view.field(name, index):
                self._single(name, type, value)
            return
        shared: list[str] = []
        for keys, value in self.view.field(name, index):
            if value is None or value is False or value == [] or (value == 0 and index[0] in self.places):
                continue
            if len(index) == 1 and index[0] in self.places:
                self._on_place(self._at(index[0], keys[0]), name, type, value)
            elif name in self.pointing:
                owner, title = self._owner(name, index, keys)
                alone = len(self.pointing) == 1 and len(keys) == 1
                pawn = Item(owner, 1) if alone else Item(title, 1, name=f"{self.names.key(owner)} {title}", owner=owner)
                self.items.setdefault(self._at(type.universe, str(value)), []).append(pawn)
            elif any(universe in self.owners for universe in index):
                owner, title = self._owner(name, index, keys)
                self.facts.setdefault(owner, []).append((title, self._text(value)))
            else:
                places = f" {DASH} ".join(map(self.names.text, sorted(keys) if value is True else keys))
                shared.append(places if value is True else f"{places}: {self._text(value)}")
        if shared:
            # What holds both ways is listed once.
            shared = list(dict.fromkeys(shared))
            more = f" and {len(shared) - 12} more" if len(shared) > 12 else ""
            self.facts.setdefault("", []).append((self.names.name(name), ", ".join(shared[:12]) + more))

    def _single(self, name: str, type: rw.view_model.ValueType, value: Any) -> None:
        if value is None or value is False or value == []:
            return
        if type.kind in ("entity", "set", "list") and type.universe in self.places and not isinstance(value, dict):
            for place in value if isinstance(value, list) else [value]:
                self.marks.setdefault(self._at(type.universe, str(place)), []).append(self.names.name(name))
        else:
            self.facts.setdefault("", []).append((self.names.name(name), self._text(value)))

    def _on_place(self, place: Place, name: str, type: rw.view_model.ValueType, value: Any) -> None:
        """A field of a place: who or what it names is drawn like a piece, the rest is written."""
        if type.kind == "entity" and isinstance(value, str):
            self.items.setdefault(place, []).append(Item(value, 1))
        elif value is True:
            self.marks.setdefault(place, []).append(self.names.name(name))
        else:
            self.marks.setdefault(place, []).append(f"{self.names.name(name)} {self._text(value)}")

    def _text(self, value: Any) -> str:
        """A value in the words of the edition."""
        return self.names.text(_words(value))


def _common(one: Spot, other: Spot) -> str:
    """The key whose colour all that lies on two places has; empty if they differ, or if nothing lies there."""
    found = {item.hue for spot in (one, other) for item in spot.items}
    return found.pop() if len(found) == 1 and one.items and other.items else ""


def _items(seen: Mapping[str, Any], ordered: bool) -> list[Item]:
    """Pieces that look alike, together; in a stack or row only those that lie one on the other."""
    backs = seen.get("backs", [])
    # Backs that are only counted stand for any of the hidden pieces: those are listed after all others.
    hidden = iter(backs if isinstance(backs, list) else [back for back, count in backs.items() for _ in range(count)])
    pieces = seen.get("pieces", [{}] * seen["count"])
    shown = [
        (_look(piece), False, "down" in piece) if "key" in piece else (next(hidden, ""), True, False)
        for piece in pieces
    ]
    if not ordered:
        first = {look: number for number, look in reversed(list(enumerate(shown)))}
        shown.sort(key=lambda look: first[look])
    return [Item(key, len(list(group)), back, down=down) for (key, back, down), group in groupby(shown)]


def _look(piece: Mapping[str, Any]) -> str:
    key = str(piece.get("key", ""))
    return f"{key} ({piece['side']})" if piece.get("side") else key


def _words(value: Any) -> str:
    if isinstance(value, dict) and not value.keys() - {"count"}:
        return f"{value.get('count', '?')} (hidden)"
    if isinstance(value, dict):  # a number or truth for each key
        return ", ".join(f"{key} {_words(one)}" for key, one in value.items() if one) or "none"
    if isinstance(value, (list, tuple)):
        return ", ".join(map(_words, value))
    if isinstance(value, bool):
        return "yes" if value else "no"
    return "none" if value is None else str(value)
