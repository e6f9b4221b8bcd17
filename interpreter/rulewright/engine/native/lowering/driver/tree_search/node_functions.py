"""Functions about nodes and branches: creation, selection, and outcomes of chance, distinguished by their positions.

They do what :class:`rulewright.search.tree_search.Node` does.
"""

from __future__ import annotations

from rulewright.engine.native.lowering.driver.chance_functions import ChanceFunctions, random_word
from rulewright.engine.native.lowering.driver.tree_search.tree_map import (
    BEHIND,
    BRANCHES,
    COUNTER,
    DOUBT,
    FREE,
    GROWN,
    HIGH,
    KEY,
    LOW,
    MEAN,
    NEXT,
    NODE_BYTES,
    OPTION,
    OUTCOME_BYTES,
    OUTCOMES,
    ROOM,
    SEAT,
    SEED,
    SIZE,
    STREAM_KEY,
    TRIED,
    VISITS,
    TreeRegisters,
)
from rulewright.engine.native.lowering.lowering_context import LoweringContext
from rulewright.engine.native.memory_map import FRAME_AT, FUNCTION, OPTIONS, WHO
from rulewright.engine.native.webassembly.function_body import FunctionBody
from rulewright.engine.native.webassembly.terms import (
    F64,
    I32,
    I64,
    Local,
    Term,
    call,
    const,
    lesser,
    mem32,
    mem64,
    mem_real,
    real,
    without_lowest,
)
from rulewright.engine.search_arithmetic import (
    ALL_TRIED,
    EXPLORATION,
    LOG_2,
    LOGARITHMS,
    MOST_BRANCHES,
    MOST_OUTCOMES,
    WIDENING,
)


