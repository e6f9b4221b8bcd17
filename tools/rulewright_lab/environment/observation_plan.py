"""The plan by which machine code observes a game, out of the layout of observations and the numbers of actions.

Machine code knows what is seen from the declarations alone: what all see, what only its owner sees, what nobody sees.
Where who sees something changes during a game, or players remember hidden pieces, views tell it, and there is no plan.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from rulewright.engine import (
    Engine,
    Observed,
    ObservedField,
    ObservedQuestion,
    ObservedZone,
    Sight,
    ValueForm,
)
from rulewright.ir import Level, level, sight_of
from rulewright.ir import model as m
from rulewright_lab.environment.action_space import ActionSpace
from rulewright_lab.environment.observation import Observations
from rulewright_lab.environment.piece_domain import ANYWHERE
from rulewright_lab.environment.value_encoding import Encoding, Members, Number, Places, Truth
from rulewright_lab.environment.zone_sight import zone_sight


def observation_plan(engine: Engine, actions: ActionSpace, observations: Observations) -> Observed | None:
    """The plan; None if the game has something in it that only views tell."""
    layout, program = engine.layout, engine.program
    sight = zone_sight(engine)
    if sight is None or (layout.known >= 0 and any(field.ty.universe == "Piece" for field in program.fields)):
        return None
    parts = {part.name: part for part in observations.parts}
    kinds = engine.interchange.kind
    fields = []
    for part, encoding, _, field in observations.fields.values():
        seen, form = _sight(engine, field), _form(engine, field.ty, encoding)
        if seen is None or form is None or "Piece" in field.index:
            return None
        owner = _owner(engine, field) if seen == "owner" else (1, 1)
        if owner is None:
            return None
        optional = bool(field.ty.optional)
        fields.append(ObservedField(field.name, part.offset, part.shape[1], form, optional, seen, owner))
    zones = []
    keys = layout.universes["Piece"].keys if "Piece" in layout.universes else ()
    for zone in program.zones:
        part, _, places = observations.zones[zone.name]
        columns = tuple(places.get(key, 0) for key in keys)
        zones.append(ObservedZone(zone.name, part.offset, part.shape[1], columns, sight_of(program).open(zone)))
    return Observed(
        observations.size,
        actions.count,
        seat=parts["seat"].offset,
        asked=parts["asked"].offset,
        question=parts["question"].offset,
        out=parts["out"].offset,
        over=parts["over"].offset,
        first=parts["first"].offset,
        fields=tuple(fields),
        zones=tuple(zones),
        regions=tuple((name, parts[f"region {name}"].offset) for name in layout.merged),
        questions=_questions(engine, actions, kinds),
        kinds=tuple(sorted(set(kinds)).index(kind) for kind in kinds),
        faces=sight.faces if layout.known >= 0 else (),
        anything=sight.anything if layout.known >= 0 else (),
    )


def _questions(engine: Engine, actions: ActionSpace, kinds: Sequence[int]) -> tuple[ObservedQuestion, ...]:
    """The questions to players with the numbers of their answers."""
    found, columns = [], {one.name: n for n, one in reversed(list(enumerate(actions.questions)))}
    printed, zones = sorted(set(kinds)), [*range(len(engine.layout.instances))]
    if engine.layout.known >= 0:
        printed, zones = [*printed, m.NONE], [*zones, ANYWHERE]
    for (function, pc), question, low, members, pieces in actions.places():
        looks: tuple[int, ...] = ()
        if pieces is not None:
            looks = tuple(pieces.first(zone, kind) for zone in zones for kind in printed)
        found.append(ObservedQuestion(function, pc, columns[question.name], question.first, low, members, looks))
    return tuple(found)


def _sight(engine: Engine, field: m.Field) -> Sight | None:
    """The players who see the values of a field: ``all``, ``owner`` or ``none``; None if that varies."""
    levels = sight_of(engine.program).levels(field)
    if Level.EVERYBODY in levels:
        return "all"
    if levels <= {Level.NOBODY}:
        return "none"
    return "owner" if levels <= {Level.NOBODY, Level.OWNER} else None


def _owner(engine: Engine, field: m.Field) -> tuple[int, int] | None:
    """The rows from one owner to the next, and the number of owners; None if there is more than one key that may be
    the owner."""
    players = engine.program.players
    owning = {
        position
        for audience in field.audiences
        for position, binder in enumerate(field.binders)
        if audience.facet in ("face", "all") and level(audience.by, (binder,), players) is Level.OWNER
    }
    if len(owning) != 1:
        return None
    (position,) = owning
    place = engine.layout.fields[field.name]
    return place.strides[position] // place.span, players


def _form(engine: Engine, ty: m.Ty, encoding: Encoding) -> ValueForm | None:
    """The form of a value; None if machine code has none for it."""
    if isinstance(encoding, Places):
        item = _form_of_one(engine, ty, encoding.item)
        if item is None:
            return None
        kind: Any = item.kind
        return item._replace(kind="places", width=encoding.width, item=kind, capacity=encoding.capacity)
    form = _form_of_one(engine, ty, encoding)
    if form is None or form.kind != "members" or ty.kind not in ("list", "set"):
        return form
    return form._replace(kind="counts" if ty.kind == "list" else "members", capacity=max(1, ty.capacity))


def _form_of_one(engine: Engine, ty: m.Ty, encoding: Encoding) -> ValueForm | None:
    """The form of a value, or of an item of one."""
    if isinstance(encoding, Truth):
        return ValueForm("truth", 1)
    if isinstance(encoding, Number):
        return ValueForm("number", 1, encoding.unit)
    assert isinstance(encoding, Members)
    if encoding.low is not None:
        return ValueForm("members", encoding.width, low=encoding.low)
    if ty.universe not in engine.layout.universes:
        return None
    columns = tuple(encoding.column[key] for key in engine.layout.universes[ty.universe].keys)
    return ValueForm("members", encoding.width, columns=() if columns == tuple(range(len(columns))) else columns)
