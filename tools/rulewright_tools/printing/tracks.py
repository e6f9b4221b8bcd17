"""Tracks on which the numbers of players are kept, and the pawns that stand on them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from rulewright_tools.printing import pictures
from rulewright_tools.printing.components import Component, Face, Group
from rulewright_tools.printing.layout import Layout, headed

_LAST = 99
"""The last number of a track, unless the layout has another one."""

PAWN = (16.0, 16.0)
"""Width and height in millimetres: several stand on one field of a track."""


@dataclass(frozen=True, slots=True)
class Track:
    """A track from 0 to its last number."""

    source: str
    """The field or query of which it keeps the values."""
    name: str
    last: int


def tracks(layout: Layout) -> tuple[Track, ...]:
    """The numbers of players and parties that are drawn, and those that the layout names."""
    return tuple(Track(name, headed(layout.words(name)), last) for name, last, _ in _found(layout) if last)


def pawns(layout: Layout, *, pale: bool) -> tuple[Group, ...]:
    """A pawn of each owner for each track."""
    found = []
    for name, last, universe in _found(layout):
        if last:
            faces = (
                Face(f"{layout.title(key)} {layout.words(name)}", colour=(colour := layout.palette.colour(key)),
                     picture=pictures.piece("disc", colour, layout.palette.label(key)[:3], pale))
                for key in layout.model.keys(universe)
            )  # fmt: skip
            components = tuple(Component(face, None, 1) for face in faces)
            title = layout.names.phrase("pawns: {name}", name=layout.words(name))
            found.append(Group(f"{name} track", title, "token", *PAWN, components))
    return tuple(found)


def _found(layout: Layout) -> Iterator[tuple[str, int, str]]:
    """Each number with the last one of its track, and the universe of its owners."""
    for field in layout.model.fields:
        if len(field.index) == 1 and field.index[0] in layout.owners and field.type.kind == "int":
            usual = min(field.type.high, _LAST) if not field.type.optional else 0
            seen = field.name not in layout.hints.hides
            yield field.name, layout.tracks.get(field.name, usual if seen else 0), field.index[0]
    for query in layout.model.queries:
        if query.name in layout.tracks and len(query.index) == 1 and query.index[0] in layout.owners:
            yield query.name, layout.tracks[query.name], query.index[0]