class NodeFunctions:
    """The functions `below`, `node` and `select`."""

    def __init__(self, ctx: LoweringContext, registers: TreeRegisters, chance: ChanceFunctions) -> None:
        self.ctx, declare = ctx, ctx.module.declare
        self._registers, self._chance, self._branch = registers, chance, registers.map.branch
        self.below = declare((I32,), (I32,))
        self.node = declare((), (I32,))
        """The function that makes a node of the pending question; its address."""
        self._try_another = declare((I32,), (I32,))
        self.select = declare((I32,), (I32,))
        """The function that gives the branch of a node to look at."""

    def write(self) -> None:
        """Write all."""
        self._write_below()
        self._write_node()
        self._write_try_another()
        self._write_select()

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

    def clear(self, body: FunctionBody, at: Local, size: int) -> None:
        """Set so few bytes to 0: faster than the instruction for many."""
        for offset in range(0, size, 8):
            body.set(mem64(at, offset), 0)

    @property
    def is_full(self) -> Term:
        """The truth of there being no room for more."""
        return self._registers.number(GROWN).ge_s(MOST_BRANCHES)

    # --------------------------------------------------------------------------------------------------- functions

    def _write_below(self) -> None:
        """A number below a size; of one nothing is drawn."""
        registers, chance = self._registers, self._chance
        with self.ctx.module.writing(self.below) as (body, [size]):
            with body.when(size.eq(1)):
                body.give(0)
            key, counter = registers.word(STREAM_KEY), registers.word(COUNTER)
            body.set(counter, call(chance.draw, key, counter, size, gives=I64))
            body.push(chance.drawn)

    def _write_node(self) -> None:
        with self.ctx.module.writing(self.node) as (body, []):
            size, at, end = body.locals(I32, I32, I32)
            body.set(size, mem32(0, OPTIONS))
            node = self.take(body, ((size + 63) >> 6 << 3) + NODE_BYTES)
            self.clear(body, node, NODE_BYTES)
            for offset, value in ((SEAT, mem32(0, WHO)), (SIZE, size), (VISITS, const(1))):
                body.set(mem32(node, offset), value)
            body.set(at, node + NODE_BYTES)
            body.set(end, at + (size >> 6 << 3))
            with body.until(at.ge_u(end), (at, 8)):
                body.set(mem64(at), -1)
            with body.when(size & 63):
                body.set(mem64(at), (const(1, I64) << (size & 63).extend_u()) - 1)
            body.push(node)

    def _write_try_another(self) -> None:
        """A branch for one of the options that were not tried, which is drawn."""
        registers, bytes_ = self._registers, self._branch
        with self.ctx.module.writing(self._try_another) as (body, [node]):
            tried, number, at, here, branch, room = body.locals(I32, I32, I32, I32, I32, I32)
            word = body.local(I64)
            body.set(tried, mem32(node, TRIED))
            body.set(number, call(self.below, mem32(node, SIZE) - tried))
            body.set(at, node)
            with body.loop() as again:
                body.set(word, mem64(at, NODE_BYTES))
                with body.when(here.tee(word.popcnt().wrap()).le_s(number)):
                    body.set(number, number - here)
                    body.set(at, at + 8)
                    body.branch(again)
            with body.until(number.eqz(), (number, -1)):
                body.set(word, without_lowest(word))
            body.set(mem64(at, NODE_BYTES), mem64(at, NODE_BYTES) & ~(word & 0 - word))
            with body.when(tried.eq(mem32(node, ROOM))):
                first = const(ALL_TRIED)
                with body.when(tried):
                    body.set(room, tried << 1)
                with body.otherwise():
                    body.set(room, first)
                body.set(room, lesser(room, mem32(node, SIZE)))
                more = self.take(body, room * bytes_)
                body.copy(more, mem32(node, BRANCHES), tried * bytes_)
                body.set(mem32(node, BRANCHES), more)
                body.set(mem32(node, ROOM), room)
            body.set(branch, mem32(node, BRANCHES) + tried * bytes_)
            self.clear(body, branch, bytes_)
            body.set(mem32(branch, OPTION), (at - node << 3) + word.ctz().wrap())
            body.set(mem32(node, TRIED), tried + 1)
            grown = registers.number(GROWN)
            body.set(grown, grown + 1)
            body.push(branch)

    def _write_select(self) -> None:
        registers = self._registers
        with self.ctx.module.writing(self.select) as (body, [node]):
            tried, at, end, best = body.locals(I32, I32, I32, I32)
            explored, value, most = body.locals(F64, F64, F64)
            body.set(tried, mem32(node, TRIED))
            with body.when(tried.lt_s(mem32(node, SIZE))):
                widens = tried.lt_s(ALL_TRIED) | (tried * tried).le_s(mem32(node, VISITS) * WIDENING)
                with body.when(widens & (self.is_full.eqz() | tried.eqz())):
                    body.give(call(self._try_another, node))
            spread = (registers.real(HIGH) - registers.real(LOW)).div(real(2.0))
            body.set(explored, spread * real(EXPLORATION) * self.logarithm(body, mem32(node, VISITS)).sqrt())
            body.set(best, at.tee(mem32(node, BRANCHES)))
            body.set(end, at + tried * self._branch)
            body.set(most, real(float("-inf")))
            with body.until(at.ge_u(end), (at, self._branch)):
                body.set(value, mem_real(at, MEAN) + explored * mem_real(at, DOUBT))
                with body.when(value.gt(most)):
                    body.set(most, value)
                    body.set(best, at)
            body.push(best)

    def logarithm(self, body: FunctionBody, number: Term) -> Term:
        """The logarithm of a number, from the table: of a large one, that of its first bits."""
        table = self.ctx.memory.constant(LOGARITHMS.tobytes())
        bits = (len(LOGARITHMS) - 1).bit_length()
        whole, spare, found = body.locals(I32, I32, F64)
        body.set(whole, number)
        with body.when(whole.lt_s(len(LOGARITHMS))):
            body.set(found, mem_real(whole << 3, table))
        with body.otherwise():
            body.set(spare, const(64 - bits) - whole.extend_u().clz().wrap())
            body.set(found, mem_real(whole >> spare << 3, table) + spare.to_float() * real(LOG_2))
        return found


IS_NEW = 1
"""Added to the address of what is behind an outcome, if it is new."""
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
