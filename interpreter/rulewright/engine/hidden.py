"""What a player does not know of a state: the pieces whose faces he does not see, and the values of fields."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from rulewright.engine.canonical import Frame, frames
from rulewright.engine.faults import Fault
from rulewright.engine.knowledge import Sight, seen, sight
from rulewright.engine.layout import Instance
from rulewright.engine.machine import Engine
from rulewright.engine.snapshot import Snapshot
from rulewright.engine.step_code import StepCode
from rulewright.engine.writer import Source
from rulewright.program import model as m
from rulewright.program.model import NONE, Ty
from rulewright.program.walk import deep_recursion


@dataclass(frozen=True, slots=True)
class Place:
    """Where a hidden piece lies."""

    piece: int
    admits: int
    """The pieces that could lie there instead, as a set."""


class Hidden:
    """What a player does not know of a state; found out once for any number of worlds."""

    def __init__(self, state: Snapshot, player: int) -> None:
        players = state.engine.layout.sizes["Player"]
        if not 0 <= player < players:
            raise ValueError(f"there is no player {player}: they are numbered from 0 to {players - 1}")
        self.state = state
        self.player = player
        self.engine = state.engine
        self.layout = state.engine.layout
        self.field_facets = {f.name: seen(state, f, player) for f in self.engine.program.fields}
        self._members = {k.name: k.members for k in self.engine.program.kinds}
        self._sights = [
            (instance, sight(state, instance, facets, player))
            for number, zone in enumerate(self.engine.program.zones)
            for instance, facets in zip(self._instances(number), seen(state, zone, player), strict=True)
        ]
        self._named = self._named_by_fields() | self._own_answers()
        self.places = self._places(0)
        question = state.question
        secret = question is not None and isinstance(question.instr, m.Choose) and question.instr.secret
        self.anything = (
            bool(self.places)
            or secret
            or any("face" not in facets for rows in self.field_facets.values() for facets in set(rows))
        )
        """Whether the player does not know all."""

    @property
    def touched(self) -> frozenset[str]:
        """What is dealt anew, as :class:`~rulewright.program.dependence.Dependence` names it."""
        zones = self.engine.program.zones
        names = {f"zone {zones[i.zone].name}" for i, told in self._sights if len(told.known) < len(told.pieces)}
        rows = self.field_facets.items()
        names |= {f"field {name}" for name, facets in rows if any("face" not in f for f in set(facets))}
        return frozenset(names) | {"where", "side"}

    def _instances(self, zone: int) -> list[Instance]:
        place = self.layout.zones[self.engine.program.zones[zone].name]
        return self.layout.instances[place.first : place.first + place.count]

    def _places(self, fixed: int) -> list[Place]:
        found = []
        for instance, told in self._sights:
            found += [
                Place(piece, self._admits(instance))
                for piece in told.pieces
                if piece not in told.known and not (self._named | fixed) >> piece & 1
            ]
        return found

    def without_those_seen_by(self, other: int) -> list[Place]:
        """Only the places that another player does not see either."""
        fixed = 0
        for number, zone in enumerate(self.engine.program.zones):
            for instance, facets in zip(self._instances(number), seen(self.state, zone, other), strict=True):
                told: Sight = sight(self.state, instance, facets, other)
                fixed |= sum(1 << piece for piece in told.known)
        return self._places(fixed)

    def _admits(self, instance: Instance) -> int:
        kinds = self.engine.program.zones[instance.zone].kinds
        result = 0
        for kind in kinds:
            result |= self._members[kind]
        return result if kinds else (1 << self.layout.pieces) - 1

    # ------------------------------------------------------------------------------------ pieces with a name

    def _named_by_fields(self) -> int:
        """The pieces that a field names which the player sees."""
        C, found = self.state.cells, 0
        for declared in self.engine.program.fields:
            place = self.layout.fields[declared.name]
            initial = self.layout.initial[place.at : place.at + place.span]
            end = place.at + place.span * place.count
            unsaid = "Piece" not in declared.index or C[place.at : end] == self.layout.initial[place.at : end]
            if unsaid and declared.ty.universe != "Piece":
                continue
            for number, facets in enumerate(self.field_facets[declared.name]):
                at = place.at + number * place.span
                if C[at : at + place.span] == initial and declared.ty.universe != "Piece":
                    continue
                if "face" not in facets:
                    continue
                if declared.ty.universe == "Piece":
                    found |= _pieces_in(declared.ty, C, at)
                if C[at : at + place.span] != initial:
                    keys = self.layout.keys_of(number, declared.index)
                    found |= sum(1 << k for u, k in zip(declared.index, keys, strict=True) if u == "Piece")
        return found

    def _own_answers(self) -> int:
        """The pieces that the player himself has answered with, in rules that are still being carried out."""
        state, found = self.state, 0
        for frame in frames(self.engine, state.stack):
            declared = self.engine.program.functions[frame.function]
            for i in declared.code:
                if isinstance(i, m.Choose) and i.universe == "Piece":
                    value = state.stack[frame.base + self.engine.compiled.offsets[frame.function][i.into]]
                    if value >= 0 and asked(state, frame, i, state.cells, state.stack) == self.player:
                        found |= 1 << value
        return found


def _pieces_in(ty: Ty, cells: Sequence[int], at: int) -> int:
    if ty.kind == "list":
        return sum(1 << p for p in set(cells[at + 1 : at + 1 + cells[at]]) if p >= 0)
    if ty.kind == "set":
        return cells[at]
    return 1 << cells[at] if cells[at] >= 0 else 0


def asked(state: Snapshot, frame: Frame, i: m.Choose, cells: Sequence[int], stack: Sequence[int]) -> int:
    """Who is asked by a choice of a frame, or none."""
    engine = state.engine
    made: dict[Any, Callable[..., int]] = engine.cache("asked")
    place = (frame.function, i.at)
    if place not in made:
        made[place] = _asker(engine, frame.function, i)
    try:
        return made[place](cells, engine.registers(frame.base), stack, frame.base)
    except (Fault, IndexError):
        return NONE


def _asker(engine: Engine, function: int, i: m.Choose) -> Callable[..., int]:
    compiled, declared = engine.compiled, engine.program.functions[function]
    source = Source([], [])
    with deep_recursion():
        w = StepCode(compiled.ctx, source, ("C", "R", "S", "B"), (declared.name, -1))
        w.function = declared.name
        w.slots = tuple(zip(compiled.offsets[function], declared.slots, strict=False))
        w.line(f"return {w.seat(i, f'return {NONE}')}")
        name = compiled.fresh_name()
        w.finish(name, ("C", "R", "S", "B"))
        compiled.add(source)
    found: Callable[..., int] = compiled.ctx.globals[name]
    return found
