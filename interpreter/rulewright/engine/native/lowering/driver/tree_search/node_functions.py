"""Functions that trees need: random numbers, memory, logarithms, and digests of what chance has led to."""

from __future__ import annotations

from rulewright.engine.native.lowering.driver.chance_functions import ChanceFunctions, random_word
from rulewright.engine.native.lowering.driver.tree_search.tree_map import (
    COUNTER,
    FREE,
    SEED,
    STREAM_KEY,
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
    call,
    const,
    mem32,
    mem64,
)


class NodeFunctions:
    """The function `below`, and code that searches share."""

    def __init__(self, ctx: LoweringContext, registers: TreeRegisters, chance: ChanceFunctions) -> None:
        self.module, self._registers, self._chance = ctx.module, registers, chance

    # ------------------------------------------------------------------------------------------------------- parts

    def random_word(self, body: FunctionBody) -> Term:
        """64 random bits of the stream that decides."""
        key, counter = body.locals(I64, I64)
        at = self._registers.word(COUNTER)
        body.set(key, self._registers.word(STREAM_KEY))
        body.set(counter, at)
        body.set(at, counter + 1)
        return random_word(body, key, counter)

    def take(self, body: FunctionBody, size: Term | int) -> Local:
        """The address of so many bytes that was never used; there is room for what one simulation needs."""
        free, at = self._registers.number(FREE), body.local()
        body.set(at, free)
        body.set(free, at + size + 7 & -8)
        return at

    # --------------------------------------------------------------------------------------------------- functions

    @function("", I32, gives=I32)
    def below(self, body: FunctionBody, size: Local) -> None:
        """A number below a size; of one nothing is drawn."""
        registers, chance = self._registers, self._chance
        with body.when(size.eq(1)):
            body.give(0)
        key, counter = registers.word(STREAM_KEY), registers.word(COUNTER)
        body.set(counter, call(chance.draw, key, counter, size, gives=I64))
        body.push(chance.drawn)


_FACTOR = 0x9FB21C651E98DF25
"""An odd number with bits that look random."""


class OutcomeFunctions:
    """The function `key`, and code for chance that is to come."""

    def __init__(self, ctx: LoweringContext, registers: TreeRegisters, nodes: NodeFunctions) -> None:
        self.ctx, self.module, self._registers, self._nodes = ctx, ctx.module, registers, nodes
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
        body.set(seed, self._nodes.random_word(body))
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
        body.set(key, (key ^ word) * _FACTOR)
        body.set(key, key ^ key >> 29)
