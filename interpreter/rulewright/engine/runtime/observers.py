"""The players who see something, by the audiences of the rules."""

from __future__ import annotations

from rulewright.engine.runtime.machine import Engine
from rulewright.ir.dataflow.effects import NOTHING, EffectAnalysis
from rulewright.ir.model import Audience, Field, Ty, Zone
from rulewright.ir.walk import ExprFacts

NAMED = "named"
"""The facet of a field that names the pieces it mentions, wherever they lie: ``face seen by``."""


def observers(engine: Engine, cells: list[int], declared: Field | Zone, number: int, facets: frozenset[str]) -> int:
    """The players who see one of some facets of a value of a field, or of a zone, as a set; with NAMED only those to
    whom the face of a field is told as such."""
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
