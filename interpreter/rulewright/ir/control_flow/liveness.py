"""Liveness of slots: which locals of a function can still be read from an instruction on.

The classic backward data-flow analysis (Aho, Lam, Sethi, Ullman, *Compilers*, section 9.2.5): a slot is live before an
instruction if the instruction reads it, or if it is live after it and the instruction does not overwrite it. What a
dead slot holds can never matter again, so states that differ only there are one state.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from rulewright.foundation.bit_sets import bits_of
from rulewright.foundation.reachability import reachable
from rulewright.ir import model as m
from rulewright.ir.control_flow.control_flow_graph import (
    EXIT,
    Slots,
    definitions,
    reads_slot,
    successors,
    uses_and_definitions,
)


def shared_parameters(program: m.Program) -> dict[str, int]:
    """For each function how many of its parameters are handed back to some caller (see :class:`Invoke`)."""
    found: dict[str, int] = {}
    for function in program.functions:
        for i in function.code:
            if isinstance(i, m.Call) and i.shared:
                found[i.function] = max(found.get(i.function, 0), len(i.shared))
    return found


class Liveness:
    """The live slots at each place where a frame of one function can rest."""

    def __init__(self, function: m.Function, shared: int = 0) -> None:
        self._code = function.code
        self._end = (1 << shared) - 1
        """Read when the function returns."""
        self._before = self._solve(uses_and_definitions(function))

    def resting(self, pc: int) -> Slots:
        """The slots that are live in a frame that rests at a question, at chance, or at a call that is going on."""
        i = self._code[pc]
        if not isinstance(i, m.Call):
            return frozenset(bits_of(self._before[pc]))
        after = self._before[pc + 1] if pc + 1 < len(self._before) else self._end
        return frozenset(bits_of(after)) - {*i.shared, *(() if i.into is None else (i.into,))}

    def _solve(self, slots: Sequence[tuple[Slots, Slots]]) -> list[int]:
        """The live slots before each instruction, as bits of a number."""
        code = self._code
        facts = []
        for pc, (i, (read, written)) in enumerate(zip(code, slots, strict=True)):
            facts.append((self._read(i, _bits(read)), tuple(_ways(i, pc, ~_bits(written)))))
        before = [0] * len(code) + [self._end]
        changed = True
        while changed:
            changed = False
            for pc in range(len(code) - 1, -1, -1):
                now, ways = facts[pc]
                for to, kept in ways:
                    now |= before[to] & kept
                if now != before[pc]:
                    before[pc], changed = now, True
        return before[:-1]

    def _read(self, i: m.Instr, read: int) -> int:
        if isinstance(i, m.Return):
            return read | self._end
        return read | 1 << i.slot if isinstance(i, m.Append) else read


def _bits(slots: Slots) -> int:
    return sum(1 << slot for slot in slots)


def live(code: Sequence[m.Instr], pc: int, slot: int) -> bool:
    """True if a slot may still be read after an instruction before it gets another value (live variables)."""

    def after(at: int) -> Iterable[int]:
        return successors(code[at], at) if 0 <= at < len(code) and slot not in definitions(code[at]) else ()

    ways = reachable(successors(code[pc], pc), after)
    later = (code[at] for at in ways if 0 <= at < len(code))
    return any(reads_slot(i, frozenset((slot,))) or (isinstance(i, m.Append) and i.slot == slot) for i in later)


def _ways(i: m.Instr, pc: int, kept: int) -> Iterator[tuple[int, int]]:
    """The successors of an instruction, and the slots that keep what they hold on the way to each, as bits."""
    for number, to in enumerate(successors(i, pc)):
        if to != EXIT:  # the first way is the one to the next instruction
            yield to, kept if number == 0 else -1
