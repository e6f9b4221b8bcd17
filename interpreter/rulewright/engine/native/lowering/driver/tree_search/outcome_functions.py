"""Functions about chance: what it has made of an option is told apart by the position that comes of it."""

from __future__ import annotations

from rulewright.engine.native.lowering.driver.tree_search.node_functions import NodeFunctions
from rulewright.engine.native.lowering.driver.tree_search.tree_map import (
    BEHIND,
    KEY,
    NEXT,
    OUTCOME_BYTES,
    OUTCOMES,
    SEED,
    TreeRegisters,
)
from rulewright.engine.native.lowering.lowering_context import LoweringContext
from rulewright.engine.native.memory_map import FRAME_AT, FUNCTION
from rulewright.engine.native.webassembly.function_body import FunctionBody
from rulewright.engine.native.webassembly.terms import I32, I64, Local, Term, call, const, mem32, mem64
from rulewright.engine.search_arithmetic import MOST_OUTCOMES

IS_NEW = 1
"""Added to the address of what is behind an outcome, if nobody has met it before."""
_FACTOR = 0x9FB21C651E98DF25
"""An odd number with bits that look random."""


class OutcomeFunctions:
    """The functions `key` and `find`."""

    def __init__(self, ctx: LoweringContext, registers: TreeRegisters, nodes: NodeFunctions) -> None:
        self.ctx, self._registers, self._nodes = ctx, registers, nodes
        at, layout = ctx.memory.cell_at, ctx.layout
        counters = sorted(at[counter] for counter in layout.counters.values())
        self._seed, self._counters = at[layout.seed], counters
        self._key = ctx.module.declare((), (I64,))
        self.find = ctx.module.declare((I32,), (I32,))
        """The function that gives, for a branch, the address of where the node is noted that is behind the outcome that
        the state is; :data:`IS_NEW` is added, and it is 0 if there are too many."""

    def write(self) -> None:
        """Write both."""
        self._write_key()
        self._write_find()

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

    def _write_key(self) -> None:
        """A hash of cells and frames without the seed and the counters."""
        memory, ctx = self.ctx.memory, self.ctx
        with ctx.module.writing(self._key) as (body, []):
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

    def _write_find(self) -> None:
        with self.ctx.module.writing(self.find) as (body, [branch]):
            at, count, key = body.locals(I32, I32, I64)
            body.set(key, call(self._key, gives=I64))
            body.set(at, mem32(branch, OUTCOMES))
            with body.until(at.eqz(), (count, 1)):
                with body.when(mem64(at, KEY).eq(key)):
                    body.give(at + BEHIND)
                body.set(at, mem32(at, NEXT))
            with body.when(count.ge_s(MOST_OUTCOMES)):
                body.give(0)
            new = self._nodes.take(body, OUTCOME_BYTES)
            body.set(mem64(new, KEY), key)
            body.set(mem32(new, NEXT), mem32(branch, OUTCOMES))
            body.set(mem32(new, BEHIND), 0)
            body.set(mem32(branch, OUTCOMES), new)
            body.push(new + (BEHIND + IS_NEW))
