"""Functions for games with chance: another one to come, and digests of what it has led to."""

from __future__ import annotations

from rulewright.engine.kernels.arithmetic import FACTOR
from rulewright.engine.native.lowering.driver.chance_functions import StreamFunctions
from rulewright.engine.native.lowering.driver.tree_search.tree_map import (
    SEED,
    TreeRegisters,
)
from rulewright.engine.native.lowering.lowering_context import LoweringContext
from rulewright.engine.native.memory_map import FRAME_AT, FUNCTION
from rulewright.engine.native.webassembly.function_body import FunctionBody
from rulewright.engine.native.webassembly.module import function
from rulewright.engine.native.webassembly.terms import (
    I32,
    I64,
    Local,
    Term,
    const,
    mem32,
    mem64,
)


class OutcomeFunctions:
    """The function `key`, and code for chance that is to come."""

    def __init__(self, ctx: LoweringContext, registers: TreeRegisters, dice: StreamFunctions) -> None:
        self.ctx, self.module, self._registers, self._dice = ctx, ctx.module, registers, dice
        at, layout = ctx.memory.cell_at, ctx.layout
        counters = sorted(at[counter] for counter in layout.counters.values())
        self._seed, self._counters = at[layout.seed], counters

    @property
    def drawn(self) -> Term:
        """The numbers that chance has given: the lower halves of the counters."""
        found: Term = const(0)
        for counter in self._counters:
            found = found + mem32(0, counter)
        return found

    def reseed(self, body: FunctionBody) -> None:
        """Let chance that is to come follow from another seed."""
        seed, first = self._registers.word(SEED), self._counters[0]
        body.set(seed, self._dice.word(body))
        body.set(mem64(0, self._seed), seed)
        assert self._counters == list(range(first, first + 8 * len(self._counters), 8))
        body.fill(first, 0, 8 * len(self._counters))

    @function("", gives=I64)
    def key(self, body: FunctionBody) -> None:
        """A hash of cells and frames without the seed and the counters."""
        memory = self.ctx.memory
        at, end, key = body.locals(I32, I32, I64)
        sizes = memory.numbers(frame.size for frame in memory.frames)
        last = mem32(0, FRAME_AT)
        top = last + mem32(mem32(last, FUNCTION) << 2, sizes)
        behind = self._counters[-1] + 8
        parts = ((memory.cells, self._seed), (self._seed + 8, self._counters[0]), (behind, None))
        for first, behind_last in parts:
            if first == behind_last:
                continue
            assert first % 8 == 0
            body.set(at, first)
            body.set(end, top if behind_last is None else const(behind_last & -8))
            with body.until(at.ge_u(end), (at, 8)):
                self._add(body, key, mem64(at))
            if behind_last is not None and behind_last % 8:
                self._add(body, key, mem32(at).extend_u())
        body.push(key)

    def _add(self, body: FunctionBody, key: Local, word: Term) -> None:
        """Take a word into a hash."""
        body.set(key, (key ^ word) * FACTOR)
        body.set(key, key ^ key >> 29)
