"""Colours and short signs for pieces: from the ruleset's hints, else from the words of their keys."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from hashlib import blake2b
from itertools import chain

NAMED: Mapping[str, str] = {
    "red": "#c8372d",
    "orange": "#e07b28",
    "yellow": "#e3b922",
    "green": "#3f9142",
    "blue": "#2f6fb5",
    "purple": "#7d4aa3",
    "violet": "#7d4aa3",
    "pink": "#e08bab",
    "brown": "#8a5a34",
    "black": "#2e2e33",
    "white": "#f4f1ea",
    "grey": "#8d8d93",
    "gray": "#8d8d93",
    "gold": "#c99a2e",
    "silver": "#b4b8bf",
    "copper": "#c0703c",
    "bronze": "#a9743a",
    "iron": "#6d7480",
    "diamond": "#7cc9e8",
    "ruby": "#b3223f",
    "emerald": "#2f9a67",
    "sapphire": "#2f57a8",
    "cyan": "#39a3a8",
    "turquoise": "#39a3a8",
    "teal": "#2c7f7c",
    "navy": "#2c3e66",
    "maroon": "#7a2e35",
    "olive": "#7d7a2c",
    "beige": "#e6dcc3",
    "ivory": "#f5f0df",
    "tan": "#c9a77a",
    "sand": "#dfcfa4",
    "crimson": "#b0243c",
    "magenta": "#b8408c",
    "lime": "#93bb3a",
    "indigo": "#4a4a94",
}
"""Words that are colours wherever they stand in a key."""

SPARE = ("#b5533c", "#3f7f93", "#8f7b2a", "#6a5aa0", "#5d8a4c", "#a04f7c", "#4a6fa5", "#a0702f")
"""For keys without a colour word."""

BACK = "#8d8d93"


class Palette:
    """The colours, signs and shapes of one game."""

    def __init__(
        self,
        colours: Mapping[str, str] | None = None,
        labels: Mapping[str, str] | None = None,
        shapes: Mapping[str, str] | None = None,
        words: Mapping[str, Sequence[str]] | None = None,
        owners: Sequence[str] = (),
    ) -> None:
        self._colours = dict(colours or {})
        self._labels = dict(labels or {})
        self._shapes = dict(shapes or {})
        self._words = dict(words or {})
        bare = dict.fromkeys(owner for owner in owners if not self.coloured(owner))
        self._spare = {owner: SPARE[number % len(SPARE)] for number, owner in enumerate(bare)}
        """Colours for players and sides without a colour word: no two the same, as long as there are enough."""

    def colour(self, key: str) -> str:
        """The colour of a piece, seat or value, as ``#rrggbb``: by the key, by what is known of it, by its words."""
        for candidate in (key, *self._words.get(key, ()), *key.lower().split()):
            for table in (self._colours, NAMED):
                if (found := table.get(candidate)) is not None:
                    return full(NAMED.get(found, found))
        return self._spare.get(key) or SPARE[blake2b(key.encode(), digest_size=1).digest()[0] % len(SPARE)]

    def ground(self, word: str) -> str:
        """The colour that a word or ``#rgb`` means, for places and the sheet."""
        return full(self._colours.get(word, NAMED.get(word, word)))

    def coloured(self, key: str) -> bool:
        """True if the colour means something, and is not arbitrary."""
        words = (key, *self._words.get(key, ()), *key.lower().split())
        return any(word in table for word in words for table in (self._colours, NAMED))

    def shape(self, key: str) -> str:
        """The shape in which a piece is drawn; a disc by default."""
        return self._hint(self._shapes, key) or "disc"

    def label(self, key: str) -> str:
        """A short text that the ruleset gives for a piece, place or value; empty if there is none."""
        return self._hint(self._labels, key)

    def signs(self, keys: Sequence[str]) -> dict[str, str]:
        """A short sign for each key, no two the same: its label, else the first letters of its words.

        Pieces of one kind share a label; a letter before it distinguishes their colours, a number after it the rest.
        """
        labelled = [self.label(key) for key in keys]
        found: dict[str, str] = {}
        taken: set[str] = set()
        for key, label in zip(keys, labelled, strict=True):
            tries = _shorter(key)
            if label and labelled.count(label) == 1:
                tries = chain([label], tries)
            elif label:
                words = key.split()
                number = words[-1] if words[-1].isdigit() else ""
                tries = chain((f"{text}{label}{number}" for text in _shorter(words[0])), tries)
            sign = next(text for text in tries if text not in taken)
            taken.add(sign)
            found[key] = sign
        return found

    def _hint(self, table: Mapping[str, str], key: str) -> str:
        for candidate in (key, *self._words.get(key, ()), *reversed(key.split())):
            if candidate in table:
                return table[candidate]
        return ""


def full(colour: str) -> str:
    """A colour as ``#rrggbb``; names that this module does not know are grey."""
    if len(colour) == 4 and colour.startswith("#"):
        return "#" + "".join(digit * 2 for digit in colour[1:])
    return colour if colour.startswith("#") else BACK


def _shorter(key: str) -> Iterator[str]:
    words = key.split() or ["?"]
    initials = "".join(word if word.isdigit() else word[0] for word in words)
    yield initials
    first, rest = words[0], "".join(word if word.isdigit() else word[0] for word in words[1:])
    yield from (first[:length] + rest for length in range(2, len(first) + 1))
    yield from (f"{initials}{number}" for number in range(2, 1000))


def dark(colour: str) -> bool:
    """True if light text is better read on this colour."""
    red, green, blue = (int(colour[start : start + 2], 16) for start in (1, 3, 5))
    return 299 * red + 587 * green + 114 * blue < 140_000
