"""Observations as numbers: what a seat may know of a position, in an array whose layout is the same in every position.

All of it is written from :meth:`State.view`, which tells a seat what the rules let it see and nothing else, so that no
number here can tell more. The layout follows from the program alone and is told as data (:meth:`Observations.data`).

Bounds of the elements of an observation, from the declarations alone: what a space of arrays says of itself.
"""

from __future__ import annotations

import json
from array import array
from collections import Counter
from collections.abc import Mapping, MutableSequence, Sequence
from math import inf, prod
from typing import Any

from rulewright.engine import PUBLIC, Engine, State
from rulewright.foundation import dataclass
from rulewright.host import invalid_argument
from rulewright.host import seat as seat_number
from rulewright.ir import HeldPieces
from rulewright.ir import model as m
from rulewright_lab.environment.action_space import ActionSpace
from rulewright_lab.environment.value_encoding import Encoding, Number, Places, encoding


@dataclass(frozen=True, slots=True)
class Part:
    """A part of the array."""

    name: str
    """``seat``, ``asked``, ``question``, ``out``, ``over``, ``first``, ``field gold``, ``zone hand``, ``region Land``.
    """
    offset: int
    """The number of its first element."""
    shape: tuple[int, ...]
    rows: tuple[str, ...] = ()
    """The keys of its rows, if it has any: of the zone or field, joined by ``, ``."""
    columns: tuple[str, ...] = ()
    """The meaning of the elements of a row."""

    @property
    def size(self) -> int:
        """The number of its elements."""
        return prod(self.shape)

    def data(self) -> dict[str, Any]:
        """The part as plain data."""
        return {
            "name": self.name,
            "offset": self.offset,
            "shape": list(self.shape),
            "rows": list(self.rows),
            "columns": list(self.columns),
        }


KNOWN, NOTHING, COUNT = "known", "none", "count"


