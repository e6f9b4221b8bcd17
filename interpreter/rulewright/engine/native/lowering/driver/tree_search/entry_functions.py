"""Functions about the nodes of a tree for several worlds, and about the options that were taken there.

The same as :class:`rulewright.agents.information_set_search.Node` does it. The entries of a node lie in a hash table
with open addressing and linear probing; nodes are found by the hash of the way to them, in lists.
"""

from __future__ import annotations

from rulewright.engine.native.lowering.driver.tree_search.node_functions import NodeFunctions
from rulewright.engine.native.lowering.driver.tree_search.offer_functions import OfferFunctions
from rulewright.engine.native.lowering.driver.tree_search.tree_map import (
    DEPTH,
    ENTRIES,
    ENTRY_BYTES,
    ENTRY_ID,
    FIRST_NUMBER,
    FOLLOWING,
    GROWN,
    HIGH,
    LIST_BITS,
    LOOKS,
    LOW,
    MASK,
    NODE_BYTES,
    NODE_KEY,
    NUMBERS,
    POSSIBLE,
    TABLE,
    TAKEN,
    WHO_ASKED,
    WIDEST,
    WORTH,
    TreeRegisters,
)
from rulewright.engine.native.lowering.lowering_context import LoweringContext
from rulewright.engine.native.memory_map import OPTIONS, WHO
from rulewright.engine.native.webassembly.function_body import FunctionBody
from rulewright.engine.native.webassembly.terms import (
    F64,
    I32,
    I64,
    Local,
    Memory,
    Term,
    call,
    mem32,
    mem64,
    mem_real,
    real,
    select,
)
from rulewright.engine.search_arithmetic import ALL_TRIED, EXPLORATION, MOST_ENTRIES, WIDENING

FACTOR = 0x9FB21C651E98DF25
"""An odd number with bits that look random: a product with it has good first bits."""
_FIRST_PLACES = 8
"""The places of a table at first; no more than three quarters of them are taken."""


