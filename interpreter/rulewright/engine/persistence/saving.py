"""Saving: a state with names in it, so that a person can read it and a changed program can refuse it."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from rulewright.engine.cells.player_memory import several
from rulewright.engine.persistence.invalid_save import bad, heading, shortened
from rulewright.engine.runtime.canonical_form import digest, frames
from rulewright.engine.runtime.machine import Engine
from rulewright.engine.runtime.position import Position
from rulewright.engine.runtime.records import CHANCE, RULES, LogEntry
from rulewright.engine.runtime.simultaneous_node import may_be_secret
from rulewright.foundation import versions
from rulewright.foundation.bit_sets import bits_of
from rulewright.ir.model import NONE, Chance, Choose, Show, Ty

SCHEMA = "https://rulewright.dev/schemas/save.schema.json"
LOG_SCHEMA = "https://rulewright.dev/schemas/log.schema.json"
FORMAT = "rulewright-save"
SEATS = "seats"
"""The entry in which `rulewright play` keeps who plays which seat. It is no part of the state, nor of the checksum."""
LOG_FORMAT = "rulewright-log"
VERSION = versions.SAVE
LOG_VERSION = versions.LOG


def save(state: Position) -> dict[str, Any]:
    """The state as a JSON object; :func:`load` gives it back with every bit."""
    data = unsigned(state)
    data["checksum"] = checksum(data)
    return data


def unsigned(state: Position) -> dict[str, Any]:
    """The data without the checksum, which comes last."""
    engine = state.engine
    program = engine.program
    C = state.in_order.cells
    layout = engine.layout
    return {
        "$schema": SCHEMA,
        "format": FORMAT,
        "version": VERSION,
        **heading(program),
        "program": program.digest,
        "seed": str(C[layout.seed]),
        "ask_chance": state.mode.ask_chance,
        "whole": state.mode.whole,
        "streams": {name: C[at] for name, at in layout.counters.items()},
        "out": _members(engine, "Player", C[layout.out]),
        "result": _result(state),
        "merged": {
            name: [
                _members(engine, name, C[place.members + i])
                for i in range(place.size)
                if C[place.alive] >> i & 1 and C[place.members + i].bit_count() > 1
            ]
            for name, place in layout.merged.items()
        },
        "fields": {f.name: _field(engine, C, f.name) for f in program.fields},
        "zones": {
            instance.name: _zone(engine, C, number)
            for number, instance in enumerate(layout.instances)
            if C[instance.at]
        },
        **_known(state),
        "frames": [_frame(state.in_order, f.function, f.pc, f.base) for f in frames(engine, state.in_order.stack)],
        **_at_once(state),
        "log": [_entry(e) for e in state.log],
    }


def log_data(state: Position) -> dict[str, Any]:
    """The log with all that is needed to play it again, as a JSON object."""
    program = state.engine.program
    return {
        "$schema": LOG_SCHEMA,
        "format": LOG_FORMAT,
        "version": LOG_VERSION,
        **heading(program),
        "seed": str(state.cells[state.engine.layout.seed]),
        "ask_chance": state.mode.ask_chance,
        "log": [_entry(e) for e in state.log],
    }


def checksum(data: Mapping[str, Any]) -> str:
    """A digest of everything in a save but the checksum itself."""
    rest = {k: v for k, v in data.items() if k != "checksum"}
    return digest(json.dumps(rest, sort_keys=True, ensure_ascii=False, separators=(",", ":")).encode())


def _members(engine: Engine, universe: str, mask: int) -> list[Any]:
    return [_key(engine, universe, i) for i in bits_of(mask)]


def _key(engine: Engine, universe: str, member: int) -> Any:
    """A member by key; pieces, whose keys are not unique, by number."""
    if member == NONE:
        return None
    if universe == "Piece" or universe in ("Int", ""):
        return member
    return engine.layout.key(universe, member)


def value(engine: Engine, ty: Ty, cells: list[int], at: int) -> Any:
    """A value of a field or slot."""
    if ty.kind == "list":
        return [_key(engine, ty.universe, i) for i in cells[at + 1 : at + 1 + cells[at]]]
    raw = cells[at]
    if ty.kind == "set":
        return _members(engine, ty.universe, raw)
    if raw == NONE:
        return None
    if ty.kind == "bool":
        return bool(raw)
    return _key(engine, ty.universe, raw) if ty.kind == "entity" else raw


def _field(engine: Engine, C: list[int], name: str) -> Any:
    """A field's value, or for a field with keys its values by keys."""
    declared = engine.layout.field_of[name]
    place = engine.layout.fields[name]
    if not declared.index:
        return value(engine, declared.ty, C, place.at)
    rows = engine.layout.row_keys(declared.index)
    if declared.ty.kind in ("int", "bool"):
        given = C[place.at : place.at + place.count]
        if declared.ty.kind == "bool":
            return {shown: None if raw == NONE else bool(raw) for shown, raw in zip(rows, given, strict=True)}
        return {shown: None if raw == NONE else raw for shown, raw in zip(rows, given, strict=True)}
    return {shown: value(engine, declared.ty, C, place.at + number * place.span) for number, shown in enumerate(rows)}


