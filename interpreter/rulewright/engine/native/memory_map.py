"""The linear memory of a program: registers, the cells of the state, the stack, scratch space and constants.

A cell of at most 32 bits takes 4 bytes, a larger one (a set, the seed, a counter) words of 64 bits, least significant
first. A frame on the stack is a head of 16 bytes (function, instruction, address of the caller's frame) and its slots.
"""

from __future__ import annotations

import struct
from collections.abc import Collection, Iterable, Sequence
from functools import cached_property

from rulewright.engine.cells.layout import Layout
from rulewright.engine.cells.support import bits_of
from rulewright.engine.native.occupants import OccupantEncoder, find_occupants
from rulewright.engine.native.value_sets import find_value_sets
from rulewright.engine.native.word_sizes import cell_bytes, words
from rulewright.foundation.lazy_dataclass import dataclass
from rulewright.ir import model as m
from rulewright.ir.model import MAX_NUMBER_BITS

STACK_BYTES = 1 << 17
"""Room for the frames beside the largest one; a game that needs more is played by the Python backend."""

BUDGET, FRAME, ENTRY = 0, 1, 2
"""The numbers of the global variables: steps that are left, the address of the topmost frame, and
the basic block with which its function goes on."""

QUESTION, WHO, EXTRAS, RESULT = 0, 4, 8, 16
"""Addresses of registers: the question that is asked, who answers it, the words offered beside the members (a set), and
the number that a function has given."""
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
