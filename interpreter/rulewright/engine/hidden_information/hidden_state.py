"""The part of a state that a player does not know: the pieces whose faces they do not see, and the values of fields."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import cached_property, reduce
from operator import or_
from typing import Any

from rulewright.engine.cells.interchange import held
from rulewright.engine.cells.layout import Instance, changed
from rulewright.engine.cells.player_memory import alike_by_key, several
from rulewright.engine.evaluator.transfers import decider_of
from rulewright.engine.faults import Fault
from rulewright.engine.hidden_information.answers.audience import observers_of_chosen_piece
from rulewright.engine.hidden_information.answers.changes_since import same_since
from rulewright.engine.hidden_information.hidden_places import HiddenSlot, Places
from rulewright.engine.hidden_information.marker_constraints import admitted
from rulewright.engine.hidden_information.piece_words import Uncounted, unsure
from rulewright.engine.hidden_information.visibility import (
    NAMED,
    contained,
    contents,
    dependence,
    known_faces,
    seen,
)
from rulewright.engine.runtime.canonical_form import Frame, frames
from rulewright.engine.runtime.position import Position
from rulewright.foundation.bit_sets import bits_of
from rulewright.foundation.lazy_dataclass import dataclass
from rulewright.ir import model as m
from rulewright.ir.control_flow.control_flow_graph import reads_slot
from rulewright.ir.control_flow.liveness import live
from rulewright.ir.dataflow.effects import locations, own_reads
from rulewright.ir.model import NONE, Ty


@dataclass(frozen=True, slots=True)
class Covered:
    """A zone in which something lies whose face a player does not see."""

    instance: Instance
    pieces: tuple[int, ...]
    """All that lies there."""
    unknown: int
    """The pieces whose face they do not see, as a set."""
    backs: bool
    """True if they see the backs of these."""


class Hidden:
    """The part of a state that a player does not know; found once for any number of worlds."""

    def __init__(self, state: Position, player: int) -> None:
        players = state.engine.layout.sizes["Player"]
        if not 0 <= player < players:
            raise ValueError(f"there is no player {player}: they are numbered from 0 to {players - 1}")
        self.state = state
        self.player = player
        self.engine = state.engine
        self.layout = state.engine.layout
        fields = [(declared, seen(state, declared, player)) for declared in self.engine.program.fields]
        self._changed: dict[str, list[int]] = {}
        self.field_facets = {declared.name: facets.rows for declared, facets in fields}
        self.fields = [declared for declared, facets in fields if not facets.faces]
        """The fields of which they do not see all."""
        self._members = {k.name: k.members for k in self.engine.program.kinds}
        self.covered = [
            Covered(instance, contents(state.cells, instance), unknown, "back" in facets)
            for zone in self.engine.program.zones
            if not (faces := seen(state, zone, player)).faces
            for instance, facets in zip(self._instances(zone), faces.rows, strict=True)
            if state.cells[instance.at]  # else it is empty: no piece, or a length of 0
            and (unknown := contained(state.cells, instance) & ~known_faces(state, instance, facets, player))
        ]
        """The zones in which something lies whose face they do not see."""
        self._several = several(self.layout, state.cells, player) if self.covered else []
        self._rest = ~sum(self._several)
        self._exchanged = {piece: mask for mask in self._several for piece in bits_of(mask)}
        """The pieces with which one may have changed places; the rest among themselves."""
        self._named = self._named_by_fields() | self._own_answers() if self.covered else 0
        self.places = self._places(0)
        self.markers = self._markers() if self.places else []
        """The fields of which they see the values, over pieces that they do not know: these follow their pieces."""
        self.anything = bool(self.places) or state.simultaneous_node is not None or bool(self.fields)
        """True if the player does not know all."""

    @property
    def touched(self) -> frozenset[str]:
        """Tokens of all that is dealt anew, as :class:`~rulewright.ir.dataflow.effects.EffectAnalysis` names them."""
        zones = self.engine.program.zones
        names = {f"zone {zones[there.instance.zone].name}" for there in self.covered}
        names |= {f"field {declared.name}" for declared in (*self.fields, *self.markers)}
        return locations(zones).union(names, ("side",))

    def _instances(self, zone: m.Zone) -> list[Instance]:
        place = self.layout.zones[zone.name]
        return self.layout.instances[place.first : place.first + place.count]

    @cached_property
    def unsure(self) -> Uncounted | None:
        """The zones between which pieces may have gone unobserved: in which of them one lies, is unknown to all."""
        return unsure(self.state, self.player) if self.covered else None

    def _places(self, fixed: int) -> Places:
        found: list[HiddenSlot] = []
        fixed |= self._named
        fitting = admitted(self.state, lambda field, row: "face" in self.field_facets[field][row])
        for there, admits in self._covered():
            zone = NONE if there.instance.ordered else there.instance.at
            unknown = there.unknown & ~fixed
            rest = admits & self._rest
            alike = self._same_backs() if there.backs else None
            for piece in self._in_order(there):
                if unknown >> piece & 1:
                    others = admits & self._exchanged[piece] if piece in self._exchanged else rest
                    others &= fitting(piece)
                    found.append(HiddenSlot(piece, others if alike is None else others & alike[piece], zone))
        return Places(found, self.engine.interchange.kind)

    def _covered(self) -> Iterator[tuple[Covered, int]]:
        """The covered zones, each with what may lie there; those that are not distinguished are one, and come last."""
        mixed = self.unsure.instances if self.unsure is not None else []
        for there in self.covered:
            if there.instance not in mixed:
                yield there, self.admits(there.instance)
        together = [there for there in self.covered if there.instance in mixed]
        if together:
            pieces = tuple(sorted(piece for there in together for piece in there.pieces))
            unknown = sum(there.unknown for there in together)
            admits = reduce(or_, map(self.admits, mixed))
            yield Covered(together[0].instance, pieces, unknown, False), admits

    def _in_order(self, there: Covered) -> Sequence[int]:
        """The pieces of a zone in an order that does not reveal which they are.

        Places in a set are distinguished by what fields mention of the piece that lies there: all others are alike, and
        which of them is the first decides nothing.
        """
        if there.instance.ordered or len(there.pieces) < 2:
            return there.pieces
        return sorted(there.pieces, key=lambda piece: self._mentions.get(piece, []))

    @cached_property
    def _mentions(self) -> dict[int, list[tuple[int, ...]]]:
        """For each piece all mentions of it, but for its number: by locals, by fields that mention pieces, and by which
        side is up. Memories of others are not among it: which they have depends on what lies there."""
        found: dict[int, list[tuple[int, ...]]] = {}
        state, layout, interchange = self.state, self.layout, self.engine.interchange
        for frame in frames(self.engine, state.stack):
            for offset, ty in interchange.piece_slots(frame.function, frame.pc):
                for piece, where in held(state.stack, frame.base + offset, ty):
                    found.setdefault(piece, []).append((0, frame.base + offset, *where))
        for number, declared in enumerate(self.engine.program.fields):
            if over_pieces(declared) and not any(declared is hidden for hidden in self.fields):
                for row in self.rows_changed(declared):
                    for piece, mention in self._mentions_in(declared, row):
                        found.setdefault(piece, []).append((1, number, *mention))
        for piece in bits_of(state.cells[layout.down]) if layout.down >= 0 else ():
            found.setdefault(piece, []).append((3,))
        return {piece: sorted(mention) for piece, mention in found.items()}

    def _mentions_in(self, declared: m.Field, row: int) -> Iterator[tuple[int, tuple[int, ...]]]:
        """The mentions of each piece in a value of a field, other pieces left out."""
        place, cells = self.layout.fields[declared.name], self.state.cells
        at, keys = place.at + row * place.span, self.layout.keys_of(row, declared.index)
        others = [NONE if universe == "Piece" else key for universe, key in zip(declared.index, keys, strict=True)]
        holds = declared.ty.universe == "Piece"
        for position, (universe, key) in enumerate(zip(declared.index, keys, strict=True)):
            if universe == "Piece":
                yield key, (position, *others, *(() if holds else cells[at : at + place.span]))
        for piece, where in held(cells, at, declared.ty) if holds else ():
            yield piece, (NONE, *others, *where)

    def _same_backs(self) -> Sequence[int] | None:
        """For each piece those whose backs look the same; none if there are no backs."""
        known, backs = self.engine.cache("backs"), self.engine.program.backs
        if backs and not known:
            known["same"] = alike_by_key(backs)
        found: Sequence[int] | None = known.get("same")
        return found

    def presupposed(self) -> frozenset[int]:
        """The covered zones upon which it may depend what is offered now: those that the question reads and of which
        the deciding player sees the faces. By their first cells."""
        state, found = self.state, set[int]()
        if state.seat is None or state.question is None:
            return frozenset()
        reads = dependence(self.engine).through(own_reads(state.question.instr))
        for there in self.covered:
            zone = self.engine.program.zones[there.instance.zone]
            if f"zone {zone.name}" in reads:
                rows = seen(state, zone, state.seat).rows
                if "face" in rows[self._instances(zone).index(there.instance)]:
                    found.add(there.instance.at)
        return frozenset(found)

    def without_those_seen_by(self, other: int) -> Places:
        """Only the places that another player does not see either."""
        fixed = 0
        for there in self.covered:
            zone = self.engine.program.zones[there.instance.zone]
            rows = seen(self.state, zone, other).rows
            facets = rows[self._instances(zone).index(there.instance)]
            fixed |= known_faces(self.state, there.instance, facets, other)
        return self._places(fixed)

    def admits(self, instance: Instance) -> int:
        """The pieces that a zone takes, as a set; of a faced one those that may lie face down there."""
        kinds = self.engine.program.zones[instance.zone].kinds
        result = 0
        for kind in kinds:
            result |= self._members[kind]
        result = result if kinds else (1 << self.layout.pieces) - 1
        return result & instance.covered if instance.faced else result

    # ------------------------------------------------------------------------------------ pieces with a name

    def _named_by_fields(self) -> int:
        """The pieces that a field names to the player."""
        found = 0
        for declared in self.engine.program.fields:
            if over_pieces(declared) and any(audience.facet == "face" for audience in declared.audiences):
                rows = self.field_facets[declared.name]
                found |= self.mentioned(declared, [number for number, facets in enumerate(rows) if NAMED in facets])
        return found

    def _markers(self) -> list[m.Field]:
        pieces = self.places.pieces
        return [
            declared
            for declared in self.engine.program.fields
            if over_pieces(declared)
            and not any(declared is hidden for hidden in self.fields)
            and self.mentioned(declared, range(self.layout.fields[declared.name].count)) & pieces
        ]

    def rows_changed(self, declared: m.Field) -> list[int]:
        """The numbers of the values of a field that are not its first ones."""
        found = self._changed.get(declared.name)
        if found is None:
            place = self.layout.fields[declared.name]
            found = self._changed[declared.name] = list(changed(self.state.cells, self.layout.initial, place))
        return found

    def mentioned(self, declared: m.Field, numbers: Sequence[int]) -> int:
        """The pieces that some values of a field mention, as what they hold or as keys of what has changed."""
        C, place, found = self.state.cells, self.layout.fields[declared.name], 0
        if declared.ty.universe == "Piece":
            for number in numbers:
                found |= pieces_in(declared.ty, C, place.at + number * place.span)
        for number in self.rows_changed(declared) if numbers and "Piece" in declared.index else ():
            if number in numbers:
                keys = self.layout.keys_of(number, declared.index)
                for universe, key in zip(declared.index, keys, strict=True):
                    found |= 1 << key if universe == "Piece" else 0
        return found

    def _own_answers(self) -> int:
        """The pieces that the player has answered with, or knows that another one has, in rules that are still to do
        something with them."""
        state, found = self.state, 0
        held = list(frames(self.engine, state.stack))
        for number, frame in enumerate(held, 1):
            declared = self.engine.program.functions[frame.function]
            # A choice that stands further down is not answered yet, though its slot may hold a number.
            for pc, i in enumerate(declared.code[: frame.pc]):
                if isinstance(i, m.Choose | m.Chance) and i.universe == "Piece" and self._live(frame, i.into):
                    value = state.stack[frame.base + self.engine.compiled.offsets[frame.function][i.into]]
                    if value >= 0 and knows_answer(state, held[:number], pc, value, self.player):
                        found |= 1 << value
        return found

    def _live(self, frame: Frame, slot: int) -> bool:
        """True if the rules may still read a slot; at a question, the question reads it as well."""
        known = self.engine.cache("live")
        place = (frame.function, frame.pc, slot)
        if place not in known:
            code = self.engine.program.functions[frame.function].code
            known[place] = reads_slot(code[frame.pc], frozenset((slot,))) or live(code, frame.pc, slot)
        found: bool = known[place]
        return found


def knows_answer(state: Position, held: Sequence[Frame], pc: int, piece: int, player: int) -> bool:
    """True if a player has answered a question of the last of some frames with a piece, or the rules reveal it to
    them."""
    i = state.engine.program.functions[held[-1].function].code[pc]
    who = decider_then(state, held[-1], pc) if isinstance(i, m.Choose) else None
    if who == player:
        return True
    return bool(observers_of_chosen_piece(state.engine, state.cells, state.stack, held, pc, who, piece) >> player & 1)


def decider_then(state: Position, frame: Frame, pc: int, stored: bool = True) -> int:
    """The player who has answered a question of a frame; none if the expression for who may have another value by now.
    `stored`: who gave the answer that is kept, else who had to decide last, if only to pass."""
    i = state.engine.program.functions[frame.function].code[pc]
    assert isinstance(i, m.Choose)
    return (
        decider(state, frame, i, state.cells, state.stack)
        if same_since(state.engine, frame, pc, i.who, stored)
        else NONE
    )


def over_pieces(declared: m.Field) -> bool:
    """True if it has pieces for keys or values."""
    return "Piece" in declared.index or declared.ty.universe == "Piece"


def pieces_in(ty: Ty, cells: Sequence[int], at: int) -> int:
    """The pieces of a value in cells or slots, as a set."""
    if ty.kind == "list":
        return sum(1 << p for p in set(cells[at + 1 : at + 1 + cells[at]]) if p >= 0)
    if ty.kind == "set":
        return cells[at]
    return 1 << cells[at] if cells[at] >= 0 else 0


def decider(state: Position, frame: Frame, i: m.Choose, cells: Sequence[int], stack: Sequence[int]) -> int:
    """The player who decides a choice of a frame, or none."""
    engine = state.engine
    made: dict[Any, Callable[..., int]] = engine.cache("asked")
    place = (frame.function, i.at)
    if place not in made:
        made[place] = engine.compiled.in_frame(frame.function, -1, lambda x, scope: decider_of(x, i, scope, False))
    try:
        return made[place](cells, engine.registers(frame.base), stack, frame.base)
    except (Fault, IndexError):
        return NONE
