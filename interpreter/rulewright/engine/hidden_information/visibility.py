"""Visibility of fields and zones to a player: the audiences of the rules, evaluated in a state.

Views tell it, :mod:`rulewright.engine.hidden_information.determinization` leaves it as it is.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import reduce
from operator import and_

from rulewright.engine.cells.layout import Instance
from rulewright.engine.cells.support import bits_of
from rulewright.engine.runtime.machine import Engine
from rulewright.engine.runtime.records import PUBLIC
from rulewright.engine.runtime.snapshot import Snapshot
from rulewright.ir.dataflow.effects import NOTHING, EffectAnalysis
from rulewright.ir.model import Audience, Field, Ty, Zone
from rulewright.ir.walk import Facts
from rulewright.lazy_dataclass import dataclass

EVERYTHING = frozenset(("face", "count", "back"))
NAMED = "named"
"""The facet of a field that names the pieces it mentions, wherever they lie: ``face seen by``."""


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
    """The pieces that they see lying there, in the order in which they are told of them."""
    known: frozenset[int]
    """Those of them whose face they see."""
    backs: bool
    """True if they see the backs of the others."""


def seen(state: Snapshot, declared: Field | Zone, player: int | None) -> Seen:
    """A player's sight of a field or zone. Most audiences never change, and are evaluated only once."""
    known = state.engine.cache("seen")
    key = (isinstance(declared, Field), declared.name, player)
    if key in known:
        found: Seen = known[key]
        return found
    rows = _rows(state, declared, player)
    result = Seen(rows, all("face" in facets for facets in dict.fromkeys(rows)))
    if player is None or not _changes(state.engine, declared):
        known[key] = result
    return result


def seers(engine: Engine, cells: list[int], declared: Field | Zone, number: int, facets: frozenset[str]) -> int:
    """The players who see one of some facets of a value of a field, or of a zone, as a set; with NAMED only those to
    whom the face of a field is told as such."""
    known = engine.cache("seers")
    if not _differ_by_key(engine, declared):
        number = 0
    key = (isinstance(declared, Field), declared.name, number, facets)
    if key in known:
        constant: int = known[key]
        return constant
    types = tuple(Ty("entity", universe) for universe in declared.index)
    keys = engine.layout.keys_of(number, declared.index)
    found = 0
    for audience in declared.audiences:
        seen_there = audience.facet in facets or (audience.facet == "all" and NAMED not in facets)
        if audience.by is not None and seen_there:
            function = engine.compiled.expression(audience.by, declared.binders, types)
            found |= engine.call(function, cells, cells, *keys)
    if not _changes(engine, declared):
        known[key] = found
    return found


def seers_of_all(engine: Engine, cells: list[int], declared: Field | Zone, facets: frozenset[str]) -> int:
    """The players who see one of some facets of it, whatever the keys."""
    known = engine.cache("seers of all")
    key = (isinstance(declared, Field), declared.name, facets)
    if key in known:
        constant: int = known[key]
        return constant
    count = (engine.layout.fields if isinstance(declared, Field) else engine.layout.zones)[declared.name].count
    found = -1
    for number in range(count if _differ_by_key(engine, declared) else min(count, 1)):
        found &= seers(engine, cells, declared, number, facets)
        if not found:
            break
    if not _changes(engine, declared):
        known[key] = found
    return found


def _changes(engine: Engine, declared: Field | Zone) -> bool:
    """True if it depends on the state of the game who sees something."""
    known = engine.cache("audiences that change")
    key = (isinstance(declared, Field), declared.name)
    if key not in known:
        depend = dependence(engine)
        known[key] = any(depend.reads(a.by) != NOTHING for a in declared.audiences if a.by is not None)
    found: bool = known[key]
    return found


def dependence(engine: Engine) -> EffectAnalysis:
    """The reads of a game's expressions, computed once."""
    known = engine.cache("dependence")
    if not known:
        known["all"] = EffectAnalysis.of(engine.program)
    found: EffectAnalysis = known["all"]
    return found


def _rows(state: Snapshot, declared: Field | Zone, player: int | None) -> list[frozenset[str]]:
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
        same = not _names_key(state.engine, declared, audience)
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


def _names_key(engine: Engine, declared: Field | Zone, audience: Audience) -> bool:
    """True if an audience may be another one for another key."""
    assert audience.by is not None
    known = engine.cache("audiences")
    if id(audience) not in known:
        known[id(audience)] = not Facts({}).free(audience.by).isdisjoint(declared.binders)
    found: bool = known[id(audience)]
    return found


def _differ_by_key(engine: Engine, declared: Field | Zone) -> bool:
    """True if it may depend on the key who sees a value or a zone."""
    return any(_names_key(engine, declared, a) for a in declared.audiences if a.by is not None)


def sight(state: Snapshot, instance: Instance, facets: frozenset[str], player: int | None) -> Sight:
    """A player's sight of a zone of which they see these facets; what they remember, they know too."""
    pieces = contents(state.cells, instance)
    known = frozenset(bits_of(known_faces(state, instance, facets, player)))
    shown = pieces if facets else tuple(piece for piece in pieces if piece in known)
    if not instance.ordered:
        # In canonical order a piece whose face is hidden would be told by its place in the list.
        shown = tuple(sorted(shown, key=lambda piece: piece not in known))
    return Sight(bool(facets), "face" in facets, pieces, shown, known, "back" in facets)


def known_faces(state: Snapshot, instance: Instance, facets: frozenset[str], player: int | None) -> int:
    """The pieces in a zone whose faces a player sees or remembers, as a set; of the zone they see these facets."""
    lying = contained(state.cells, instance)
    if not lying or "face" in facets:
        return lying
    up = ~state.cells[state.engine.layout.down] if instance.faced else 0
    return lying & (up | _told(state, player))


def contained(cells: Sequence[int], instance: Instance) -> int:
    """All that lies in a zone, as a set."""
    at = instance.at
    return sum([1 << piece for piece in cells[at + 1 : at + 1 + cells[at]]]) if instance.ordered else cells[at]


def _told(state: Snapshot, player: int | None) -> int:
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
