"""From a save to cells and stack, with every name, key and bound checked."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from rulewright.engine.damage import bad
from rulewright.engine.machine import Engine
from rulewright.engine.support import bits_of
from rulewright.program.model import INT_MAX, NONE, Ty

SMALLEST = -INT_MAX


def cells_from(engine: Engine, data: dict[str, Any]) -> list[int]:
    """The cells of a save."""
    layout = engine.layout
    program = engine.program
    C = list(layout.initial)
    C[layout.seed] = _within(int(data["seed"]), 0, (1 << 64) - 1, "the seed")
    _same_names(data["streams"], set(layout.counters), "stream")
    for name, count in data["streams"].items():
        C[layout.counters[name]] = _within(count, 0, (1 << 64) - 1, f"stream `{name}`")
    C[layout.out] = _set(engine, "Player", data["out"], "out")
    _result(engine, C, data["result"])
    _same_names(data["merged"], set(layout.merged), "merged universe")
    for name, groups in data["merged"].items():
        for group in groups:
            members = bits_of(_set(engine, name, group, name))
            for other in members[1:]:
                engine.compiled.ctx.support.join(C, name, members[0], other)
    _same_names(data["fields"], {f.name for f in program.fields}, "field")
    for field in program.fields:
        place = layout.fields[field.name]
        given = data["fields"][field.name]
        if not field.index:
            write(engine, C, place.at, field.ty, given, field.name)
            continue
        rows = {shown: number for number, shown in enumerate(layout.row_keys(field.index))}
        _same_names(given, set(rows), f"key of `{field.name}`")
        for shown, number in rows.items():
            write(engine, C, place.at + number * place.span, field.ty, given[shown], f"{field.name}[{shown}]")
    _pieces(engine, C, data["zones"])
    if layout.known >= 0:
        _same_names(data["known"], set(layout.universes["Player"].keys), "seat")
        for number, seat in enumerate(layout.universes["Player"].keys):
            C[layout.known + number] = _set(engine, "Piece", data["known"][seat], f"what {seat} knows")
    return C


def _within(value: Any, low: int, high: int, what: str) -> int:
    if not isinstance(value, int) or isinstance(value, bool) or not low <= value <= high:
        raise bad("SAV005", f"{what} cannot be {value!r}")
    return value


def _same_names(given: Any, known: set[str], what: str) -> None:
    if not isinstance(given, dict):
        raise bad("SAV004", f"the save is damaged: each {what} must be named")
    for name in given:
        if name not in known:
            raise bad("SAV004", f"there is no {what} `{name}`")
    for name in sorted(known):
        if name not in given:
            raise bad("SAV004", f"the {what} `{name}` is missing")


def member(engine: Engine, universe: str, given: Any, what: str) -> int:
    """A member by its key, or (pieces, numbers) by number."""
    layout = engine.layout
    if universe == "Int":
        return _within(given, SMALLEST, INT_MAX, what)
    if universe == "Piece":
        return _within(given, 0, layout.pieces - 1, what)
    if universe == "Bool":
        return ("false", "true").index(given)
    keys = layout.universes[universe].keys
    if given not in keys:
        raise bad("SAV005", f"{what}: there is no {given!r} in {universe}")
    return keys.index(given)


def _set(engine: Engine, universe: str, given: Any, what: str) -> int:
    result = 0
    for item in given:
        one = 1 << _within(member(engine, universe, item, what), 0, engine.compiled.ctx.support.limit - 1, what)
        if result & one:
            raise bad("SAV005", f"{what}: {item!r} is there twice")
        result |= one
    return result


def write(engine: Engine, cells: list[int], at: int, ty: Ty, given: Any, what: str) -> None:
    """Write a value into a field or slot, checked against its type."""
    if ty.kind == "list":
        items = [NONE if i is None else member(engine, ty.universe, i, what) for i in given]
        if len(items) > ty.capacity:
            raise bad("SAV005", f"{what} holds at most {ty.capacity}")
        cells[at : at + 1 + ty.capacity] = [len(items), *items, *[0] * (ty.capacity - len(items))]
    elif ty.kind == "set":
        value = _set(engine, ty.universe, given, what)
        if value >> engine.layout.set_bits(ty):
            raise bad("SAV005", f"{what} cannot hold such members")
        cells[at] = value
    elif given is None:
        cells[at] = NONE
    elif ty.kind == "bool":
        cells[at] = _within(int(given), 0, 1, what)
    elif ty.kind == "entity":
        cells[at] = member(engine, ty.universe, given, what)
    else:
        cells[at] = _within(given, ty.low, ty.high, what)


def _result(engine: Engine, C: list[int], given: Any) -> None:
    if given is None:
        return
    layout = engine.layout
    names = engine.rule_names
    if given["rule"] not in names:
        raise bad("SAV004", f"there is no rule `{given['rule']}` that ends the game")
    C[layout.rule] = 1 + names.index(given["rule"])
    seats = layout.universes["Player"].keys
    _same_names(given["places"], set(seats), "seat")
    for number, seat in enumerate(seats):
        C[layout.rank + number] = _within(given["places"][seat], 1, len(seats) + 1, f"the place of {seat}")


def _pieces(engine: Engine, C: list[int], zones: Any) -> None:
    """Lay every piece where the save says it is; each must be somewhere, once."""
    layout = engine.layout
    names = {instance.name: number for number, instance in enumerate(layout.instances)}
    keys = layout.universes["Piece"].keys
    for instance in layout.instances:
        C[instance.at] = 0
        if instance.ordered:
            C[instance.at + 1 : instance.at + 1 + instance.capacity] = [0] * instance.capacity
    seen: set[int] = set()
    for name, entries in zones.items():
        if name not in names:
            raise bad("SAV004", f"there is no zone `{name}`")
        number = names[name]
        instance = layout.instances[number]
        declared = engine.program.zones[instance.zone]
        if len(entries) > instance.capacity and (declared.limited or instance.ordered):
            raise bad("SAV005", f"`{name}` holds at most {instance.capacity} pieces")
        for entry in entries:
            if entry.keys() - {"piece", "key", "side", "down"}:
                raise bad("SAV004", f"`{name}`: a piece has unknown words")
            piece = _within(entry["piece"], 0, layout.pieces - 1, f"a piece in `{name}`")
            if keys[piece] != entry["key"]:
                raise bad("SAV005", f"`{name}`: piece {piece} is {keys[piece]!r}, not {entry['key']!r}")
            if piece in seen:
                raise bad("SAV007", f"piece {piece} ({keys[piece]}) is there twice")
            seen.add(piece)
            C[layout.loc + piece] = number
            if instance.ordered:
                C[instance.at] += 1
                C[instance.at + C[instance.at]] = piece
            else:
                C[instance.at] |= 1 << piece
            if "side" in entry:
                C[layout.side + piece] = _side(engine, piece, entry["side"])
            if entry.get("down"):
                if not instance.faced:
                    raise bad("SAV005", f"`{name}`: nothing lies face down there")
                C[layout.down] |= 1 << piece
    for piece in range(layout.pieces):
        if piece not in seen:
            raise bad("SAV007", f"piece {piece} ({keys[piece]}) is missing")


def _side(engine: Engine, piece: int, given: Any) -> int:
    for kind in engine.program.kinds:
        if kind.sides and kind.members >> piece & 1:
            return _within(given, 0, len(kind.sides) - 1, f"the side of piece {piece}")
    raise bad("SAV005", f"piece {piece} has no sides")


def stack_from(engine: Engine, given: Any) -> tuple[list[int], int]:
    """The stack of a save and the base of its last frame."""
    program = engine.program
    functions = {f.name: i for i, f in enumerate(program.functions)}
    stack: list[int] = []
    base = 0
    for frame in given:
        if frame["rule"] not in functions:
            raise bad("SAV006", f"there is no rule `{frame['rule']}`")
        function = functions[frame["rule"]]
        declared = program.functions[function]
        places = {str(getattr(i, "at", pc)): pc for pc, i in enumerate(declared.code) if hasattr(i, "at")}
        if frame["at"] not in places:
            raise bad("SAV006", f"there is no place `{frame['at']}` in rule `{frame['rule']}`")
        offsets = engine.compiled.offsets[function]
        stack += [function, places[frame["at"]], base]
        base = len(stack)
        stack += [0] * offsets[-1]
        slots = {f"{i} {slot.name}": i for i, slot in enumerate(declared.slots)}
        _same_names(frame["locals"], set(slots), f"local of `{declared.name}`")
        for name, i in slots.items():
            ty = replace(declared.slots[i].ty, low=SMALLEST, high=INT_MAX)
            write(engine, stack, base + offsets[i], ty, frame["locals"][name], f"`{name}`")
    return stack, base
