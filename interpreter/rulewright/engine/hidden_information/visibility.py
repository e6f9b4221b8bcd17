"""Visibility of fields and zones to a player: the audiences of the rules, evaluated in a state.

Views show it, :mod:`rulewright.engine.hidden_information.worlds.determinization` leaves it as it is.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import reduce
from operator import and_

from rulewright.engine.cells.layout import Instance
from rulewright.engine.runtime.position import Position
from rulewright.engine.runtime.records import PUBLIC
from rulewright.engine.runtime.visibility import NAMED, changes, dependence, names_key, observers, seers_of_all
from rulewright.foundation.bit_sets import bits_of
from rulewright.foundation.lazy_dataclass import dataclass
from rulewright.ir.model import Field, Ty, Zone

EVERYTHING = frozenset(("face", "count", "back"))


@dataclass(frozen=True, slots=True)
class Seen:
    """A player's sight of the values of a field, or of the zones of a declaration."""

    rows: list[frozenset[str]]
    """For each of them, row by row, the facets that they see."""
    faces: bool
    """True if they see the face of all."""


@dataclass(frozen=True, slots=True)
class Sight:
    """A player's sight of one zone."""

    seen: bool
    """True if they see anything of it but pieces that lie face up for all, or that they remember."""
    face: bool
    """True if they see the face of everything in it."""
    pieces: tuple[int, ...]
    """All that lies there: a stack from the top, a row from its first slot, else by number."""
    shown: tuple[int, ...]
    """The pieces that they see lying there, in the order in which they are listed."""
    known: frozenset[int]
    """The pieces whose face they see."""
    backs: bool
    """True if they see the backs of the others."""


def seen(state: Position, declared: Field | Zone, player: int | None) -> Seen:
    """A player's sight of a field or zone. Most audiences never change, and are evaluated only once."""
    known = state.engine.cache("seen")
    key = (isinstance(declared, Field), declared.name, player)
    if key in known:
        found: Seen = known[key]
        return found
    rows = _rows(state, declared, player)
    result = Seen(rows, all("face" in facets for facets in dict.fromkeys(rows)))
    if player is None or not changes(state.engine, declared):
        known[key] = result
    return result


def _rows(state: Position, declared: Field | Zone, player: int | None) -> list[frozenset[str]]:
    layout = state.engine.layout
    count = (layout.fields if isinstance(declared, Field) else layout.zones)[declared.name].count
    if player is None:
        return [EVERYTHING] * count
    rows: list[frozenset[str]] = [frozenset()] * count
    everyone = (1 << layout.sizes["Player"]) - 1
    types = tuple(Ty("entity", universe) for universe in declared.index)
    for audience in declared.audiences:
        if audience.by is None:
            continue
        facets = EVERYTHING if audience.facet == "all" else frozenset((audience.facet,))
        if audience.facet == "face" and isinstance(declared, Field):
            facets |= {NAMED}
        function = state.engine.compiled.expression(audience.by, declared.binders, types)
        # Most audiences are the same for each key; then one question is enough.
        same = not names_key(state.engine, declared, audience)
        for number in range(1 if same else count):
            keys = layout.keys_of(number, declared.index)
            players = state.engine.call(function, state.cells, state.cells, *keys, memory=state.memory)
            if players >> player & 1 if player != PUBLIC else players == everyone:
                if same:
                    joined = {row: row | facets for row in dict.fromkeys(rows)}
                    rows = [joined[row] for row in rows]
                else:
                    rows[number] |= facets
    return rows


def sight(state: Position, instance: Instance, facets: frozenset[str], player: int | None) -> Sight:
    """A player's sight of a zone of which they see these facets; what they remember, they know too."""
    pieces = contents(state.cells, instance)
    known = frozenset(bits_of(known_faces(state, instance, facets, player)))
    shown = pieces if facets else tuple(piece for piece in pieces if piece in known)
    if not instance.ordered:
        # In canonical order a piece whose face is hidden would be revealed by its place in the list.
        shown = tuple(sorted(shown, key=lambda piece: piece not in known))
    return Sight(bool(facets), "face" in facets, pieces, shown, known, "back" in facets)


def known_faces(state: Position, instance: Instance, facets: frozenset[str], player: int | None) -> int:
    """The pieces in a zone whose faces a player sees or remembers, as a set; of the zone they see these facets."""
    lying = contained(state.cells, instance)
    if not lying or "face" in facets:
        return lying
    up = ~state.cells[state.engine.layout.down] if instance.faced else 0
    return lying & (up | _known_faces_of_lines(state, player))


def contained(cells: Sequence[int], instance: Instance) -> int:
    """All that lies in a zone, as a set."""
    at = instance.at
    return sum([1 << piece for piece in cells[at + 1 : at + 1 + cells[at]]]) if instance.ordered else cells[at]


def _known_faces_of_lines(state: Position, player: int | None) -> int:
    """The pieces that a player knows where they lie, though their faces are hidden there."""
    C, layout = state.cells, state.engine.layout
    if layout.known < 0 or player is None:
        return 0
    if player != PUBLIC:
        return C[layout.known + player]
    return reduce(and_, C[layout.known : layout.known + layout.sizes["Player"]])


def contents(cells: Sequence[int], instance: Instance) -> tuple[int, ...]:
    """All that lies in a zone: a stack from the top, a row from its first slot, else by number."""
    if not instance.ordered:
        return tuple(bits_of(cells[instance.at]))
    pieces = tuple(cells[instance.at + 1 : instance.at + 1 + cells[instance.at]])
    return pieces[::-1] if instance.stack else pieces


__all__ = [
    "EVERYTHING", "NAMED", "Seen", "Sight", "contained", "contents", "dependence", "known_faces", "seen", "observers",
    "seers_of_all", "sight",
]  # fmt: skip
