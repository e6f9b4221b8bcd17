"""Views: what a player may know of a state, from what the rules declare of zones and fields."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

from rulewright.engine.cells.layout import Instance, changed
from rulewright.engine.hidden_information.observations.secret_questions import unobserved_answer
from rulewright.engine.hidden_information.observations.simultaneous_choice import given
from rulewright.engine.hidden_information.piece_words import PieceWords
from rulewright.engine.hidden_information.visibility import EVERYTHING, NAMED, Sight, seen, sight
from rulewright.engine.runtime.option_keys import keys_of
from rulewright.engine.runtime.position import Position
from rulewright.engine.runtime.query_calls import readable
from rulewright.engine.runtime.records import PUBLIC
from rulewright.foundation.bit_sets import bits_of
from rulewright.host.budgets import SEVERAL, shared_budget
from rulewright.ir.model import NONE, Field, Zone


@shared_budget(SEVERAL)
def view(
    state: Position, player: int | None, fields: Sequence[Field] | None = None, zones: Sequence[Zone] | None = None
) -> dict[str, Any]:
    """The implementation of :meth:`State.view`; of these fields and zones only, if some are given."""
    engine = state.engine
    layout = engine.layout
    seats = layout.universes["Player"].keys
    out = state.cells[layout.out]
    found: dict[str, Any] = {
        "game": engine.program.game,
        "seat": None if player in (None, PUBLIC) else seats[player],
        "players": [{"seat": seat, "out": bool(out >> i & 1)} for i, seat in enumerate(seats)],
        "fields": _fields(state, player, engine.program.fields if fields is None else fields),
        "zones": _zones(state, player, engine.program.zones if zones is None else zones),
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
        found["result"] = {
            "ranking": [list(group) for group in state.result.ranking],
            "winners": list(state.result.winners),
            "rule": state.result.rule,
            "parties": list(state.result.parties),
            "drawn": state.result.drawn,
        }
    return found


def _decision(state: Position, player: int | None) -> dict[str, Any] | None:
    decision = state.decision
    if decision is None:
        return None
    gathered, question = state.simultaneous_node, state.question
    name = decision.name
    if player is not None and decision.seat != player:
        kept = unobserved_answer(state, player)
        name = name if kept is None else kept.name
    found: dict[str, Any] = {"who": decision.who, "name": name}
    if player is None or decision.seat == player:
        found["options"] = [o.key for o in decision.options]
    elif gathered is not None and question is not None and not gathered.reveals(question.function, question.pc):
        found["name"] = state.engine.program.functions[gathered.frame.function].name  # which it is hangs on the others
    return found


# ------------------------------------------------------------------------------------------------------ fields


def _fields(state: Position, player: int | None, fields: Sequence[Field]) -> dict[str, Any]:
    layout, C = state.engine.layout, state.cells
    words = PieceWords(state, player)
    found: dict[str, Any] = {}
    for declared in fields:
        if declared.is_internal:
            continue
        place = layout.fields[declared.name]
        facets = seen(state, declared, player)
        if not declared.index:
            entry = _value(words, declared, C, place.at, facets.rows[0])
            if entry is not _HIDDEN:
                found[declared.name] = entry
            continue
        entries: dict[int, Any] = {}
        first = layout.initial[place.at : place.at + place.span]
        default = _value(words, declared, layout.initial, place.at, EVERYTHING | {NAMED})
        for number in changed(C, layout.initial, place) if facets.faces else range(place.count):
            at, seeing = place.at + number * place.span, facets.rows[number]
            if "face" not in seeing or C[at : at + place.span] != first:
                entries[number] = _value(words, declared, C, at, seeing)
        named = _named(words, declared, facets.rows, entries)
        hidden = [name for name, entry in named if entry is _HIDDEN]
        if len(hidden) < place.count:
            values = {name: entry for name, entry in named if entry is not _HIDDEN}
            found[declared.name] = {"default": default, "values": values}
            if hidden:
                found[declared.name]["hidden"] = hidden
    return found


def _named(
    words: PieceWords, declared: Field, rows: Sequence[frozenset[str]], entries: dict[int, Any]
) -> list[tuple[str, Any]]:
    """Values with the names of their keys. Numbers of pieces are never shown: pieces with equal keys are distinguished
    by where they lie, if the player sees them there, and then by their values."""
    keys = words.layout.row_keys(declared.index)
    if words.player is None or "Piece" not in declared.index or not entries:
        return [(keys[number], entry) for number, entry in entries.items()]
    equal: dict[str, list[Any]] = {}
    for number, entry in entries.items():
        # Of a value that is not seen not even the piece is shown on which it lies.
        named = NAMED in rows[number] or "face" not in rows[number]
        equal.setdefault(_row_name(words, declared, number, named), []).append(entry)
    found: list[tuple[str, Any]] = []
    for name, values in equal.items():
        values.sort(key=lambda entry: "" if entry is _HIDDEN else json.dumps(entry))
        found += [(f"{name} #{i}" if values[1:] else name, entry) for i, entry in enumerate(values, 1)]
    return sorted(found, key=lambda named: named[0])


def _row_name(words: PieceWords, declared: Field, number: int, named: bool) -> str:
    if declared.index == ("Piece",):
        return words.row(number, named)
    keys = zip(declared.index, words.layout.keys_of(number, declared.index), strict=True)
    return ", ".join(words.row(key, named) if name == "Piece" else words.layout.key(name, key) for name, key in keys)


_HIDDEN = object()


def _value(words: PieceWords, declared: Field, cells: list[int], at: int, facets: frozenset[str]) -> Any:
    """A value as a viewer gets it who sees these facets of it."""
    kind = declared.ty.kind
    raw: Any = tuple(cells[at + 1 : at + 1 + cells[at]]) if kind == "list" else cells[at]
    if "face" in facets:
        if declared.ty.universe == "Piece" and NAMED not in facets and words.player is not None:
            return _pieces(words, kind, raw)
        value = None if raw == NONE else readable(words.state.engine, declared.ty, raw)
        return list(value) if isinstance(value, tuple) else value
    if facets and kind in ("set", "list"):
        return {"count": len(raw) if isinstance(raw, tuple) else raw.bit_count()}
    return _HIDDEN


def _pieces(words: PieceWords, kind: str, raw: Any) -> Any:
    """A piece, set or list of pieces. A set begins with those that are known; the order of the others shows nothing."""
    if kind == "list":
        return [words.word(piece) for piece in raw]
    if kind == "set":
        pieces = bits_of(raw)
        known = [words.name(piece) for piece in pieces if piece in words.known]
        return known + sorted(words.word(piece) for piece in pieces if piece not in words.known)
    return None if raw == NONE else words.word(raw)


# ------------------------------------------------------------------------------------------------------- zones


def _zones(state: Position, player: int | None, zones: Sequence[Zone]) -> dict[str, Any]:
    layout = state.engine.layout
    found: dict[str, Any] = {}
    for declared in (zone for zone in zones if not zone.is_internal):
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


def _zone(state: Position, instance: Instance, facets: frozenset[str], player: int | None) -> dict[str, Any] | None:
    """The view of a zone; None if nothing of it is shown."""
    C, layout = state.cells, state.engine.layout
    visible = sight(state, instance, facets, player)
    if not visible.seen and not visible.known and not instance.faced:
        return None
    down = C[layout.down] if layout.down >= 0 else 0
    entry: dict[str, Any] = {"count": len(visible.shown)}
    if visible.shown and (visible.known or visible.face or instance.faced):
        pieces = [_piece(state, p, p in visible.known, bool(down >> p & 1)) for p in visible.shown]
        if not instance.ordered:
            kind = state.engine.interchange.kind
            order = [
                (kind[p] if p in visible.known else len(kind), sorted(pieces[i].items()))
                for i, p in enumerate(visible.shown)
            ]
            pieces = [pieces[i] for i in sorted(range(len(pieces)), key=order.__getitem__)]
        entry["pieces"] = pieces
    if visible.backs and state.engine.program.backs and len(visible.known) < len(visible.pieces):
        entry["backs"] = _backs(state, visible, instance.ordered)
    return entry


def _backs(state: Position, visible: Sight, ordered: bool) -> list[str] | dict[str, int]:
    """The backs of the pieces whose faces they do not see: in their order, or how many there are of each."""
    backs = state.engine.program.backs
    unknown = [backs[piece] for piece in visible.pieces if piece not in visible.known]
    if ordered:
        return unknown
    # Pieces are listed by number, which would show more; the order of all backs shows nothing.
    return {back: unknown.count(back) for back in dict.fromkeys(backs) if back in unknown}


def _piece(state: Position, piece: int, known: bool, down: bool) -> dict[str, Any]:
    layout = state.engine.layout
    entry: dict[str, Any] = {"key": layout.universes["Piece"].keys[piece]} if known else {}
    if down:
        entry["down"] = True
    if known and layout.sided:
        side = keys_of(state.engine).side(state.cells, piece)
        if side:
            entry["side"] = side
    return entry


def _regions(state: Position, name: str) -> list[list[str]]:
    """The living regions with their places."""
    place = state.engine.layout.merged[name]
    keys = state.engine.layout.universes[name].keys
    C = state.cells
    return [[keys[i] for i in bits_of(C[place.members + r])] for r in bits_of(C[place.alive])]
