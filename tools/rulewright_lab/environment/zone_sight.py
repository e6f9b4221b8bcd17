"""The players who see what lies in zones, where that follows from the declarations alone, and whether they have to
remember anything: then machine code can tell what a seat knows of hidden pieces.

A player remembers a piece that lies where they do not see it, if they have seen it before
(:mod:`rulewright.engine.cells.player_memory`). Where no piece ever comes from where somebody sees it to where they do
not, nobody has to; but what was shown is remembered as long as it lies there.
"""

from __future__ import annotations

from typing import NamedTuple

from rulewright.engine import Engine
from rulewright.ir import model as m
from rulewright.ir import sight_of, slots_stored, source_zones


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
            told = {"face": 0, "any": 0}
            for audience in zone.audiences:
                players = _players(audience.by, zone.binders, keys)
                if players is None:
                    return None
                told["any"] |= players
                if audience.facet in ("face", "all"):
                    told["face"] |= players
            faces.append(told["face"])
            anything.append(told["any"])
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
    if any(isinstance(i, m.Exchange | m.Merge) for _, i in code):
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
    """True if whoever sees a piece in one zone sees it in another, with any keys."""
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
            each = [source_zones(program, _value_of(i), stored) for i in stores]
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


__all__ = ["ZoneSight", "zone_sight"]
