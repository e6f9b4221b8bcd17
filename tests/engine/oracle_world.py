"""A state taken apart into plain Python values, for the second evaluator."""

from __future__ import annotations

from dataclasses import dataclass, field
from itertools import product
from typing import Any

from rulewright.engine import State
from rulewright.ir import model as m
from rulewright.ir.model import NONE

Value = Any


class Wrong(Exception):
    """The expression is an error, with the code of the engine's error."""


@dataclass
class World:
    """A state taken apart."""

    program: m.Program
    fields: dict[tuple[str, tuple[int, ...]], Value] = field(default_factory=dict)
    zones: dict[tuple[str, tuple[int, ...]], tuple[int, ...]] = field(default_factory=dict)
    """Pieces from the bottom or first slot; for sets in any order."""
    regions: dict[str, list[frozenset[int]]] = field(default_factory=dict)
    out: frozenset[int] = frozenset()
    sides: dict[int, int] = field(default_factory=dict)

    def home(self, piece: int) -> tuple[str, tuple[int, ...]]:
        return next(zone for zone, pieces in self.zones.items() if piece in pieces)

    def region(self, merged: str, place: int) -> frozenset[int]:
        return next(r for r in self.regions[merged] if place in r)


def world(state: State) -> World:
    """Take a state apart."""
    layout, C, program = state.engine.layout, state.cells, state.engine.program
    found = World(program)
    sizes = {u.name: u.size for u in program.universes}
    for declared in program.fields:
        place = layout.fields[declared.name]
        for n, keys in enumerate(product(*(range(sizes[u]) for u in declared.index))):
            at = place.at + n * place.span
            if declared.ty.kind == "list":
                value: Value = tuple(C[at + 1 : at + 1 + C[at]])
            elif declared.ty.kind == "set":
                value = bits(C[at])
            else:
                value = None if C[at] == NONE else C[at]
            found.fields[declared.name, keys] = value
    for instance in layout.instances:
        name = program.zones[instance.zone].name
        if instance.ordered:
            pieces = tuple(C[instance.at + 1 : instance.at + 1 + C[instance.at]])
        else:
            pieces = tuple(bits(C[instance.at]))
        found.zones[name, instance.keys] = pieces
    for name, place in layout.merged.items():
        found.regions[name] = [bits(C[place.members + i]) for i in range(place.size) if C[place.alive] >> i & 1]
    found.out = bits(C[layout.out])
    for piece in range(layout.pieces):
        kinds = [k for k in program.kinds if k.sides and k.members >> piece & 1]
        found.sides[piece] = C[layout.side + piece] if kinds else C[layout.down] >> piece & 1 if layout.faced else 0
    return found


def bits(mask: int) -> frozenset[int]:
    return frozenset(i for i in range(mask.bit_length()) if mask >> i & 1)


def plain(raw: Any, like: Value) -> Value:
    """A raw value of the engine in the oracle's form, guided by the oracle's value."""
    if isinstance(raw, tuple):
        return tuple(None if x == NONE else x for x in raw)
    if isinstance(like, frozenset):
        return bits(raw)
    return None if raw == NONE else raw
