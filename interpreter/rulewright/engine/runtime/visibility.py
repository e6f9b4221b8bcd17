"""The players who see something, by the audiences of the rules, and words for pieces that a player does not see."""

from __future__ import annotations

from collections.abc import Sequence

from rulewright.engine.runtime.machine import Engine
from rulewright.engine.runtime.records import PUBLIC
from rulewright.ir.dataflow.effects import NOTHING, EffectAnalysis
from rulewright.ir.model import Audience, Field, Ty, Zone
from rulewright.ir.walk import ExprFacts

NAMED = "named"
"""The facet of a field that names the pieces it mentions, wherever they lie: ``face seen by``."""


def observers(engine: Engine, cells: list[int], declared: Field | Zone, number: int, facets: frozenset[str]) -> int:
    """The players who see one of some facets of a value of a field, or of a zone, as a set; with NAMED only those to
    who see the face of a field as such."""
    known = engine.cache("observers")
    if not differ_by_key(engine, declared):
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
    if not changes(engine, declared):
        known[key] = found
    return found


def seers_of_all(engine: Engine, cells: list[int], declared: Field | Zone, facets: frozenset[str]) -> int:
    """The players who see one of some facets of it, whatever the keys."""
    known = engine.cache("observers of all")
    key = (isinstance(declared, Field), declared.name, facets)
    if key in known:
        constant: int = known[key]
        return constant
    count = (engine.layout.fields if isinstance(declared, Field) else engine.layout.zones)[declared.name].count
    found = -1
    for number in range(count if differ_by_key(engine, declared) else min(count, 1)):
        found &= observers(engine, cells, declared, number, facets)
        if not found:
            break
    if not changes(engine, declared):
        known[key] = found
    return found


def changes(engine: Engine, declared: Field | Zone) -> bool:
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
    return engine.once("dependence", EffectAnalysis.of)


def names_key(engine: Engine, declared: Field | Zone, audience: Audience) -> bool:
    """True if an audience may be another one for another key."""
    assert audience.by is not None
    known = engine.cache("audiences")
    if id(audience) not in known:
        known[id(audience)] = not ExprFacts({}).free(audience.by).isdisjoint(declared.binders)
    found: bool = known[id(audience)]
    return found


def differ_by_key(engine: Engine, declared: Field | Zone) -> bool:
    """True if it may depend on the key who sees a value or a zone."""
    return any(names_key(engine, declared, a) for a in declared.audiences if a.by is not None)


BACK = "back"
_FACE = frozenset(("face",))
_BACK = frozenset(("face", "back"))
_ANY = frozenset(("face", "back", "count"))


def lies_unseen(engine: Engine, cells: list[int], piece: int, player: int) -> bool:
    """True if a player does not see, and does not remember, the face of a piece where it lies."""
    layout = engine.layout
    if layout.known < 0 or cells[layout.known + player] >> piece & 1:
        return False
    number = cells[layout.loc + piece]
    instance = layout.instances[number]
    if instance.faced and not cells[layout.down] >> piece & 1:
        return False
    return not _see(engine, cells, number, _FACE, player)


def place_of_back(engine: Engine, cells: list[int], piece: int, player: int, offered: bool = False) -> str:
    """A piece that a player does not see as they know it: its back, where it lies, and there in which place.

    Nothing of a zone of which they see nothing, unless it is `offered` to them there, and no place where pieces lie in
    no order.
    """
    number = cells[engine.layout.loc + piece]
    instance = engine.layout.instances[number]
    counts = offered or _see(engine, cells, number, _ANY, player)
    slot = engine.compiled.ctx.support.slot_of(cells, piece) if instance.ordered else -1
    where = f" in {instance.name}" if counts else ""
    shows = engine.program.backs and _see(engine, cells, number, _BACK, player)
    shown = engine.program.backs[piece] if shows else ""
    return (shown or BACK) + where + (f", place {slot + 1}" if where and slot >= 0 else "")


def counting_players(engine: Engine, cells: list[int], piece: int) -> int:
    """The players who see that something lies where a piece lies, as a set."""
    return _seers(engine, cells, cells[engine.layout.loc + piece], _ANY)


def names_by_place(engine: Engine, cells: list[int], pieces: Sequence[int], player: int) -> dict[int, str]:
    """The unseen members of a set of pieces, in rows or stacks where a player does not see their faces, with the words
    for them instead of their names."""
    if engine.layout.known < 0:
        return {}
    ordered = [p for p in pieces if engine.layout.instances[cells[engine.layout.loc + p]].ordered]
    unseen = [p for p in ordered if lies_unseen(engine, cells, p, player)]
    return {piece: place_of_back(engine, cells, piece, player, offered=True) for piece in unseen}


def _see(engine: Engine, cells: list[int], number: int, facets: frozenset[str], player: int) -> bool:
    """True if a player, or with PUBLIC everybody, sees one of these facets of a zone."""
    found = _seers(engine, cells, number, facets)
    return found == (1 << engine.layout.sizes["Player"]) - 1 if player == PUBLIC else bool(found >> player & 1)


def _seers(engine: Engine, cells: list[int], number: int, facets: frozenset[str]) -> int:
    declared = engine.program.zones[engine.layout.instances[number].zone]
    return observers(engine, cells, declared, number - engine.layout.zones[declared.name].first, facets)
