"""The looks of ground: from the ruleset's hints, else from the words of its values, else one colour after the other."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from rulewright_tools.render.colours import NAMED, full

LANDSCAPE: Mapping[str, tuple[str, str]] = {
    "meadow": ("#c9d99a", "grass"), "grass": ("#c9d99a", "grass"), "grassland": ("#c9d99a", "grass"),
    "pasture": ("#bcd68a", "grass"), "plain": ("#d8dca0", "grass"), "plains": ("#d8dca0", "grass"),
    "field": ("#e6d27c", "grass"), "fields": ("#e6d27c", "grass"),
    "forest": ("#7fae6b", "trees"), "wood": ("#7fae6b", "trees"), "woods": ("#7fae6b", "trees"),
    "jungle": ("#4f9a63", "palms"),
    "village": ("#e3c9a0", "houses"), "house": ("#e3c9a0", "houses"),
    "town": ("#dcb494", "town"), "city": ("#d8a58e", "town"),
    "mine": ("#c3b8a8", "mine"), "quarry": ("#c3b8a8", "mine"),
    "hill": ("#cdbd84", "hills"), "hills": ("#cdbd84", "hills"),
    "mountain": ("#b5a99a", "peaks"), "mountains": ("#b5a99a", "peaks"), "rock": ("#b5a99a", "peaks"),
    "water": ("#a3cbe0", "waves"), "sea": ("#8fbfdb", "waves"), "ocean": ("#8fbfdb", "waves"),
    "lake": ("#a3cbe0", "waves"), "river": ("#a3cbe0", "waves"), "ice": ("#dbeaf0", "ice"), "waste": ("#dfeaf0", "ice"),
    "snow": ("#e6eff3", "ice"), "tundra": ("#d9e6e2", "ice"),
    "swamp": ("#a9b68c", "reeds"), "marsh": ("#a9b68c", "reeds"),
    "desert": ("#ecd9a3", "dunes"), "sand": ("#ecd9a3", "dunes"), "beach": ("#ecd9a3", "dunes"),
}  # fmt: skip
"""Words for landscapes: their colour and their icon."""

SPARE = ("#e6c9a8", "#b9d3c2", "#d9c3dd", "#c3d0e8", "#e9d69b", "#d3dba6", "#e8bfb4", "#c9c4b8")
"""Quiet distinct colours, for values whose names suggest none."""


@dataclass(frozen=True, slots=True)
class Ground:
    """The look of one kind of ground."""

    key: str
    colour: str
    """``#rrggbb``"""
    sign: str
    """At most two letters; empty for ground that needs none."""
    icon: str
    accent: str
    """A stronger colour for details of the icon; empty: none of its own."""
    name: str = ""
    """The name of the ground; empty: its key."""

    @property
    def title(self) -> str:
        """The name of the ground as words."""
        return self.name or self.key.replace("_", " ")


def grounds(
    values: Sequence[str], colours: Mapping[str, str], signs: Mapping[str, str], icons: Mapping[str, str]
) -> dict[str, Ground]:
    """The look of all kinds of ground of a game."""
    spare = iter(range(len(values)))
    short = _signs(values, signs)
    found: dict[str, Ground] = {}
    for key in values:
        words = key.lower().replace("_", " ").split()
        known = next((LANDSCAPE[word] for word in reversed(words) if word in LANDSCAPE), ("", "none"))
        named = next((NAMED[word] for word in words if word in NAMED), "")
        colour = full(NAMED.get(colours[key], colours[key])) if key in colours else known[0] or named
        found[key] = Ground(
            key, colour or SPARE[next(spare) % len(SPARE)], short[key], icons.get(key, known[1]), named
        )  # fmt: skip
    return found


def _signs(values: Sequence[str], given: Mapping[str, str]) -> dict[str, str]:
    """A sign for each value, no two the same: the given one, else one or two letters of its words."""
    taken = set(given.values())
    found: dict[str, str] = {}
    for key in values:
        if key in given:
            found[key] = given[key]
            continue
        words = key.replace("_", " ").split() or ["?"]
        tries = ["".join(word[0] for word in words)[:2], words[0][:2], *(words[0][0] + letter for letter in key[1:])]
        tries += [f"{words[0][0]}{number}" for number in range(1, 10)]
        tries += [f"{letter}{number}" for letter in "abcdefghijklmnopqrstuvwxyz" for number in range(10)]
        found[key] = next((text for text in tries if text not in taken), "?")
        taken.add(found[key])
    return found
