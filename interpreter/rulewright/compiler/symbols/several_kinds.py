"""Values of several kinds: what is known of them where it is known of which kind they are, or are not."""

from __future__ import annotations

from dataclasses import replace

from rulewright.compiler.symbols import static_types
from rulewright.compiler.symbols.static_types import Type, entity, piece, stand_in, stands_for
from rulewright.compiler.symbols.symbol_table import SymbolTable


def of_kind(world: SymbolTable, type: Type, kind: str) -> Type | None:
    """The type of a value that is of a kind; None if no value of this type is."""
    if kind not in world.kinds:
        return entity(kind) if kind in world.parts(type) else None
    if type.universe != "Piece":
        return None
    kinds = (k if kind in world.ancestors(k) else kind for k in type.kinds or (kind,) if world.overlap((k,), (kind,)))
    found = tuple(dict.fromkeys(kinds))
    return piece(*found) if found else None


def other_kinds(world: SymbolTable, type: Type, kind: str) -> Type:
    """The type of a value that is not of a kind."""
    if type.universe == "Piece":
        kinds = tuple(k for k in type.kinds if k != stand_in(kind) and kind not in world.ancestors(k))
        if len(kinds) == 1 and (universe := stands_for(kinds[0])):
            return entity(universe, type.optional)
        return replace(type, kinds=kinds) if kinds else type
    parts = world.unions.get(type.universe, {})
    if kind not in parts:
        return type
    ranges = {part: range(at, at + world.size(part)) for part, at in parts.items()}
    left = [number for number in range(world.size(type.universe)) if number not in ranges[kind]]
    alone = next((part for part, own in ranges.items() if left == [*own]), None)
    return type if alone is None else entity(alone, type.optional)


def own_values(world: SymbolTable, type: Type) -> list[str]:
    """The values of an enum that are of none of its parts."""
    parts = world.unions.get(type.universe, {})
    of_parts = {number for part, at in parts.items() for number in range(at, at + world.size(part))}
    return [key for number, key in enumerate(world.keys(type.universe)) if number not in of_parts] if parts else []


def join(world: SymbolTable, a: Type, b: Type) -> Type | None:
    """The type that holds values of both, or None; of several universes it is one that the rules declare."""
    found = static_types.join(a, b)
    if found is not None or a.kind != b.kind or a.kind not in ("entity", "set", "list"):
        return found
    if "Piece" in (a.universe, b.universe):
        pieces, other = (a, b) if a.universe == "Piece" else (b, a)
        if other.universe not in world.stand_ins:
            return None
        kinds = pieces.kinds or tuple(k for k, info in world.kinds.items() if info.base is None)
        held = piece(*dict.fromkeys((*kinds, stand_in(other.universe))))
    else:
        both = {a.universe, b.universe}
        wide = next((name for name, parts in world.unions.items() if both <= {name, *parts}), None)
        if wide is None:
            return None
        held = entity(wide)
    if a.kind == "entity":
        return replace(held, optional=a.optional or b.optional)
    return held.as_set() if a.kind == "set" else held.as_list(a.capacity + b.capacity)
