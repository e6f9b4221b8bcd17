"""The plan by which machine code observes a game, out of the layout of observations and the numbers of actions.

Machine code knows what is seen from the declarations alone: what all see, what only its owner sees, what no player
sees. Where who sees something changes during a game, or players remember hidden pieces, views show it, and there is no
plan.

The players who see what lies in zones, where that follows from the declarations alone, and whether they have to
remember anything: then machine code can find what a seat knows of hidden pieces.

A player remembers a piece that lies where they do not see it, if they have seen it before
(:mod:`rulewright.engine.cells.player_memory`). Where no piece ever comes from where a player sees it to where they do
not, none has to; but what was shown is remembered as long as it lies there.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

from rulewright.engine import (
    Engine,
    Observed,
    ObservedField,
    ObservedQuestion,
    ObservedZone,
    Sight,
    ValueForm,
)
from rulewright.ir import Level, level, sight_of, slots_stored, source_zones
from rulewright.ir import model as m
from rulewright_lab.environment.action_space import ActionSpace
from rulewright_lab.environment.observation import Observations
from rulewright_lab.environment.piece_domain import ANYWHERE
from rulewright_lab.environment.value_encoding import Encoding, Members, Number, Places, Truth


class ZoneSight(NamedTuple):
    """The players who see the faces of all that lies in each zone, and those who see anything of it, as sets, by the
    number of the zone with its keys."""

    faces: tuple[int, ...]
    anything: tuple[int, ...]


def zone_sight(engine: Engine) -> ZoneSight | None:
    """The sight of all zones; None if it varies in a game, or if players remember more than what they were shown."""
    if engine.layout.faced:
        return None
    faces, anything = list[int](), list[int]()
    for zone in engine.program.zones:
        for number in range(engine.layout.zones[zone.name].count):
            keys = engine.layout.keys_of(number, zone.index)
            viewers = {"face": 0, "any": 0}
            for audience in zone.audiences:
                players = _players(audience.by, zone.binders, keys)
                if players is None:
                    return None
                viewers["any"] |= players
                if audience.facet in ("face", "all"):
                    viewers["face"] |= players
            faces.append(viewers["face"])
            anything.append(viewers["any"])
    found = ZoneSight(tuple(faces), tuple(anything))
    return found if _remember_only_what_is_shown(engine, found) else None


def _players(by: m.Expr | None, binders: tuple[str, ...], keys: tuple[int, ...]) -> int | None:
    """The players of an audience, as a set; None if they vary."""
    match by:
        case None:
            return 0
        case m.Const(int(players)):
            return players
        case m.MakeSet((m.Var(name),)) if name in binders:
            return 1 << keys[binders.index(name)]
        case _:
            return None


def _remember_only_what_is_shown(engine: Engine, sight: ZoneSight) -> bool:
    program, declared = engine.program, sight_of(engine.program)
    if all(map(declared.open, program.zones)):
        return True
    code = [(function, i) for function in program.functions for i in function.code]
    if any(isinstance(i, m.Merge) for _, i in code):
        return False
    shown = set[str]()
    for function, i in code:
        if isinstance(i, m.Show):
            shown |= _zones_of(program, function, i.what)
    if not all(declared.everybody(zone, "count") for zone in program.zones if zone.name in shown):
        return False
    for function, i in code:
        if isinstance(i, m.SwapItems) and i.zone in shown:
            return False
        if isinstance(i, m.Move):
            begins = _zones_of(program, function, i.what)
            if begins & shown or not all(_keeps_sight(engine, sight, zone, i.zone) for zone in begins):
                return False
    return True


def _keeps_sight(engine: Engine, sight: ZoneSight, begin: str, end: str) -> bool:
    """True if all who see a piece in one zone see it in another, with any keys."""
    here, there = (engine.layout.zones[name] for name in (begin, end))
    seen = 0
    for number in range(here.first, here.first + here.count):
        seen |= sight.faces[number]
    return all(not seen & ~sight.faces[number] for number in range(there.first, there.first + there.count))


def _zones_of(program: m.Program, function: m.Function, e: m.Expr) -> frozenset[str]:
    """The zones in which the pieces of a value may lie; those of a variable are those of all that is stored in it."""
    known: dict[int, frozenset[str] | None] = dict.fromkeys(range(function.params))

    def stored(slot: int) -> frozenset[str] | None:
        if slot not in known:
            known[slot] = frozenset()  # a cycle adds nothing
            stores = (i for i in function.code if slot in slots_stored(i))
            single = (m.SetLocal, m.Append) if function.slots[slot].ty.kind == "entity" else (m.Append,)
            each = [source_zones(program, _value_of(i), stored, isinstance(i, single)) for i in stores]
            certain = [zones for zones in each if zones is not None]
            known[slot] = frozenset[str]().union(*certain) if len(certain) == len(each) else None
        return known[slot]

    found = source_zones(program, e, stored)
    return frozenset(zone.name for zone in program.zones) if found is None else found


def _value_of(i: m.Instr) -> m.Expr | None:
    """The value that an instruction stores, or the set or list of which it is a member."""
    match i:
        case m.SetLocal(_, value) | m.Append(_, value):
            return value
        case m.Choose(source=source) | m.Chance(source=source):
            return source
        case _:
            return None


def observation_plan(engine: Engine, actions: ActionSpace, observations: Observations) -> Observed | None:
    """The plan; None if the game has something in it that only views show."""
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
    for zone in (zone for zone in program.zones if zone.name in observations.zones):
        part, _, places = observations.zones[zone.name]
        columns = tuple(places.get(key, 0) for key in keys)
        zones.append(ObservedZone(zone.name, part.offset, part.shape[1], columns, sight_of(program).open(zone)))
    return Observed(
        observations.size,
        actions.count,
        seat=parts["seat"].offset,
        decider=parts["asked"].offset,
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
    if levels <= {Level.NO_PLAYER}:
        return "none"
    return "owner" if levels <= {Level.NO_PLAYER, Level.OWNER} else None


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
