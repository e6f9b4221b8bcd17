"""The options of a decision, in groups, and the one that a person means."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Literal

import rulewright as rw
from rulewright_tools.render.picture import Picture
from rulewright_tools.render.place_lookup import PlaceLookup, only

Sort = Literal["place", "edge", "piece", "other"]

WORDY = 3
"""A part of a key shorter than this means nothing."""

_CAPITAL = re.compile(r"(?<=[a-z])(?=[A-Z])")
"""The beginning of a word within a name such as ``WarHorse``."""


@dataclass(frozen=True, slots=True)
class OptionQuery:
    """The meaning of a line of input."""

    option: rw.Option | None = None
    key: str = ""
    """An element of the game that is no option, for the question why not."""
    candidates: tuple[str, ...] = ()
    """Options of which any could be meant."""
    hint: str = ""
    """The part that is missing."""


class Choices:
    """Sorts and finds the options of one game."""

    def __init__(self, game: rw.Game) -> None:
        self._boards = game.model.boards
        self._lookups = {board.place: PlaceLookup(game, board) for board in self._boards}
        self._no_map = PlaceLookup(game)
        self.names = rw.display_names.DisplayNames(game.ruleset.manifest)
        self._keys = {name: universe.keys for name, universe in game.model.universes.items()}
        self._kinds = [(kind.name, frozenset(kind.members)) for kind in game.model.kinds]
        self._sorts: dict[str, Sort] = {board.place: "place" for board in self._boards}
        self._sorts |= {board.edge: "edge" for board in self._boards if board.edge is not None}
        self._sorts["Piece"] = "piece"

    def universe(self, decision: rw.Decision) -> str:
        """The places, edges or pieces that are chosen from, words such as ``done`` aside; empty: none of them."""
        members = [option for option in decision.options if not option.extra]
        named = sorted(self._sorts, key=lambda universe: universe != decision.universe)  # regions are named by places
        for universe in named if members else ():
            keys = self._keys.get(universe, ())
            if all(option.value < len(keys) and _of(option, keys) for option in members):
                return universe
        return ""

    def sort(self, decision: rw.Decision) -> Sort:
        """The sort of thing that is chosen from."""
        return self._sorts.get(self.universe(decision), "other")

    def board(self, decision: rw.Decision) -> rw.view_model.Board | None:
        """The map of which places or edges are chosen; the first one if none are. None if there is no map."""
        universe = self.universe(decision)
        return next((one for one in self._boards if universe in (one.place, one.edge)), next(iter(self._boards), None))

    def lookup(self, decision: rw.Decision) -> PlaceLookup:
        """The names of the places and edges of that map."""
        board = self.board(decision)
        return self._lookups[board.place] if board is not None else self._no_map

    def noun(self, decision: rw.Decision) -> str:
        """A noun for what is chosen: the name in the rules, or the kind of thing if that is a letter only."""
        sort = self.sort(decision)
        if len(decision.label) > 1 or sort == "other":
            return self.names.name(decision.label)
        name = self.universe(decision).lower()
        return f"{'an' if name[0] in 'aeiou' else 'a'} {name}"

    def kind(self, decision: rw.Decision) -> str:
        """The kind of thing that is chosen from, in words, such as ``tile`` or ``number``; empty if it has no name."""
        members = [option for option in decision.options if not option.extra]
        sort = self.sort(decision)
        name = self.universe(decision) if sort in ("place", "edge") else ""
        if not members:
            return ""
        if sort == "piece":
            values = {option.value for option in members}
            alike = [kind for kind in self._kinds if values <= kind[1]]
            name = min(alike, key=lambda kind: len(kind[1]))[0] if alike else ""
        elif sort == "other":
            keys = {option.key for option in members}
            named = [universe for universe, known in self._keys.items() if keys <= {*known}]
            if all(key.removeprefix("-").isdigit() for key in keys):
                return self.names.phrase("number")
            name = named[0] if len(named) == 1 else ""
        return self.names.name(_CAPITAL.sub(" ", name).lower())

    def possible(self, decision: rw.Decision | None) -> dict[str, frozenset[str]]:
        """The places or edges that may be chosen, to be marked on the board: by the universe of the places of their
        map."""
        if decision is None or self.sort(decision) not in ("place", "edge"):
            return {}
        board = self.board(decision)
        assert board is not None
        return {board.place: frozenset(option.key for option in decision.options if not option.extra)}

    def wanted(self, decision: rw.Decision, line: str, picture: Picture) -> OptionQuery:
        """The option that is meant by its key, by a place, by a part of its key, or by its number."""
        by_key = {option.key: option for option in decision.options}
        if line in by_key:
            return OptionQuery(by_key[line])
        sort = self.sort(decision)
        found = {"place": self._by_place, "edge": self._by_edge}.get(sort, self._by_name)(decision, line, picture)
        if found is not None and not found.key:
            return found
        if line.isascii() and line.isdigit() and len(line) < 6 and 1 <= int(line) <= len(decision.options):
            return OptionQuery(decision.options[int(line) - 1])
        return self._by_words(decision, line) or found or OptionQuery()

    def _by_place(self, decision: rw.Decision, line: str, picture: Picture) -> OptionQuery | None:
        lookup = self.lookup(decision)
        key = lookup.place(line)
        if key is not None:
            return _taken(decision, key)
        if (edge := lookup.edge(line)) is not None:
            return OptionQuery(
                hint=f"{edge} is an edge; {decision.who} chooses a place, such as {decision.options[0].key}."
            )
        return self._nowhere(lookup, line)

    def _by_edge(self, decision: rw.Decision, line: str, picture: Picture) -> OptionQuery | None:
        lookup = self.lookup(decision)
        key = lookup.edge(line)
        if key is not None:
            return _taken(decision, key)
        place = lookup.place(line)
        if place is not None:
            offered = {option.key for option in decision.options}
            around = [way for way, edge in lookup.at(place) if edge in offered]
            if around:
                return OptionQuery(
                    hint=f"Which side of {place}? Possible: {', '.join(around)}; write `{line} {around[0]}`."
                )
            sides = lookup.at(place)
            more = f"; `why {line} {sides[0][0]}` says why" if sides else ""
            return OptionQuery(hint=f"No side of {place} is possible{more}.")
        return self._nowhere(lookup, line)

    def _nowhere(self, lookup: PlaceLookup, line: str) -> OptionQuery | None:
        """A query about a text that is written like a place, an edge or a way, but is none on this map."""
        if not lookup.written(line):
            return None
        return OptionQuery(hint=f"There is nothing at {line[:60]!r} on the map.")

    def _by_name(self, decision: rw.Decision, line: str, picture: Picture) -> OptionQuery | None:
        """A piece by the place where it lies."""
        meant = {universe: one.place(line) for universe, one in self._lookups.items() if not line.isdigit()}
        spots = [spot for one in picture.maps for spot in one.spots if spot.key == meant.get(one.place)]
        lying = {item.key for spot in spots for item in spot.items}
        members = [option for option in decision.options if not option.extra]
        pieces = self._keys["Piece"] if self.sort(decision) == "piece" else ()
        found = [o for o in members if o.key in lying or (pieces and pieces[o.value] in lying)]
        found = [
            o for o in found if " in " not in o.key or any(f"[{place}]" in o.key for place in meant.values())
        ] or found
        if len(found) == 1:
            return OptionQuery(found[0])
        return OptionQuery(candidates=tuple(option.key for option in found)) if found else None

    def _by_words(self, decision: rw.Decision, line: str) -> OptionQuery | None:
        """An option by the beginning of its key, or by words in it."""
        keys = [option.key for option in decision.options]
        if (key := only(line, keys)) is not None:
            return _taken(decision, key)
        called = {self.names.key(key): key for key in keys}
        if (key := only(line, list(called))) is not None:
            return _taken(decision, called[key])
        wanted = line.lower().replace("_", " ").strip()
        begun = [key for key in keys if key.lower().replace("_", " ").startswith(wanted)]
        within = begun or [key for key in keys if len(wanted) >= WORDY and wanted in key.lower().replace("_", " ")]
        if not wanted or not within or line[0].isdigit():
            return None
        return _taken(decision, within[0]) if len(within) == 1 else OptionQuery(candidates=tuple(within))


def _of(option: rw.Option, keys: tuple[str, ...]) -> bool:
    plain = keys[option.value] if option.value >= 0 else ""
    return option.key == plain or option.key.startswith((f"{plain} ", f"{plain}, "))


def _taken(decision: rw.Decision, key: str) -> OptionQuery:
    option = next((option for option in decision.options if option.key == key), None)
    return OptionQuery(option, key if option is None else "")