class EntryFunctions:
    """The functions `lookup`, `insert`, `select` and `node`."""

    def __init__(
        self, ctx: LoweringContext, registers: TreeRegisters, nodes: NodeFunctions, offers: OfferFunctions
    ) -> None:
        self.ctx, declare = ctx, ctx.module.declare
        self._registers, self._nodes, self._offers = registers, nodes, offers
        self._entries = ctx.memory.reserve(4 * registers.options)
        """The address of a table: for each option its entry, or 0."""
        self.lists = ctx.module.add_global(I32)
        """The global variable with the address of the lists of nodes."""
        self._place = declare((I32, I64), (I32,))
        self._grow = declare((I32,))
        self._insert = declare((I32, I32), (I32,))
        self.select = declare((I32,), (I32,))
        """The function that gives the entry of the option to look at; its number is noted as that of the next step."""
        self.find = declare((I64,), (I32,))
        """The function that gives the node with a key, or 0."""
        self.node = declare((I64,), (I32,))
        """The function that makes a node of the question that is asked, with a key."""

    def write(self) -> None:
        """Write all."""
        self._write_place()
        self._write_grow()
        self._write_insert()
        self._write_select()
        self._write_find()
        self._write_node()

    @property
    def is_full(self) -> Term:
        """The truth of there being no room for more."""
        return self._registers.number(GROWN).ge_s(MOST_ENTRIES)

    def _entry(self, number: Term) -> Memory:
        return mem32(number << 2, self._entries)

    def _write_place(self) -> None:
        """The place of an option in the table of a node: its entry, or the free place where it belongs."""
        with self.ctx.module.writing(self._place) as (body, [node, option]):
            at, mask, table, found = body.locals(I32, I32, I32, I32)
            body.set(mask, mem32(node, MASK))
            body.set(table, mem32(node, TABLE))
            body.set(at, (option * FACTOR >> 40).wrap())
            with body.loop() as again:
                body.set(found, (at & mask) * ENTRY_BYTES + table)
                with body.when(mem32(found, POSSIBLE).nonzero() & mem64(found, ENTRY_ID).ne(option)):
                    body.set(at, at + 1)
                    body.branch(again)
            body.push(found)

    def _write_grow(self) -> None:
        """Let the table of a node have twice as many places."""
        widest = self._registers.number(WIDEST)
        with self.ctx.module.writing(self._grow) as (body, [node]):
            old, end, places, size, place = body.locals(I32, I32, I32, I32, I32)
            body.set(old, mem32(node, TABLE))
            body.set(places, select(mem32(node, MASK) + 1 << 1, _FIRST_PLACES, old))
            body.set(size, places * ENTRY_BYTES)
            table = self._nodes.take(body, size)
            body.fill(table, 0, size)
            body.set(end, select(size >> 1, 0, old) + old)
            body.set(mem32(node, TABLE), table)
            body.set(mem32(node, MASK), places - 1)
            body.set(widest, select(size, widest, size.gt_u(widest)))
            with body.until(old.ge_u(end), (old, ENTRY_BYTES)), body.when(mem32(old, POSSIBLE)):
                body.set(place, call(self._place, node, mem64(old, ENTRY_ID)))
                body.copy(place, old, ENTRY_BYTES)

    def _write_insert(self) -> None:
        """A new entry at a node for the option with a number."""
        grown = self._registers.number(GROWN)
        with self.ctx.module.writing(self._insert) as (body, [node, number]):
            entries, found = body.locals(I32, I32)
            body.set(entries, mem32(node, ENTRIES) + 1)
            with body.when(mem32(node, TABLE).eqz() | (entries << 2).gt_s((mem32(node, MASK) + 1) * 3)):
                body.call(self._grow, node)
            body.set(mem32(node, ENTRIES), entries)
            body.set(grown, grown + 1)
            body.set(found, call(self._place, node, self._offers.what(number)))
            body.set(mem64(found, ENTRY_ID), self._offers.what(number))
            body.set(mem32(found, POSSIBLE), 1)
            body.set(mem32(found, FIRST_NUMBER), number)
            body.push(found)

    def _write_select(self) -> None:
        with self.ctx.module.writing(self.select) as (body, [node]):
            at, tried, size, entry, best, chosen, missing = body.locals(I32, I32, I32, I32, I32, I32, I32)
            bonus, value, most, taken = body.locals(F64, F64, F64, F64)
            body.set(size, mem32(0, OPTIONS))
            has_table = body.hold(mem32(node, TABLE))
            with body.until(at.ge_u(size), (at, 1)):
                body.set(entry, 0)
                with body.when(has_table):
                    body.set(entry, call(self._place, node, self._offers.what(at)))
                    with body.when(mem32(entry, POSSIBLE)):
                        body.set(mem32(entry, POSSIBLE), mem32(entry, POSSIBLE) + 1)
                        body.set(tried, tried + 1)
                    with body.otherwise():
                        body.set(entry, 0)
                body.set(self._entry(at), entry)
            body.set(missing, size - tried)
            widens = tried.lt_s(ALL_TRIED) | (tried * tried).le_s(mem32(node, LOOKS) * WIDENING)
            with body.when(missing.nonzero() & widens & (self.is_full.eqz() | tried.eqz())):
                body.set(missing, call(self._nodes.below, missing))
                body.set(at, 0)
                with body.loop() as again, body.when(self._entry(at).nonzero() | missing.nonzero()):
                    body.set(missing, missing - self._entry(at).eqz())
                    body.set(at, at + 1)
                    body.branch(again)
                self._note_number(body, at)
                body.give(call(self._insert, node, at))
            spread = (self._registers.real(HIGH) - self._registers.real(LOW)).div(real(2.0))
            body.set(bonus, spread * real(EXPLORATION))
            body.set(most, real(float("-inf")))
            body.set(at, 0)
            with body.until(at.ge_u(size), (at, 1)), body.when(entry.tee(self._entry(at))):
                body.set(taken, mem32(entry, TAKEN).to_float())
                logarithm = self._nodes.logarithm(body, mem32(entry, POSSIBLE))
                body.set(value, mem_real(entry, WORTH).div(taken) + bonus * logarithm.div(taken).sqrt())
                with body.when(value.gt(most)):
                    body.set(most, value)
                    body.set(best, entry)
                    body.set(chosen, at)
            self._note_number(body, chosen)
            body.push(best)

    def _note_number(self, body: FunctionBody, number: Local) -> None:
        """Note which option the next step takes."""
        at = self._registers.at + NUMBERS
        body.set(mem32(self._registers.number(DEPTH) << 2, at), number)

    def _list(self, key: Local) -> Term:
        """The address of the list for a key."""
        return ((key >> 64 - LIST_BITS).wrap() << 2) + self.lists

    def _write_find(self) -> None:
        with self.ctx.module.writing(self.find) as (body, [key]):
            found = body.local()
            body.set(found, mem32(self._list(key)))
            with body.until(found.eqz()):
                with body.when(mem64(found, NODE_KEY).eq(key)):
                    body.give(found)
                body.set(found, mem32(found, FOLLOWING))
            body.push(0)

    def _write_node(self) -> None:
        with self.ctx.module.writing(self.node) as (body, [key]):
            node = self._nodes.take(body, NODE_BYTES)
            self._nodes.clear(body, node, NODE_BYTES)
            body.set(mem64(node, NODE_KEY), key)
            body.set(mem32(node, WHO_ASKED), mem32(0, WHO))
            body.set(mem32(node, LOOKS), 1)
            body.set(mem32(node, FOLLOWING), mem32(self._list(key)))
            body.set(mem32(self._list(key)), node)
            body.push(node)


__all__ = ["FACTOR", "EntryFunctions"]