class Observations:
    """The observations of one game: see :attr:`rulewright.Game.observations`."""

    def __init__(self, engine: Engine, actions: ActionSpace) -> None:
        self._engine = engine
        program, layout = engine.program, engine.layout
        self._seats = layout.universes["Player"].keys
        self._questions = {q.name: n for n, q in reversed(list(enumerate(actions.questions)))}
        pieces = layout.universes["Piece"].keys if "Piece" in layout.universes else ()
        self._pieces = pieces
        kinds = tuple(dict.fromkeys(pieces))
        self._parts: list[Part] = []
        self.fields: dict[str, tuple[Part, Encoding, Mapping[str, int], m.Field]] = {}
        self._alike: dict[str, dict[str, list[int]]] = {}
        """For each field of pieces the rows of those that nothing printed on them tells apart, by their key."""
        self.zones: dict[str, tuple[Part, Mapping[str, int], Mapping[str, int]]] = {}
        self.size = 0
        """The number of elements of an array."""
        for name in ("seat", "asked"):
            self._part(name, (len(self._seats),), columns=self._seats)
        self._part("question", (len(actions.questions),), columns=tuple(q.name for q in actions.questions))
        self._part("out", (len(self._seats),), columns=self._seats)
        self._part("over", (1,))
        self._part("first", (len(self._seats),), columns=self._seats)
        for field in program.fields:
            if not field.is_internal and field.name != m.PAID:
                self._field(field, encoding(engine, field.ty, kinds))
        held = HeldPieces(program) if program.zones else None
        for zone in (zone for zone in program.zones if not zone.is_internal):
            assert held is not None
            self._zone(zone, held.zones[zone.name])
        for name in layout.merged:
            keys = layout.universes[name].keys
            self._part(f"region {name}", (len(keys),), columns=keys)
        self.parts = tuple(self._parts)
        """The parts, in the order of their offsets."""
        self._by_name = {part.name: part for part in self.parts}
        self._blank = array("f", bytes(4 * self.size))

    def _part(
        self, name: str, shape: tuple[int, ...], rows: tuple[str, ...] = (), columns: tuple[str, ...] = ()
    ) -> Part:
        part = Part(name, self.size, shape, rows, columns)
        self._parts.append(part)
        self.size += part.size
        return part

    def _field(self, field: m.Field, written: Encoding) -> None:
        layout = self._engine.layout
        rows = layout.row_keys(field.index) if field.index else ()
        columns = (KNOWN, *((NOTHING,) if field.ty.optional else ()), *written.labels())
        shape = (max(1, len(rows)), len(columns))
        part = self._part(f"field {field.name}", shape, tuple(rows), columns)
        self.fields[field.name] = part, written, {key: n for n, key in reversed(list(enumerate(rows)))}, field
        if "Piece" in field.index:
            alike = self._alike.setdefault(field.name, {})
            for row, key in enumerate(rows):
                alike.setdefault(key, []).append(row)

    def _zone(self, zone: m.Zone, lying: int) -> None:
        keys = [key for piece, key in enumerate(self._pieces) if lying >> piece & 1]
        kinds = tuple(dict.fromkeys(keys))
        rows = self._engine.layout.row_keys(zone.index) if zone.index else ()
        part = self._part(f"zone {zone.name}", (max(1, len(rows)), 2 + len(kinds)), tuple(rows), (KNOWN, COUNT, *kinds))
        numbers = {key: 2 + n for n, key in enumerate(kinds)}
        self.zones[zone.name] = part, {key: n for n, key in enumerate(rows)}, numbers

    # ------------------------------------------------------------------------------------------------- observing

    def of_view(self, seen: Mapping[str, Any]) -> array[float]:
        """The observation of what :meth:`State.view` has told somebody."""
        found, by_name = array("f", self._blank), self._by_name
        if seen["seat"] is not None:
            found[by_name["seat"].offset + self._seats.index(seen["seat"])] = 1.0
        decision = seen["decision"]
        if decision is not None:
            if decision["who"] in self._seats:
                found[by_name["asked"].offset + self._seats.index(decision["who"])] = 1.0
            number = self._questions.get(decision["name"])
            if number is not None:
                found[by_name["question"].offset + number] = 1.0
        for number, one in enumerate(seen["players"]):
            found[by_name["out"].offset + number] = float(one["out"])
        if seen["result"] is not None:
            found[by_name["over"].offset] = 1.0
            for winner in seen["result"]["winners"]:
                found[by_name["first"].offset + self._seats.index(winner)] = 1.0
        for name, seen_value in seen["fields"].items():
            if name in self.fields:
                self._write_field(name, seen_value, found)
        for name, seen_value in seen["zones"].items():
            self._write_zone(name, seen_value, found)
        for name, regions in seen["regions"].items():
            self._write_regions(by_name[f"region {name}"], regions, found)
        return found

    def array(self, state: State, player: int | None) -> array[float]:
        """The observation of a player (by number), or what all see alike for ``PUBLIC``; None sees everything.

        An array of `size` floats; :attr:`parts` say what stands where. RulesetError if nobody has this number.
        """
        if not isinstance(state, State) or state.engine.program != self._engine.program:
            raise invalid_argument("the state", state, "it must be a state of this game")
        viewer = player if player in (None, PUBLIC) else seat_number(self._seats, player)
        return self.of_view(state.view(viewer))

    def _write_field(self, name: str, seen_value: Any, found: MutableSequence[float]) -> None:
        part, written, rows, field = self.fields[name]
        if not field.index:
            self._write_value(part, written, field, 0, seen_value, found)
            return
        hidden = set(seen_value.get("hidden", ()))
        values = seen_value["values"]
        if "Piece" in field.index:
            self._write_piece_rows(part, written, field, seen_value, found)
            return
        for key, row in rows.items():
            if key not in hidden:
                self._write_value(part, written, field, row, values.get(key, seen_value["default"]), found)

    def _write_piece_rows(
        self, part: Part, written: Encoding, field: m.Field, seen_value: Any, found: MutableSequence[float]
    ) -> None:
        """Rows of pieces: those with one key are filled in the order of the view, which tells no numbers."""
        alike, used = self._alike[field.name], Counter[str]()
        for key, value in seen_value["values"].items():
            name = key if key in alike else key.rsplit(" #", 1)[0]
            rows = alike.get(name, [])
            if used[name] < len(rows):
                self._write_value(part, written, field, rows[used[name]], value, found)
                used[name] += 1

    def _write_value(
        self, part: Part, written: Encoding, field: m.Field, row: int, value: Any, found: MutableSequence[float]
    ) -> None:
        if isinstance(value, dict):  # only how many there are
            return
        at = part.offset + row * part.shape[1]
        found[at] = 1.0
        if value is None:
            if field.ty.optional:
                found[at + 1] = 1.0
            return
        written.write(value, found, at + 1 + field.ty.optional)

    def _write_zone(self, name: str, seen_value: Any, found: MutableSequence[float]) -> None:
        part, rows, kinds = self.zones[name]
        if not rows:
            self._write_pieces(part.offset, kinds, seen_value, found)
            return
        hidden = set(seen_value.get("hidden", ()))
        for key, row in rows.items():
            at = part.offset + row * part.shape[1]
            if key in seen_value["values"]:
                self._write_pieces(at, kinds, seen_value["values"][key], found)
            elif key not in hidden:
                found[at] = 1.0

    def _write_pieces(self, at: int, kinds: Mapping[str, int], seen_value: Any, found: MutableSequence[float]) -> None:
        found[at], found[at + 1] = 1.0, float(seen_value["count"])
        for key, number in Counter(piece["key"] for piece in seen_value.get("pieces", ()) if "key" in piece).items():
            if key in kinds:
                found[at + kinds[key]] = float(number)

    def _write_regions(self, part: Part, regions: Sequence[Sequence[str]], found: MutableSequence[float]) -> None:
        """For each place the number of its region, as a fraction."""
        place = {key: n for n, key in enumerate(part.columns)}
        for number, region in enumerate(regions, 1):
            for key in region:
                found[part.offset + place[key]] = number / part.size

    def text(self, state: State, player: int | None) -> str:
        """Text of an observation: the parts of :meth:`State.view`, one a line."""
        seen = state.view(player)
        head = {name: seen[name] for name in ("seat", "players", "decision", "answers", "result") if seen.get(name)}
        parts = {**head, **seen["fields"], **seen["zones"], **seen["regions"]}
        return "\n".join(f"{name}: {json.dumps(seen_value, ensure_ascii=False)}" for name, seen_value in parts.items())

    def data(self) -> list[dict[str, Any]]:
        """The layout as plain data: for each part its name, offset, shape, and the meaning of rows and columns."""
        return [part.data() for part in self.parts]


