"""Liveness of slots: which locals of a function can still be read from an instruction on.

The classic backward data-flow analysis (Aho, Lam, Sethi, Ullman, *Compilers*, section 9.2.5): a slot is live before an
instruction if the instruction reads it, or if it is live after it and the instruction does not overwrite it. What a
dead slot holds can never matter again, so states that differ only there are one state.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from rulewright.ir import model as m
from rulewright.ir.dataflow.control_flow import (
    EXIT,
    NO_SLOTS,
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
        self._code, self._slots = function.code, uses_and_definitions(function)
        self._end: Slots = frozenset(range(shared))
        """Read when the function returns."""
        self._before = self._solve()

    def resting(self, pc: int) -> Slots:
        """The slots that are live in a frame that rests at a question, at chance, or at a call that is going on."""
        i = self._code[pc]
        if isinstance(i, m.Call):
            taken = {*i.shared, *(() if i.into is None else (i.into,))}
            return self._at(pc + 1) - taken
        return self._before[pc]

    def _at(self, pc: int) -> Slots:
        return self._before[pc] if pc < len(self._before) else self._end

    def _solve(self) -> list[Slots]:
        code = self._code
        self._before = [NO_SLOTS] * len(code)
        facts = [
            (_read(i, read, self._end), tuple(_ways(i, pc, written)))
            for pc, (i, (read, written)) in enumerate(zip(code, self._slots, strict=True))
        ]
        changed = True
        while changed:
            changed = False
            for pc in range(len(code) - 1, -1, -1):
                read, ways = facts[pc]
                now = read.union(*(self._at(to) - written for to, written in ways))
                if now != self._before[pc]:
                    self._before[pc], changed = now, True
        return self._before


def liveness(program: m.Program) -> Mapping[str, Liveness]:
    """The live slots of all functions, by name."""
    shared = shared_parameters(program)
    return {f.name: Liveness(f, shared.get(f.name, 0)) for f in program.functions}


def live(code: Sequence[m.Instr], pc: int, slot: int) -> bool:
    """True if a slot may still be read after an instruction before it gets another value (live variables)."""
    seen: set[int] = set()
    waiting = list(successors(code[pc], pc))
    while waiting:
        at = waiting.pop()
        if at in seen or not 0 <= at < len(code):
            continue
        seen.add(at)
        i = code[at]
        if reads_slot(i, frozenset((slot,))) or (isinstance(i, m.Append) and i.slot == slot):
            return True
        if slot not in definitions(i):
            waiting.extend(successors(i, at))
    return False


def _read(i: m.Instr, read: Slots, end: Slots) -> Slots:
    if isinstance(i, m.Return):
        return read | end
    return read | {i.slot} if isinstance(i, m.Append) else read


def _ways(i: m.Instr, pc: int, overwritten: Slots) -> Iterator[tuple[int, Slots]]:
    """The successors of an instruction, and the slots that are surely overwritten on the way to each."""
    for number, to in enumerate(successors(i, pc)):
        if to != EXIT:  # the first way is the one to the next instruction
            yield to, overwritten if number == 0 else NO_SLOTS