def _zone(engine: Engine, C: list[int], number: int) -> list[dict[str, Any]]:
    """The pieces in a zone: in order in a stack (from the bottom) or row."""
    layout = engine.layout
    instance = layout.instances[number]
    pieces = C[instance.at + 1 : instance.at + 1 + C[instance.at]] if instance.ordered else bits_of(C[instance.at])
    found = []
    for piece in pieces:
        entry: dict[str, Any] = {"piece": piece, "key": layout.universes["Piece"].keys[piece]}
        if layout.sided and C[layout.side + piece]:
            entry["side"] = C[layout.side + piece]
        if layout.down >= 0 and C[layout.down] >> piece & 1:
            entry["down"] = True
        found.append(entry)
    return found


def _known(state: Position) -> dict[str, Any]:
    """The pieces that players know without seeing them, by number; together those that may have changed places."""
    layout, C = state.engine.layout, state.cells
    if layout.known < 0:
        return {}
    found: dict[str, list[Any]] = {}
    for player, seat in enumerate(layout.universes["Player"].keys):
        found[seat] = [
            *_members(state.engine, "Piece", C[layout.known + player]),
            *(_members(state.engine, "Piece", mask) for mask in several(layout, C, player)),
        ]
    return {"known": found}


def _at_once(state: Position) -> dict[str, Any]:
    """The answers that were given in their turns where several decide at once, and the turns of the others."""
    if state.in_order.simultaneous_node is None:
        return {}
    early = [turn for turn, given in state.ahead for _ in given]
    return {"at_once": {"given": state.in_order.given, "ahead": early}}


def _result(state: Position) -> dict[str, Any] | None:
    layout = state.engine.layout
    if not state.cells[layout.rule]:
        return None
    seats = layout.universes["Player"].keys
    *places, drawn = state.cells[layout.ranks]
    in_move = {"in_move": True} if layout.in_move >= 0 and state.cells[layout.in_move] else {}
    found: dict[str, Any] = {
        "rule": state.engine.rule_names[state.cells[layout.rule] - 1],
        "places": dict(zip(seats, places, strict=False)),
    }
    parties: dict[str, dict[str, int]] = {}
    for (universe, member), place in zip(layout.parties_without_players, places[len(seats) :], strict=True):
        if place:
            parties.setdefault(universe, {})[layout.universes[universe].keys[member]] = place
    return found | ({"parties": parties} if parties else {}) | ({"drawn": True} if drawn else {}) | in_move


def _frame(state: Position, function: int, pc: int, base: int) -> dict[str, Any]:
    declared = state.engine.program.functions[function]
    at = state.engine.compiled.offsets[function]
    return {
        "rule": declared.name,
        "at": place_name(state.engine, function, pc),
        "locals": {
            f"{i} {slot.name}": value(state.engine, slot.ty, state.stack, base + at[i])
            for i, slot in enumerate(declared.slots)
        },
    }


def place_name(engine: Engine, function: int, pc: int) -> str:
    """The name of a place where a frame can rest."""
    return str(getattr(engine.program.functions[function].code[pc], "at", pc))


def _entry(e: LogEntry) -> dict[str, Any]:
    found: dict[str, Any] = {"who": e.who, "name": e.name, "key": e.key}
    if e.secret:
        found["secret"] = True
    if e.hushed:
        found["hushed"] = True
    if e.seen_by is not None:
        found["seen_by"] = list(e.seen_by)
    if e.heard_by is not None:
        found["heard_by"] = list(e.heard_by)
    return found


def entries_from(engine: Engine, given: Any) -> list[LogEntry]:
    """The entries of a saved log; each mentions a seat and a decision that exist."""
    program = engine.program
    seats = engine.layout.universes["Player"].keys
    asks: dict[tuple[str, bool], set[bool]] = {}
    """For each decision, and whether it is one of chance, whether its answers are secret."""
    for question in engine.compiled.questions.values():
        i = question.instr
        ways = asks.setdefault((question.name, isinstance(i, Chance)), set())
        ways |= {isinstance(i, Choose) and i.secret, may_be_secret(engine, question.function, i)}
    shows = {f.name for f in program.functions if any(isinstance(i, Show) for i in f.code)}
    found = []
    for number, e in enumerate(given):
        seen_by = tuple(e["seen_by"]) if "seen_by" in e else None
        heard_by = tuple(e["heard_by"]) if "heard_by" in e else None
        hushed = e.get("hushed", False)
        entry = LogEntry(e["who"], e["name"], e["key"], e.get("secret", False), seen_by, hushed, heard_by)
        if entry.who == RULES:
            known = entry.name in shows and not entry.secret
        else:
            possible = asks.get((entry.name, entry.who == CHANCE), ())
            known = entry.who in (*seats, CHANCE) and entry.secret in possible and entry.secret >= entry.hushed
        if not isinstance(entry.key, str):
            raise bad("SAV005", f"`log[{number}].key` is {shortened(entry.key)}, which is not a key")
        if not known or not {*(entry.seen_by or ()), *(entry.heard_by or ())} <= set(seats):
            raise bad(
                "SAV005",
                f"`log[{number}]`: {shortened(entry.who)} cannot have answered {shortened(entry.name)} like this",
            )
        found.append(entry)
    return found
