"""What a player may know of a state, from what the rules declare of zones and fields."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from rulewright.engine.keys import keys_of
from rulewright.engine.machine import Engine
from rulewright.engine.readable import readable
from rulewright.engine.snapshot import Snapshot
from rulewright.engine.support import bits_of
from rulewright.program.model import NONE, Audience, Field, Ty, Zone


def view(state: Snapshot, player: int | None) -> dict[str, Any]:
    """A JSON object; seed, counters of chance and what the rules are in the middle of are not in it."""
    engine = state.engine
    layout = engine.layout
    seats = layout.universes["Player"].keys
    out = state.cells[layout.out]
    found: dict[str, Any] = {
        "game": engine.program.game,
        "seat": None if player is None else seats[player],
        "players": [{"seat": seat, "out": bool(out >> i & 1)} for i, seat in enumerate(seats)],
        "fields": _fields(state, player),
        "zones": _zones(state, player),
        "regions": {name: _regions(state, name) for name in layout.merged},
        "decision": _decision(state, player),
        "result": None,
    }
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


def _seen(state: Snapshot, declared: Field | Zone, keys: tuple[int, ...], player: int | None) -> set[str]:
    """The facets that a player sees of a zone or field."""
    if player is None:
        return {"face", "count", "back"}
    found: set[str] = set()
    types = tuple(Ty("entity", u) for u in declared.index)
    for audience in declared.audiences:
        if _may(state, audience, declared.binders, types, keys, player):
            found |= {"face", "count", "back"} if audience.facet == "all" else {audience.facet}
    return found


def _may(
    state: Snapshot,
    audience: Audience,
    binders: tuple[str, ...],
    types: tuple[Ty, ...],
    keys: Sequence[int],
    player: int,
) -> bool:
    if audience.by is None:
        return False
    function = state.engine.compiled.expression(audience.by, binders, types)
    players: int = state.engine.call(function, state.cells, state.cells, *keys, memory=state.memory)
    return bool(players >> player & 1)


def _named(engine: Engine, name: str, index: tuple[str, ...], keys: tuple[int, ...]) -> str:
    if not index:
        return name
    return f"{name}[{', '.join(engine.layout.key(u, k) for u, k in zip(index, keys, strict=True))}]"


def _fields(state: Snapshot, player: int | None) -> dict[str, Any]:
    engine, C = state.engine, state.cells
    found = {}
    for declared in engine.program.fields:
        place = engine.layout.fields[declared.name]
        for number in range(place.count):
            keys = engine.layout.keys_of(number, declared.index)
            seen = _seen(state, declared, keys, player)
            at = place.at + number * place.span
            name = _named(engine, declared.name, declared.index, keys)
            raw: Any = tuple(C[at + 1 : at + 1 + C[at]]) if declared.ty.kind == "list" else C[at]
            if "face" in seen:
                found[name] = _plain(engine, declared.ty, raw)
            elif seen and declared.ty.kind in ("set", "list"):
                found[name] = {"count": len(raw) if isinstance(raw, tuple) else raw.bit_count()}
    return found


def _plain(engine: Engine, ty: Ty, raw: Any) -> Any:
    value = None if raw == NONE else readable(engine, ty, raw)
    return list(value) if isinstance(value, tuple) else value


def _zones(state: Snapshot, player: int | None) -> dict[str, Any]:
    engine, C = state.engine, state.cells
    layout = engine.layout
    down = C[layout.down] if layout.down >= 0 else 0
    found: dict[str, Any] = {}
    for instance in layout.instances:
        declared = engine.program.zones[instance.zone]
        seen = _seen(state, declared, instance.keys, player)
        if not seen and not declared.faced:
            continue
        if instance.ordered:
            pieces = C[instance.at + 1 : instance.at + 1 + C[instance.at]]
            pieces = pieces[::-1] if instance.stack else pieces
        else:
            pieces = bits_of(C[instance.at])
        if declared.faced:
            shown = [p for p in pieces if seen or not down >> p & 1]
            known = {p for p in pieces if "face" in seen or not down >> p & 1}
        else:
            shown = pieces
            known = set(pieces) if "face" in seen else set()
        if not instance.ordered:
            shown = sorted(shown, key=lambda p: p not in known)
        entry: dict[str, Any] = {"count": len(shown)}
        if known or "face" in seen or declared.faced:
            entry["pieces"] = [_piece(state, p, p in known, bool(down >> p & 1)) for p in shown]
        found[instance.name] = entry
    return found


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
