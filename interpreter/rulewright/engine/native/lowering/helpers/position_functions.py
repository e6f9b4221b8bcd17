"""The functions behind fingerprints of positions, which are part of a module if it calls them.

What the fields of a position add to its lanes is kept from one fingerprint to the next (hashing as in Zobrist, *A new
hashing method with application for game playing*, 1970), with a copy of these cells: only cells that are others than in
the copy are looked at. So writes need not be noted, and it may be another state altogether.
"""

from __future__ import annotations

from struct import pack

from rulewright.engine.cells.fingerprint import LANES, Fingerprint, key_of
from rulewright.engine.native.memory_map import MemoryMap, cell_bytes
from rulewright.engine.native.webassembly.encoding import Op
from rulewright.engine.native.webassembly.function_body import FunctionBody
from rulewright.engine.native.webassembly.module import Module, function
from rulewright.engine.native.webassembly.terms import I32, I64, Local, Term, call, const, mem64, select
from rulewright.engine.random_numbers import GAMMA
from rulewright.foundation.lazy_dataclass import dataclass

MOST_KEYS = 1 << 10
"""Of so many words the keys are a table; those of larger positions are worked out."""


@dataclass(frozen=True, slots=True)
class KeptLanes:
    """The addresses of what is kept of the fields of a position."""

    update: int
    """The function that looks for cells that are others now."""
    lanes: int
    """The address of the lanes."""
    added: int
    """The address of what each word has added to each of them."""
    number: int
    """The function for one word that is another one now: its number, it, and what it was at first."""


class PositionFunctions:
    """The numbers of the functions, which are written when they are first needed."""

    def __init__(self, module: Module, memory: MemoryMap) -> None:
        self.module, self._memory = module, memory
        self._kept: dict[tuple[tuple[str, ...], int, int], KeptLanes] = {}

    def of_fields(self, made: Fingerprint, behind: int) -> KeptLanes:
        """The fingerprint of the fields of a position, whose cells lie so many bytes behind those of now."""
        key = tuple(made.fields), made.size, behind
        if key not in self._kept:
            lanes, added = self._memory.reserve(8 * len(LANES)), self._memory.reserve(8 * len(LANES) * made.size)
            update, word = self.module.declare(()), self.module.declare((I32, I64, I64))
            kept = self._kept[key] = KeptLanes(update, lanes, added, word)
            with self.module.writing(word, "positions") as (body, (number, now, before)):
                self._replace(body, kept, made.size, (number, now, before))
            with self.module.writing(update, "positions") as (body, _):
                for name, first in made.fields.items():
                    self._look(body, kept, made, name, first, behind)
        return self._kept[key]

    def keys(self, size: int, number: Local) -> list[Term]:
        """The keys of words with a number in a position of so many, one for each lane."""
        if size > MOST_KEYS:
            return [call(self.key, number.extend_u(), const(seed, I64), gives=I64) for seed in LANES]
        known = [key_of(lane, number) for number in range(size) for lane in LANES]
        table = self._memory.constant(pack(f"<{len(known)}Q", *known))
        return [mem64(number * (8 * len(LANES)), table + 8 * at) for at in range(len(LANES))]

    def _replace(self, body: FunctionBody, kept: KeptLanes, size: int, word: tuple[Local, Local, Local]) -> None:
        """Let a word add to the lanes what it adds now; one that is as at first adds nothing."""
        number, now, before = word
        row, new = body.locals(I32, I64)
        body.set(row, number * (8 * len(LANES)))
        for at, key in enumerate(self.keys(size, number)):
            lane, old = mem64(0, kept.lanes + 8 * at), mem64(row, kept.added + 8 * at)
            body.set(new, select(const(0, I64), mix(body, body.hold(now ^ key)), now.eq(before)))
            body.set(lane, lane + new - old)
            body.set(old, new)

    def _look(self, body: FunctionBody, kept: KeptLanes, made: Fingerprint, name: str, first: int, behind: int) -> None:
        """Look for cells of a field that are others now, two small ones at once."""
        memory = self._memory
        layout = memory.layout
        place, is_set = layout.fields[name], layout.field_of[name].ty.kind == "set"
        size = min(8, cell_bytes(layout.widths[place.at]))
        total = place.count * place.span * cell_bytes(layout.widths[place.at])
        begin = memory.cell_at[place.at]
        before = memory.initial[begin - memory.cells : begin - memory.cells + total]
        copied = memory.reserve(total)
        memory.constants.append((copied, before))
        load = Op.I64_LOAD if size > 4 else Op.I64_LOAD32_U if is_set else Op.I64_LOAD32_S
        begin, first_values, now = begin + behind, memory.constant(before), body.local(I64)
        at = body.hold(const(0))

        def look(offset: int) -> None:
            changed = now.tee(mem64(at, begin + offset, load)).ne(mem64(at, copied + offset, load))
            with body.when(changed):
                number = (at >> size.bit_length() - 1) + (first + offset // size)
                body.call(kept.number, number, now, mem64(at, first_values + offset, load))
                body.set(mem64(at, copied + offset, Op.I64_LOAD if size > 4 else Op.I64_LOAD32_U), now)

        if pairs := total & ~7:
            with body.block() as out, body.loop() as again:
                body.branch_if(out, at.ge_u(pairs))
                with body.when(mem64(at, begin).ne(mem64(at, copied))):
                    for offset in range(0, 8, size):
                        look(offset)
                body.set(at, at + 8)
                body.branch(again)
        if total > pairs:
            look(0)

    @function("positions", I64, I64, I64, gives=I64)
    def added(self, body: FunctionBody, total: Local, word: Local, key: Local) -> None:
        """A lane (the first argument), with what a word of a number adds to it, whose key is the third argument. See
        :mod:`rulewright.engine.cells.fingerprint`."""
        mixed = body.hold(word ^ key)
        body.push(mix(body, mixed) + total)

    @function("positions", I64, I64, gives=I64)
    def key(self, body: FunctionBody, at: Local, lane: Local) -> None:
        """The key of words with a number in a lane."""
        mixed = body.hold(at * GAMMA + lane)
        body.push(mix(body, mixed))


def mix(body: FunctionBody, word: Local) -> Term:
    """A local mixed by the finaliser of SplitMix64; it is changed here."""
    for shift, factor in ((30, 0xBF58476D1CE4E5B9), (27, 0x94D049BB133111EB)):
        body.set(word, (word ^ word >> shift) * const(factor, I64))
    return word ^ word >> 31
