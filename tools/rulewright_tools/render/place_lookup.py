"""The places and edges of a map, found by what a person writes: ``3 4``, ``3,4 east``, ``3 4 - 3 5``, ``river``."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

import rulewright as rw

_NUMBERS = re.compile(r"-?\d+")
_LIMIT = 200
"""The largest number of letters in the name of a place."""


class PlaceLookup:
    """Knows how the places of a map are written: of the first one, if none is named."""

    def __init__(self, game: rw.Game, board: rw.view_model.Board | None = None) -> None:
        board = board or game.model.board
        graph = game.places(board.name if board is not None else "")
        self.shape: str = graph.graph.get("shape", "")
        self.places: tuple[str, ...] = tuple(graph.nodes)
        self._edges: dict[frozenset[str], str] = {}
        if board is not None and board.edge is not None:
            self._edges = {frozenset((one, other)): data["key"] for one, other, data in graph.edges()}
        self._toward: dict[str, dict[str, str]] = {key: graph.nodes[key].get("toward", {}) for key in self.places}
        self._numbers = {numbers: key for key in self.places if (numbers := _bare(key)) is not None}
        directions = dict.fromkeys(way for ways in self._toward.values() for way in ways)
        self.directions = tuple(way for way in directions if self._joins(way))
        """The directions in which edges lie, clockwise."""
        self._ways = {_initials(way): way for way in self.directions} | {way: way for way in self.directions}

    @property
    def edges(self) -> Iterable[str]:
        """The keys of all edges that the rules mention."""
        return self._edges.values()

    def ends(self, edge: str) -> tuple[str, ...]:
        """The two places that an edge joins."""
        return tuple(sorted(next(ends for ends, key in self._edges.items() if key == edge), key=self.places.index))

    def at(self, place: str) -> list[tuple[str, str]]:
        """The edges around a place, each with what to write for it: a direction, or the place on the other side."""
        ways = {other: _initials(way) for way, other in self._toward[place].items()}
        return [
            (ways.get(other, f"- {other}"), key)
            for ends, key in self._edges.items()
            if place in ends
            for other in ends - {place}
        ]

    def place(self, text: str) -> str | None:
        """The place that is meant: its key, its numbers, or its name, or the only one that begins so."""
        text = text[:_LIMIT].strip()
        if text in self._toward:
            return text
        if (numbers := _bare(text)) is not None:
            return self._numbers.get(numbers)
        return only(text, self.places)

    def edge(self, text: str) -> str | None:
        """The edge that is meant: its key, two places, or a place and a direction."""
        text = text[:_LIMIT].strip()
        for one, other in self._halves(text):
            first = self.place(one)
            if first is None:
                continue
            second = self._toward[first].get(self._ways.get(other.lower(), "")) or self.place(other)
            if second is not None and (key := self._edges.get(frozenset((first, second)))):
                return key
        return None

    def written(self, text: str) -> bool:
        """True if a text looks like a place or an edge: several numbers, or something and a direction."""
        text = text[:_LIMIT]
        numbers = _bare(text) or ()
        return len(numbers) > 1 or any(other.lower() in self._ways for _, other in self._halves(text))

    def _halves(self, text: str) -> list[tuple[str, str]]:
        """All ways to take a text for two places, or for a place and a direction."""
        marked = [text.partition(mark)[::2] for mark in ("|", " - ", " to ") if mark in text]
        if marked:
            return [(one.strip(" -"), other.strip(" -")) for one, other in marked]
        if (numbers := _NUMBERS.findall(text)) and _bare(text) is not None:
            middle = len(numbers) // 2
            return [(" ".join(numbers[:middle]), " ".join(numbers[middle:]))] if len(numbers) % 2 == 0 else []
        # `3,4e` is as good as `3,4 e`.
        spaced = re.sub(r"(?<=\d)\)?(?=[a-zA-Z])", ") " if "(" in text else " ", text)
        words = re.split(r"[\s,]+", spaced)
        halves = []
        for cut in (1, 2):
            if len(words) > cut:
                halves.append((" ".join(words[:-cut]), "_".join(words[-cut:])))
        return halves + [(" ".join(words[:cut]), " ".join(words[cut:])) for cut in range(1, len(words))]

    def _joins(self, way: str) -> bool:
        return any(frozenset((key, ways[way])) in self._edges for key, ways in self._toward.items() if way in ways)


def only(text: str, names: Sequence[str]) -> str | None:
    """The one name that is meant, upper or lower case alike: the whole name, else the only one that begins so."""
    wanted = text.lower().replace("_", " ")
    if not wanted:
        return None
    plain = {name: name.lower().replace("_", " ") for name in names}
    whole = [name for name, words in plain.items() if words == wanted]
    begun = [name for name, words in plain.items() if words.startswith(wanted)]
    return whole[0] if len(whole) == 1 else begun[0] if len(begun) == 1 and not whole else None


def _bare(text: str) -> tuple[int, ...] | None:
    """The numbers of a text that consists of numbers only."""
    found = _NUMBERS.findall(text)
    rest = _NUMBERS.sub("", text)
    if not found or rest.strip(" ()[],;/.:") or any(len(number) > 6 for number in found):
        return None
    return tuple(int(number) for number in found)


def _initials(way: str) -> str:
    return "".join(word[0] for word in way.split("_"))
