"""Functions about the nodes of a tree for several worlds, and about the options that were taken there.

The entries of a node lie in a hash table with open addressing and linear probing; nodes are found by the hash of the
path to them, in lists. Options are identified across worlds as by
:meth:`rulewright.engine.stepping.stepper.Stepper.offered`.
"""

from __future__ import annotations

from rulewright.engine.cells.interchange import Interchange
from rulewright.engine.native.lowering.driver.answer_functions import FLAGS, OF_PIECES, WORDS, entry_of
from rulewright.engine.native.lowering.driver.tree_search.node_functions import NodeFunctions
from rulewright.engine.native.lowering.driver.tree_search.tree_map import (
    ENTRIES,
    ENTRY_BYTES,
    ENTRY_ID,
    FACTOR,
    FIRST_NUMBER,
    FOLLOWING,
    GROWN,
    LIST_BITS,
    LOOKS,
    MASK,
    NODE_BYTES,
    NODE_KEY,
    POSSIBLE,
    TABLE,
    WHO_ASKED,
    WIDEST,
    TreeRegisters,
)
from rulewright.engine.native.lowering.instructions.question_lowering import LISTED
from rulewright.engine.native.lowering.lowering_context import LoweringContext
from rulewright.engine.native.memory_map import EXTRAS, LEGAL, OPTIONS, WHO
from rulewright.engine.native.webassembly.function_body import FunctionBody
from rulewright.engine.native.webassembly.terms import (
    I32,
    I64,
    Local,
    Memory,
    Term,
    call,
    const,
    mem32,
    mem64,
    select,
    without_lowest,
)
from rulewright.engine.search_arithmetic import MOST_ENTRIES

_KIND, _ZONE, _PIECE = 36, 18, 1 << 62
"""A piece is its kind and its zone, shifted by so many bits, how many like it come before it, and a bit that
distinguishes it from other members."""


class OfferFunctions:
    """The functions `offer` and `number`, which leave what the options are in a table."""

    def __init__(self, ctx: LoweringContext, registers: TreeRegisters) -> None:
        self.ctx = ctx
        self._at = ctx.memory.reserve(8 * registers.options)
        self._add = ctx.module.declare((I32, I32))
        self.offer = ctx.module.declare(())
        """The function that describes each option."""
        self.number = ctx.module.declare(())
        """The function that takes each option for its number."""

    def what(self, number: Term) -> Memory:
        """An option, by its number: what it is."""
        return mem64(number << 3, self._at)

    def write(self, questions: int) -> None:
        """Write all, given the address of the table of questions."""
        self._write_add()
        self._write_offer(questions)
        with self.ctx.module.writing(self.number) as (body, []):
            at = body.local()
            with body.until(at.ge_u(mem32(0, OPTIONS)), (at, 1)):
                body.set(self.what(at), at.extend_u())

    def _write_add(self) -> None:
        """Put a piece behind so many others."""
        ctx = self.ctx
        with ctx.module.writing(self._add) as (body, [piece, count]):
            at, found = body.locals(I32, I64)
            if not ctx.layout.pieces:
                return
            kinds = ctx.memory.numbers(Interchange(ctx.layout, []).kind)
            kind = mem32(piece << 2, kinds).extend_u() << _KIND
            zone = mem32(piece << 2, ctx.memory.cell_at[ctx.layout.loc]).extend_u() << _ZONE
            body.set(found, kind + zone + const(_PIECE, I64))
            with body.until(at.ge_u(count), (at, 1)), body.when((self.what(at) >> _ZONE).eq(found >> _ZONE)):
                body.set(found, found + 1)
            body.set(self.what(count), found)

    def _write_offer(self, questions: int) -> None:
        with self.ctx.module.writing(self.offer) as (body, []):
            words, pieces, count, at, end = body.locals(I32, I32, I32, I32, I32)
            word = body.local(I64)
            body.set(words, mem32(entry_of(questions), WORDS))
            body.set(pieces, mem32(entry_of(questions), FLAGS) & OF_PIECES)
            with body.when(words.eq(LISTED)):
                body.set(at, mem32(0, LEGAL) + 4)
                body.set(end, at + (mem32(at - 4) << 2))
                with body.until(at.ge_u(end), (at, 4)):
                    self._put(body, mem32(at), pieces, count)
            with body.otherwise(), body.until(at.ge_u(words), (at, 1)):
                body.set(word, mem64(at << 3, LEGAL))
                with body.until(word.eqz()):
                    self._put(body, word.ctz().wrap() + (at << 6), pieces, count)
                    body.set(word, without_lowest(word))
            body.set(word, mem64(0, EXTRAS))
            with body.until(word.eqz(), (count, 1)):
                body.set(self.what(count), -1 - word.ctz())
                body.set(word, without_lowest(word))

    def _put(self, body: FunctionBody, member: Term, pieces: Local, count: Local) -> None:
        """Put a member behind the others."""
        with body.when(pieces):
            body.call(self._add, member, count)
        with body.otherwise():
            body.set(self.what(count), member.extend_s())
        body.set(count, count + 1)


_FIRST_PLACES = 8
"""The places of a table at first; no more than three quarters of them are taken."""


class EntryFunctions:
    """The functions `place`, `insert`, `find` and `node`."""

    def __init__(
        self, ctx: LoweringContext, registers: TreeRegisters, nodes: NodeFunctions, offers: OfferFunctions
    ) -> None:
        self.ctx, declare = ctx, ctx.module.declare
        self._registers, self._nodes, self._offers = registers, nodes, offers
        self.lists = ctx.module.add_global(I32)
        """The global variable with the address of the lists of nodes."""
        self.place = declare((I32, I64), (I32,))
        """The function that gives the place of an option in the table of a node: its entry, or the free place."""
        self._grow = declare((I32,))
        self.insert = declare((I32, I32), (I32,))
        """The function that makes an entry of a node for the option with a number."""
        self.find = declare((I64,), (I32,))
        """The function that gives the node with a key, or 0."""
        self.node = declare((I64,), (I32,))
        """The function that makes a node of the pending question, with a key."""

    def write(self) -> None:
        """Write all."""
        self._write_place()
        self._write_grow()
        self._write_insert()
        self._write_find()
        self._write_node()

    @property
    def is_full(self) -> Term:
        """The truth of there being no room for more."""
        return self._registers.number(GROWN).ge_s(MOST_ENTRIES)

    def _write_place(self) -> None:
        with self.ctx.module.writing(self.place) as (body, [node, option]):
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
                body.set(place, call(self.place, node, mem64(old, ENTRY_ID)))
                body.copy(place, old, ENTRY_BYTES)

    def _write_insert(self) -> None:
        grown = self._registers.number(GROWN)
        with self.ctx.module.writing(self.insert) as (body, [node, number]):
            entries, found = body.locals(I32, I32)
            body.set(entries, mem32(node, ENTRIES) + 1)
            with body.when(mem32(node, TABLE).eqz() | (entries << 2).gt_s((mem32(node, MASK) + 1) * 3)):
                body.call(self._grow, node)
            body.set(mem32(node, ENTRIES), entries)
            body.set(grown, grown + 1)
            body.set(found, call(self.place, node, self._offers.what(number)))
            body.set(mem64(found, ENTRY_ID), self._offers.what(number))
            body.set(mem32(found, POSSIBLE), 1)
            body.set(mem32(found, FIRST_NUMBER), number)
            body.push(found)

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