def observation_bounds(engine: Engine, observations: Observations) -> tuple[array[float], array[float]]:
    """The least and the greatest value of each element: truths are 0 or 1, numbers a fraction of their bound, counts
    come to what there is. Numbers that the rules do not bound are not bounded here either."""
    low, high = array("f", bytes(4 * observations.size)), array("f", [1.0]) * observations.size
    pieces = engine.layout.universes["Piece"].keys if "Piece" in engine.layout.universes else ()
    alike = Counter(pieces)
    for part, written, _, field in observations.fields.values():
        seen_value = [(0.0, 1.0)] * (part.shape[1] - written.width) + _of_value(field.ty, written, alike)
        for column, (least, most) in enumerate(seen_value):
            rows = slice(part.offset + column, part.offset + part.size, part.shape[1])
            low[rows], high[rows] = (array("f", [end]) * part.shape[0] for end in (least, most))
    for zone in (zone for zone in engine.program.zones if zone.name in observations.zones):
        part = observations.zones[zone.name][0]
        for column, key in enumerate(part.columns):
            rows = slice(part.offset + column, part.offset + part.size, part.shape[1])
            most = min(zone.capacity, alike[key]) if column > 1 else zone.capacity if column else 1
            high[rows] = array("f", [most]) * part.shape[0]
    return low, high


def _of_value(ty: m.Ty, written: Encoding, alike: Counter[str]) -> list[tuple[float, float]]:
    """The bounds of the elements of one value."""
    if isinstance(written, Places):
        return _of_value(ty, written.item, alike) * written.capacity
    if isinstance(written, Number):
        if ty.low > -m.INT_MAX and ty.high < m.INT_MAX:
            return [(min(0.0, ty.low / written.unit), max(0.0, ty.high / written.unit))]
        return [(min(0.0, ty.low / written.unit) if ty.low > -m.INT_MAX else -inf, inf)]
    if ty.kind == "list":
        return [(0.0, float(ty.capacity))] * written.width
    if ty.kind == "set" and ty.universe == "Piece":
        return [(0.0, float(alike[key])) for key in written.labels()]
    return [(0.0, 1.0)] * written.width
