"""States between the two backends: as bytes of the linear memory, and as the cells and the stack of the Python one."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from struct import Struct, pack
from typing import Any

from rulewright.engine.native.lowering.instructions.question_lowering import LISTED
from rulewright.engine.native.lowering.program_lowering import NativeProgram
from rulewright.engine.native.memory_map import (
    ASK,
    EXTRAS,
    FRAME_AT,
    FUNCTION,
    LEGAL,
    OPTIONS,
    PC,
    QUESTION,
    STATUS,
    TOP,
    WHO,
    MemoryMap,
    cell_bytes,
)
from rulewright.engine.native.suspended_state import SuspendedState
from rulewright.foundation.bit_sets import bits_of
from rulewright.ir import model as m

DEEPEST = 1 << 14
"""So many bytes of frames one of many states has at most, if rules call themselves."""
_PART = 128
"""So many cells are compared at once with those that were written last."""
_LETTERS = {(4, False): "I", (4, True): "i", (8, False): "Q", (8, True): "q"}
Words = tuple[int, int, bool]
"""The address of a number, its bytes, and whether it is signed."""


class _Record:
    """Numbers at known addresses; sets of more than a word are read as bytes."""

    def __init__(self, numbers: Iterable[Words]) -> None:
        self._wide: list[tuple[int, int]] = []
        parts, end = ["<"], 0
        self.count = 0
        for order, (at, size, signed) in enumerate(numbers):
            if size > 8:
                self._wide.append((order, size))
            parts.append(f"{at - end}x{_LETTERS.get((size, signed), f'{size}s')}")
            end = at + size
            self.count += 1
        self._struct = Struct("".join(parts))

    def read(self, raw: bytes, at: int) -> list[int]:
        """The numbers in some bytes from a place on."""
        found: list[Any] = list(self._struct.unpack_from(raw, at))
        for order, _ in self._wide:
            found[order] = int.from_bytes(found[order], "little")
        return found

    def write(self, raw: bytearray, at: int, numbers: Sequence[int]) -> None:
        """Put numbers into some bytes from a place on."""
        given: list[Any] = list(numbers)
        for order, size in self._wide:
            given[order] = given[order].to_bytes(size, "little")
        self._struct.pack_into(raw, at, *given)


class _CellWriter:
    """Writes the cells of one state after another: parts in which nothing has changed are taken over."""

    def __init__(self, memory: MemoryMap) -> None:
        self._memory = memory
        places = [
            (at, cell_bytes(width), width < 0) for at, width in zip(memory.cell_at, memory.layout.widths, strict=True)
        ]
        parts = [places[first : first + _PART] for first in range(0, len(places), _PART)]
        self._parts = [_Record((at - part[0][0], size, signed) for at, size, signed in part) for part in parts]
        self._begins = [part[0][0] for part in parts]
        initial = memory.layout.initial
        self._last: tuple[Sequence[int], bytes] = initial, bytes(memory.cells) + memory.initial
        """The cells that were written last, with their bytes and those of the registers."""

    def written(self, cells: Sequence[int]) -> bytearray:
        """The bytes of a state without frames; the registers are 0."""
        before, known = self._last
        raw = bytearray(known)
        for number, record in enumerate(self._parts):
            first = number * _PART
            part = cells[first : first + _PART]
            if part != before[first : first + _PART]:
                record.write(raw, self._begins[number], part)
        self._memory.encode_sets(raw, self._memory.sets_at, cells)
        self._last = list(cells), bytes(raw)  # at once: threads may share it
        return raw


class StateCodec:
    """Reads and writes the states of one program."""

    def __init__(self, program: m.Program, native: NativeProgram) -> None:
        self.memory, self.native, self._program = native.memory, native, program
        memory = native.memory
        widths = zip(memory.cell_at, memory.layout.widths, strict=True)
        self._cells = _Record((at - memory.cells, cell_bytes(width), width < 0) for at, width in widths)
        self._writer = _CellWriter(memory)
        self._frames = [
            _Record(self._slots(f, frame.offsets)) for f, frame in zip(program.functions, memory.frames, strict=True)
        ]
        self._question_numbers = {one[:2]: number for number, one in enumerate(native.questions)}

    def _slots(self, function: m.Function, offsets: Sequence[int]) -> Iterable[Words]:
        """The numbers of a frame: function, instruction, address of the caller's frame, slots."""
        yield from ((at, 4, True) for at in (0, 4, 8))
        for slot, offset in zip(function.slots, offsets, strict=True):
            if slot.ty.kind == "set":
                yield offset, self.memory.slot_bytes(slot.ty), False
            else:
                yield from ((at, 4, True) for at in range(offset, offset + self.memory.slot_bytes(slot.ty), 4))

    @property
    def room(self) -> int:
        """The bytes that a state takes at most: without those of frames beyond :data:`DEEPEST`."""
        calls = {f.name: {i.function for i in f.code if isinstance(i, m.Call)} for f in self._program.functions}
        sizes = {f.name: frame.size for f, frame in zip(self._program.functions, self.memory.frames, strict=True)}
        deepest = dict.fromkeys(calls, 0)
        for _ in calls:  # as often as there are functions: then it has settled, or they call themselves
            before = dict(deepest)
            for name, called in calls.items():
                deepest[name] = min(DEEPEST, sizes[name] + max((deepest[one] for one in called), default=0))
            if before == deepest:
                break
        slots = [slot for function in self._program.functions for slot in function.slots]
        longest = max([self.memory.layout.pieces, *(slot.ty.capacity for slot in slots)])
        return self.memory.stack + deepest[self._program.main] + 4 * (longest + 4)

    # ------------------------------------------------------------------------------------------------------ reading

    def cells(self, raw: bytes) -> list[int]:
        """The cells of a state that is given as its bytes."""
        return self._cells.read(raw, self.memory.cells)

    def some(self, cells: Sequence[int]) -> Callable[[bytes], Sequence[int]]:
        """A reader of some cells, in their order, from the bytes of all."""
        memory, order = self.memory, sorted(set(cells))
        widths = memory.layout.widths
        record = _Record((memory.cell_at[at] - memory.cells, cell_bytes(widths[at]), widths[at] < 0) for at in order)
        places = {cell: place for place, cell in enumerate(order)}
        wanted = [places[cell] for cell in cells]

        def read(raw: bytes) -> list[int]:
            found = record.read(raw, 0)
            return [found[place] for place in wanted]

        return read

    def rest(self, raw: bytes) -> SuspendedState:
        """A state that is given as its bytes."""
        status = _number(raw, STATUS)
        if status != ASK:
            return SuspendedState(status, self.cells(raw), [], 0, (), 0)
        extras = int.from_bytes(raw[EXTRAS : EXTRAS + 8], "little")
        return SuspendedState(status, self.cells(raw), self._stack(raw), _number(raw, WHO), self._members(raw), extras)

    def offered_words(self, raw: bytes) -> int:
        """The words of the set that is offered in a state, or that it is a list."""
        return self.native.questions[_number(raw, QUESTION)][2]

    def _stack(self, raw: bytes) -> list[int]:
        at, base, found = self.memory.stack, 0, list[int]()
        last = _number(raw, FRAME_AT)
        while at <= last:
            function = _number(raw, at + FUNCTION)
            values = self._frames[function].read(raw, at)
            found += (values[0], values[1], base, *values[3:])
            base = len(found) - len(values) + 3
            at += self.memory.frames[function].size
        return found

    def _members(self, raw: bytes) -> tuple[int, ...]:
        words = self.offered_words(raw)
        if words == LISTED:
            at = _number(raw, LEGAL)
            return tuple(_number(raw, at + 4 * number) for number in range(1, 1 + _number(raw, at)))
        offered = int.from_bytes(raw[LEGAL : LEGAL + 8 * words], "little")
        return tuple(bits_of(offered))

    # ------------------------------------------------------------------------------------------------------ writing

    def encoded(self, rest: SuspendedState) -> bytes:
        """The bytes of a state."""
        raw = self._writer.written(rest.cells)
        begin = at = 0
        while begin < len(rest.stack):
            caller, at = at, len(raw)
            function, pc = rest.stack[begin], rest.stack[begin + 1]
            frame = self._frames[function]
            raw += bytes(self.memory.frames[function].size)
            frame.write(raw, at, (function, pc, caller, *rest.stack[begin + 3 : begin + frame.count]))
            begin += frame.count
        if rest.status == ASK:
            self._ask(raw, rest, (_number(raw, at + FUNCTION), _number(raw, at + PC)))
        for address, number in ((STATUS, rest.status), (FRAME_AT, at), (TOP, len(raw))):
            raw[address : address + 4] = number.to_bytes(4, "little")
        return bytes(raw)

    def _ask(self, raw: bytearray, rest: SuspendedState, where: tuple[int, int]) -> None:
        """Write what is offered."""
        number = self._question_numbers[where]
        words = self.native.questions[number][2]
        listed = len(raw)
        if words == LISTED:
            raw += pack(f"<{len(rest.members) + 1}i", len(rest.members), *rest.members)
            raw += bytes(-len(raw) % 8)
            raw[LEGAL : LEGAL + 4] = listed.to_bytes(4, "little")
        else:
            offered = sum(1 << member for member in rest.members)
            raw[LEGAL : LEGAL + 8 * words] = offered.to_bytes(8 * words, "little")
        options = len(rest.members) + rest.extras.bit_count()
        raw[EXTRAS : EXTRAS + 8] = rest.extras.to_bytes(8, "little")
        for address, value in ((QUESTION, number), (WHO, rest.who), (OPTIONS, options)):
            raw[address : address + 4] = value.to_bytes(4, "little")


def _number(raw: bytes | bytearray, at: int) -> int:
    return int.from_bytes(raw[at : at + 4], "little", signed=True)
