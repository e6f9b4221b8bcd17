"""What a player may know of a state, from what the rules declare of zones and fields."""

from __future__ import annotations

from typing import Any

from rulewright.engine.keys import keys_of
from rulewright.engine.knowledge import EVERYTHING, Sight, changed, seen, sight
from rulewright.engine.layout import Instance
from rulewright.engine.machine import Engine
from rulewright.engine.readable import readable
from rulewright.engine.records import PUBLIC
from rulewright.engine.snapshot import Snapshot
from rulewright.engine.support import bits_of
from rulewright.engine.together import given
from rulewright.program.model import NONE, Field, Ty


def view(state: Snapshot, player: int | None) -> dict[str, Any]:
    """What :meth:`State.view` tells."""
    engine = state.engine
    layout = engine.layout
    seats = layout.universes["Player"].keys
    out = state.cells[layout.out]
    found: dict[str, Any] = {
        "game": engine.program.game,
        "seat": None if player in (None, PUBLIC) else seats[player],
        "players": [{"seat": seat, "out": bool(out >> i & 1)} for i, seat in enumerate(seats)],
        "fields": _fields(state, player),
        "zones": _zones(state, player),
        "regions": {name: _regions(state, name) for name in layout.merged},
        "decision": _decision(state, player),
        "result": None,
    }
    answers = given(state)
    if answers:
        found["answers"] = [
            {"who": seats[a.player], "name": a.name} | ({"key": a.key} if player in (None, a.player) else {})
            for a in answers
        ]
    if state.result is not None:
        ranking = [list(group) for group in state.result.ranking]
        found["result"] = {"ranking": ranking, "winners": list(state.result.winners), "rule": state.result.rule}
    return found


def _decision(state: Snapshot, player: int | None) -> dict[str, Any] | None:
    decision = state.decision
    if decision is None:
        return None
    found: dict[str, Any] = {"who": decision.who, "name": decision.name}
    if player is None or decision.seat == player:
        found["options"] = [o.key for o in decision.options]
    return found


# ------------------------------------------------------------------------------------------------------ fields


def _fields(state: Snapshot, player: int | None) -> dict[str, Any]:
    layout, C = state.engine.layout, state.cells
    found: dict[str, Any] = {}
    for declared in state.engine.program.fields:
        place = layout.fields[declared.name]
        told = seen(state, declared, player)
        if not declared.index:
            entry = _value(state, declared, C, place.at, told.rows[0])
            if entry is not _HIDDEN:
                found[declared.name] = entry
            continue
        values: dict[str, Any] = {}
        hidden: list[str] = []
        names, first = layout.row_keys(declared.index), layout.initial[place.at : place.at + place.span]
        default = _value(state, declared, layout.initial, place.at, EVERYTHING)
        for number in changed(C, layout.initial, place) if told.faces else range(place.count):
            at, seeing = place.at + number * place.span, told.rows[number]
            if "face" in seeing and C[at : at + place.span] == first:
                continue
            entry = _value(state, declared, C, at, seeing)
            if entry is _HIDDEN:
                hidden.append(names[number])
            else:
                values[names[number]] = entry
        if len(hidden) < place.count:
            found[declared.name] = {"default": default, "values": values}
            if hidden:
                found[declared.name]["hidden"] = hidden
    return found


_HIDDEN = object()


def _value(state: Snapshot, declared: Field, cells: list[int], at: int, facets: frozenset[str]) -> Any:
    """A value as it is told to one who sees these facets of it."""
    kind = declared.ty.kind
    raw: Any = tuple(cells[at + 1 : at + 1 + cells[at]]) if kind == "list" else cells[at]
    if "face" in facets:
        return _plain(state.engine, declared.ty, raw)
    if facets and kind in ("set", "list"):
        return {"count": len(raw) if isinstance(raw, tuple) else raw.bit_count()}
    return _HIDDEN


def _plain(engine: Engine, ty: Ty, raw: Any) -> Any:
    value = None if raw == NONE else readable(engine, ty, raw)
    return list(value) if isinstance(value, tuple) else value


# ------------------------------------------------------------------------------------------------------- zones


def _zones(state: Snapshot, player: int | None) -> dict[str, Any]:
    layout = state.engine.layout
    found: dict[str, Any] = {}
    for declared in state.engine.program.zones:
        place = layout.zones[declared.name]
        instances = layout.instances[place.first : place.first + place.count]
        rows = seen(state, declared, player).rows
        if not declared.index:
            entry = _zone(state, instances[0], rows[0], player)
            if entry is not None:
                found[declared.name] = entry
            continue
        values: dict[str, Any] = {}
        hidden: list[str] = []
        for name, instance, seeing in zip(layout.row_keys(declared.index), instances, rows, strict=True):
            if seeing and not state.cells[instance.at]:
                continue  # empty: no piece, or a length of 0
            entry = _zone(state, instance, seeing, player)
            if entry is None:
                hidden.append(name)
            elif entry["count"]:
                values[name] = entry
        if len(hidden) < place.count:
            found[declared.name] = {"values": values}
            if hidden:
                found[declared.name]["hidden"] = hidden
    return found


def _zone(state: Snapshot, instance: Instance, facets: frozenset[str], player: int | None) -> dict[str, Any] | None:
    """What is told of a zone; None if nothing is."""
    C, layout = state.cells, state.engine.layout
    told = sight(state, instance, facets, player)
    if not told.seen and not told.known and not instance.faced:
        return None
    down = C[layout.down] if layout.down >= 0 else 0
    entry: dict[str, Any] = {"count": len(told.shown)}
    if told.shown and (told.known or told.face or instance.faced):
        entry["pieces"] = [_piece(state, p, p in told.known, bool(down >> p & 1)) for p in told.shown]
    if told.backs and state.engine.program.backs and len(told.known) < len(told.pieces):
        entry["backs"] = _backs(state, told, instance.ordered)
    return entry


def _backs(state: Snapshot, told: Sight, ordered: bool) -> list[str] | dict[str, int]:
    """The backs of the pieces whose faces he does not see: in their order, or how many there are of each."""
    backs = state.engine.program.backs
    unknown = [backs[piece] for piece in told.pieces if piece not in told.known]
    if ordered:
        return unknown
    # Pieces are listed by number, which would tell more; the order of all backs tells nothing.
    return {back: unknown.count(back) for back in dict.fromkeys(backs) if back in unknown}


def _piece(state: Snapshot, piece: int, known: bool, down: bool) -> dict[str, Any]:
    layout = state.engine.layout
    entry: dict[str, Any] = {"key": layout.universes["Piece"].keys[piece]} if known else {}
    if down:
        entry["down"] = True
    if known and layout.sided:
        side = keys_of(state.engine).side(state.cells, piece)
        if side:
            entry["side"] = side
    return entry


def _regions(state: Snapshot, name: str) -> list[list[str]]:
    """The living regions with their places."""
    place = state.engine.layout.merged[name]
    keys = state.engine.layout.universes[name].keys
    C = state.cells
    return [[keys[i] for i in bits_of(C[place.members + r])] for r in bits_of(C[place.alive])]
