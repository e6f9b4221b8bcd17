"""Hypothetical positions: the cells as they are after a function that asks nobody, made on a copy."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from rulewright.engine.codegen.blocks import Block
from rulewright.engine.codegen.memoization import Memory
from rulewright.engine.codegen.registers import RETURNED
from rulewright.engine.faults import INSIDE, TOO_DEEP, fault
from rulewright.engine.meter import BUDGET, METER

RunBlock = Callable[[list[int], list[Any], int, Sequence[int]], tuple[list[int], list[Any]]]
"""Makes copies of cells and registers as they are after a block has run, on a stack of the frame given."""


def hypothetical_runner(blocks: Sequence[Block], new_memory: Callable[[], Memory]) -> RunBlock:
    """The function that makes hypothetical positions of a program.

    Nobody hears of what happens there, and no rule counts as fired. The effect is paid for as if it happened.
    """

    def hypothetical(C: list[int], R: list[Any], block: int, frame: Sequence[int]) -> tuple[list[int], list[Any]]:
        cells, stack = C[:], list(frame)
        meter = R[METER]
        registers = [3, 0, R[BUDGET], 0, 0, 0, None, None, None, new_memory(), (), meter, None, None, 0, None]
        while block >= 0:
            if registers[BUDGET] < 0:
                meter.refill(registers)
            if len(stack) > meter.scope.depth:
                fault(TOO_DEEP, "calls are nested too deeply")
            block = blocks[block](cells, stack, registers)
        if block != RETURNED:
            fault(INSIDE, "a hypothetical effect has stopped")
        return cells, registers

    return hypothetical
