"""The linear memory of a program: registers, cells, stack, sets beside them, and the ranges that expressions read."""

from __future__ import annotations

import struct
from array import array
from collections import Counter
from collections.abc import Collection, Iterable, Sequence
from functools import cached_property

from rulewright.engine.cells.layout import Layout
from rulewright.foundation.bit_sets import bits_of
from rulewright.foundation.lazy_dataclass import dataclass
from rulewright.ir import model as m
from rulewright.ir.dataflow.effects import EffectAnalysis, asks_location
from rulewright.ir.intervals import of_type
from rulewright.ir.model import MAX_NUMBER_BITS, NONE
from rulewright.ir.reads import all_reads
from rulewright.ir.walk import nodes

WORD_BITS = 64
SMALL_BITS = 32
FEW_WORDS = 16
"""Sets of more words lie in memory, and what is done with each word is a loop."""


def words(bits: int) -> int:
    """The words that a set with so many members takes."""
    return max(1, -(-bits // WORD_BITS))


def is_large(bits: int) -> bool:
    """True if a set with so many members lies in memory."""
    return words(bits) > FEW_WORDS


def cell_bytes(width: int) -> int:
    """The bytes of a cell with so many bits."""
    return 4 if abs(width) <= SMALL_BITS else 8 * words(width)


GO_ON = 0
"""The function has returned: its caller goes on."""
CALLED = 5
"""The function has called one that is left to its caller."""
ASK, DREW, OVER, RETURNED = 1, 2, 3, 4
"""A player decides, chance is drawn outside, the game is over, the first function has returned
without a result."""


FEW = 16
"""So many values a field has at most."""


@dataclass(frozen=True, slots=True)
class ValueSets:
    """The sets of a field: first that of the keys with none, then one for each value, then an empty one."""

    field: str
    offset: int
    """The offset of its sets, in bytes from the first."""
    low: int
    high: int
    """The least and the largest value."""
    keys: int
    """The number of keys: bits of each set."""

    @property
    def span(self) -> int:
        """The bytes of one set."""
        return 8 * words(self.keys)

    @property
    def size(self) -> int:
        """The bytes of all."""
        return self.span * (self.high - self.low + 3)

    def slot(self, value: int) -> int:
        """The number of the set of a value."""
        return 0 if value == NONE else value - self.low + 1

    def encoded(self, values: Sequence[int]) -> bytes:
        """The sets of a field with these values."""
        found = [0] * (self.high - self.low + 3)
        for key, value in enumerate(values):
            found[self.slot(value)] |= 1 << key
        return b"".join(one.to_bytes(self.span, "little") for one in found)


_ASKING = (m.Cmp, m.FieldGet)


def compared_fields(program: m.Program, rules: Iterable[object]) -> frozenset[str]:
    """The fields with one key that nodes of rules compare with a value for some variable, or ask for a truth."""
    truths = {field.name for field in program.fields if field.ty.kind == "bool"}
    return frozenset(
        side.field
        for node in rules
        if type(node) in _ASKING
        for side in _compared(node)
        if isinstance(side, m.FieldGet) and len(side.index) == 1 and isinstance(side.index[0], m.Var)
        if isinstance(node, m.Cmp) or side.field in truths
    )


def find_value_sets(layout: Layout, program: m.Program, compared: Collection[str]) -> tuple[ValueSets, ...]:
    """The fields that are worth it, of those that are compared."""
    found: list[ValueSets] = []
    offset = 0
    for field in program.fields:
        if field.name not in compared or field.index[0] in layout.merged:
            continue
        bounds = of_type(field.ty, layout.sizes)
        if bounds is not None and bounds[1] - bounds[0] < FEW:
            found.append(ValueSets(field.name, offset, *bounds, layout.sizes[field.index[0]]))
            offset += found[-1].size
    return tuple(found)


def _compared(node: object) -> tuple[object, ...]:
    """The parts that are compared with a value, or are conditions themselves."""
    if isinstance(node, m.Cmp):
        return (node.left, node.right) if node.op in ("eq", "ne") else ()
    return (node,)


_PART = 64
"""So many zones are compared at once with those that were encoded last."""


@dataclass(frozen=True, slots=True)
class Occupants:
    """The numbers of the zones of one name."""

    zone: str
    offset: int
    """The offset of its row, in bytes from the first."""
    first: int
    """The number of the first of these zones."""
    cell: int
    """The first cell of their sets."""
    count: int

    @property
    def size(self) -> int:
        """The bytes of all."""
        return 4 * self.count


def single_zones(rules: Iterable[object]) -> frozenset[str]:
    """The zones of which nodes of rules ask for the only piece."""
    singles = (node.of for node in rules if isinstance(node, m.Single))
    return frozenset(zone.zone for zone in singles if isinstance(zone, m.ZoneGet))


def find_occupants(layout: Layout, single: Collection[str]) -> tuple[Occupants, ...]:
    """The zones that are worth it, of those of which the only piece is needed."""
    found: list[Occupants] = []
    offset = 0
    for name, place in layout.zones.items():
        here = layout.instances[place.first : place.first + place.count]
        limited = layout.limited[place.first : place.first + place.count]
        cells = layout.initial[place.at : place.at + place.count]
        if name not in single or place.ordered or place.span != 1:
            continue
        if all(limited) and all(i.capacity == 1 for i in here) and all(one.bit_count() <= 1 for one in cells):
            found.append(Occupants(name, offset, place.first, place.at, place.count))
            offset += found[-1].size
    return tuple(found)


class OccupantEncoder:
    """The numbers of some zones for the cells of one state after another, of which few change."""

    def __init__(self, zones: Sequence[Occupants]) -> None:
        self.zones = zones
        self._last: dict[str, tuple[list[int], array[int]]] = {}

    def write(self, raw: bytearray, at: int, cells: Sequence[int]) -> None:
        """Put them into bytes from a place on."""
        for one in self.zones:
            values = list(cells[one.cell : one.cell + one.count])
            before, known = self._last.get(one.zone, ([], array("i", [NONE]) * one.count))
            known = known[:]  # threads may share it
            for first in range(0, one.count, _PART):
                part = values[first : first + _PART]
                if part != before[first : first + _PART]:
                    known[first : first + _PART] = array(
                        "i", (value.bit_length() - 1 if value else NONE for value in part)
                    )
            self._last[one.zone] = values, known
            raw[at + one.offset : at + one.offset + one.size] = known.tobytes()


STACK_BYTES = 1 << 17
"""Room for the frames beside the largest one; a game that needs more is played by the Python backend."""

BUDGET, FRAME, ENTRY = 0, 1, 2
"""The numbers of the global variables: steps that are left, the address of the topmost frame, and
the basic block with which its function goes on."""

QUESTION, WHO, EXTRAS, RESULT = 0, 4, 8, 16
"""Addresses of registers: the pending question, the player to answer it, the words offered beside the members (a set),
and the number that a function has given."""
STATUS, OPTIONS, TOP, FRAME_AT = 20, 24, 28, 32
"""Addresses of what is noted of a state at rest: why the rules have stopped, the number of options, the address where
the state ends (it begins at 0, with the registers), the address of the topmost frame."""
LEGAL = 64
"""The address of the members that are offered, a set."""

FUNCTION, PC, CALLER, HEAD = 0, 4, 8, 16
"""Within a frame: its function, its instruction, the address of the caller's frame (0: there is none), its slots."""


@dataclass(frozen=True, slots=True)
class FrameMap:
    """Offsets of the slots of a function in its frame, and the bytes that the frame takes."""

    offsets: tuple[int, ...]
    size: int


class MemoryMap:
    """Addresses of everything; constants and scratch space are added while the program is compiled."""

    def __init__(
        self,
        layout: Layout,
        program: m.Program,
        compared: Collection[str],
        single: Collection[str] = (),
    ) -> None:
        """The `compared` fields are kept as sets, and of the `single` zones the only piece, if they are worth it."""
        self.layout = layout
        most_words = words(max(MAX_NUMBER_BITS, *layout.sizes.values()))
        self.result_words = LEGAL + 8 * most_words
        """The address of the set that a function has given."""
        at = self._aligned(self.result_words + 8 * most_words)
        self.cells = at
        """The address of the first cell."""
        self.cell_at: list[int] = []
        """The address of each cell."""
        for width in layout.widths:
            size = cell_bytes(width)
            at = self._aligned(at) if size > 4 else at
            self.cell_at.append(at)
            at += size
        self.sets_at = self._aligned(at)
        """The address of the first set of the fields that are kept as sets."""
        self.value_sets = {one.field: one for one in find_value_sets(layout, program, compared)}
        self.occupants_at = self.sets_at + sum(one.size for one in self.value_sets.values())
        """The address of the first number of a zone of which the only piece is kept."""
        self.occupants = {one.zone: one for one in find_occupants(layout, single)}
        self.stack = self._aligned(self.occupants_at + sum(one.size for one in self.occupants.values()))
        self.frames = [self._frame(f) for f in program.functions]
        self.stack_end = self.stack + STACK_BYTES + max(frame.size for frame in self.frames)
        self.end = self.stack_end
        self.constants: list[tuple[int, bytes]] = []
        self._known: dict[bytes, int] = {}
        self._encoded: dict[str, tuple[Sequence[int], bytes]] = {}
        """For each field that is kept as sets the values that were encoded last, and their bytes."""
        self._occupants = OccupantEncoder(tuple(self.occupants.values()))
        self._rows: dict[tuple[int, ...], tuple[int, int]] = {}
        self._zone_lists: dict[int, int] = {}

    @staticmethod
    def _aligned(at: int) -> int:
        return (at + 7) & ~7

    def _frame(self, function: m.Function) -> FrameMap:
        at, offsets = HEAD, []
        for slot in function.slots:
            at = self._aligned(at) if slot.ty.kind == "set" else at
            offsets.append(at)
            at += self.slot_bytes(slot.ty)
        return FrameMap(tuple(offsets), self._aligned(at))

    def slot_bytes(self, ty: m.Ty) -> int:
        """The bytes of a slot."""
        if ty.kind == "list":
            return 4 * (1 + ty.capacity)
        return 8 * words(self.layout.set_bits(ty)) if ty.kind == "set" else 4

    def reserve(self, size: int) -> int:
        """The address of so many more bytes, which are 0 at first."""
        at = self._aligned(self.end)
        self.end = at + size
        return at

    def constant(self, content: bytes) -> int:
        """The address of bytes that never change."""
        known = self._known.get(content)
        if known is None:
            known = self._known[content] = self.reserve(len(content))
            self.constants.append((known, content))
        return known

    def numbers(self, values: Iterable[int]) -> int:
        """The address of a table of numbers."""
        listed = tuple(values)
        return self.constant(struct.pack(f"<{len(listed)}i", *listed))

    def sets(self, values: Iterable[int], count: int) -> int:
        """The address of a table of sets of `count` words each."""
        return self.constant(b"".join(value.to_bytes(8 * count, "little") for value in values))

    def rows(self, sets: tuple[int, ...]) -> tuple[int, int]:
        """The address of a table of the members of some sets, a list each, and of an empty one; the most items."""
        known = self._rows.get(sets)
        if known is None:
            listed = [tuple(bits_of(one)) for one in sets]
            capacity = max(map(len, listed), default=0)
            padded = ((len(row), *row, *[0] * (capacity - len(row))) for row in (*listed, ()))
            known = self._rows[sets] = self.numbers(number for row in padded for number in row), capacity
        return known

    def zone_lists(self, behind: int = 0) -> int:
        """The address of a table: for each zone the address of its list, so many bytes `behind` the cells of the state
        of now, or 0 if it has no order."""
        if behind not in self._zone_lists:
            listed = (self.cell_at[i.at] + behind if i.ordered else 0 for i in self.layout.instances)
            self._zone_lists[behind] = self.numbers(listed)
        return self._zone_lists[behind]

    @cached_property
    def zone_is_stack(self) -> int:
        """The address of a table of truths: the zones that are stacks."""
        return self.numbers(int(i.stack) for i in self.layout.instances)

    @cached_property
    def initial(self) -> bytes:
        """The cells of a game that has not begun."""
        return self.encode_cells(self.layout.initial)

    @cached_property
    def earlier(self) -> int:
        """The address of the cells of an earlier state, with which that of now is compared."""
        return self.reserve(self.stack - self.cells)

    # --------------------------------------------------------------------------------------------------- decoding

    def encode_cells(self, cells: Sequence[int]) -> bytes:
        """The bytes of some cells, from :attr:`cells` on, and of the sets that are kept beside them."""
        found = bytearray(self.stack - self.cells)
        for value, at, width in zip(cells, self.cell_at, self.layout.widths, strict=True):
            size = cell_bytes(width)
            found[at - self.cells : at - self.cells + size] = value.to_bytes(size, "little", signed=width < 0)
        self.encode_sets(found, self.sets_at - self.cells, cells)
        return bytes(found)

    def encode_sets(self, raw: bytearray, at: int, cells: Sequence[int]) -> None:
        """Put what is kept beside some cells into bytes, from a place on."""
        for name, one in self.value_sets.items():
            place = self.layout.fields[name]
            values, begin = cells[place.at : place.at + place.count], at + one.offset
            known = self._encoded.get(name)
            if known is None or known[0] != values:  # from state to state few of them change
                known = self._encoded[name] = values, one.encoded(values)
            raw[begin : begin + one.size] = known[1]
        self._occupants.write(raw, at + self.occupants_at - self.sets_at, cells)


Range = tuple[int, int]
"""An address, and so many bytes from it on."""

GAP = 64
"""Ranges that lie so near to each other are one."""


def earlier_ranges(memory: MemoryMap, program: m.Program, expressions: Iterable[m.Expr]) -> list[Range]:
    """The addresses of all cells, and of the sets kept beside them, that expressions read of an earlier state."""
    compared = [node.of for e in expressions for node in nodes(e) if isinstance(node, m.Old)]
    if not compared:
        return []
    effects = EffectAnalysis.of(program)
    tokens = {token for e in compared for token in effects.reads(e)}
    return ranges_of(memory, tokens, _only_occupants(memory, program, compared))


def _only_occupants(memory: MemoryMap, program: m.Program, expressions: Iterable[m.Expr]) -> frozenset[str]:
    """The zones of which expressions ask nothing but which piece lies there, so that their sets are not read."""
    bodies = {f"area {a.name}": a.across for a in program.areas} | {q.name: q.body for q in program.queries}
    sets, single, waiting = Counter[str](), Counter[str](), list(expressions)
    while waiting:
        part = waiting.pop()
        found = [node.of for node in nodes(part) if isinstance(node, m.Single)]
        single.update(of.zone for of in found if isinstance(of, m.ZoneGet))
        for read in all_reads(part):
            if read.aspect in ("after", "contents"):
                return frozenset()
            if read.aspect in ("pieces", "order"):
                sets[read.name] += 1
            elif (body := bodies.pop(read.callee, None)) is not None:
                waiting.append(body)
    return frozenset(zone for zone in memory.occupants if sets[zone] == single[zone])


def ranges_of(memory: MemoryMap, tokens: Collection[str], only_occupants: Collection[str] = ()) -> list[Range]:
    """The addresses of what some tokens name, and of all that has no name; of some zones without the sets."""
    layout = memory.layout
    behind = [place.at for place in layout.fields.values()] + [place.at for place in layout.zones.values()]
    behind += [layout.known] * (layout.known >= 0)
    found = [_range(memory, 0, min(behind, default=len(layout.widths)))]  # all that has no name, and is small
    for name, field in layout.fields.items():
        if f"field {name}" in tokens:
            found.append(_range(memory, field.at, field.span * field.count))
            if (sets := memory.value_sets.get(name)) is not None:
                found.append((memory.sets_at + sets.offset, sets.size))
    for name, zone in layout.zones.items():
        # where a piece lies in a stack or row is looked for there
        if f"zone {name}" in tokens or (zone.ordered and asks_location(tokens)):
            if name not in only_occupants:
                found.append(_range(memory, zone.at, zone.span * zone.count))
            if (occupants := memory.occupants.get(name)) is not None:
                found.append((memory.occupants_at + occupants.offset, occupants.size))
    return _joined(found)


def _range(memory: MemoryMap, first: int, count: int) -> Range:
    """The addresses of so many cells."""
    last = first + count - 1
    return memory.cell_at[first], memory.cell_at[last] + cell_bytes(memory.layout.widths[last]) - memory.cell_at[first]


def _joined(ranges: Iterable[Range]) -> list[Range]:
    """Ranges in order, those that are near to each other as one."""
    found: list[Range] = []
    for at, size in sorted(ranges):
        if found and at <= sum(found[-1]) + GAP:
            found[-1] = (found[-1][0], max(sum(found[-1]), at + size) - found[-1][0])
        else:
            found.append((at, size))
    return found
