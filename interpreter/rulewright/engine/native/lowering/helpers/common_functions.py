"""The parts of a compilation that exist before any function, functions over lists and functions that rank rows of keys.

A list in memory is its length and its items, all of 32 bits. Functions are part of a module if it calls them.
"""

from __future__ import annotations

from rulewright.engine.cells.layout import Layout
from rulewright.engine.native.memory_map import MemoryMap
from rulewright.engine.native.webassembly.function_body import FunctionBody
from rulewright.engine.native.webassembly.module import Module, function
from rulewright.engine.native.webassembly.terms import I32, I64, Global, Local, Memory, Term, call, mem32, mem64, select
from rulewright.foundation.lazy_dataclass import dataclass
from rulewright.ir import model as m

PART = "lists"


class ListFunctions:
    """The numbers of the functions; each is written when it is first needed."""

    def __init__(self, module: Module) -> None:
        self.module = module

    @function(PART, I32, I32, gives=I32)
    def position(self, body: FunctionBody, items: Local, item: Local) -> None:
        """The first position of a number (the second argument) in a list; -1 if it is not there."""
        at = body.local()
        with body.until(at.ge_u(mem32(items)), (at, 1)), body.when(_item(items, at).eq(item)):
            body.give(at)
        body.push(-1)

    @function(PART, I32, I32, gives=I32)
    def equal(self, body: FunctionBody, one: Local, other: Local) -> None:
        """Truth of two lists being the same."""
        at = body.local()
        with body.block() as different:
            body.branch_if(different, mem32(one).ne(mem32(other)))
            with body.until(at.ge_u(mem32(one)), (at, 1)):
                body.branch_if(different, _item(one, at).ne(_item(other, at)))
            body.give(1)
        body.push(0)

    @function(PART, I32, I32)
    def reverse(self, body: FunctionBody, target: Local, items: Local) -> None:
        """Write a list (the second argument) to an address, its last item first."""
        left = body.local()
        body.set(mem32(target), left.tee(mem32(items)))
        with body.until(left.eqz()):
            body.set(left, left - 1)
            body.set(mem32(target.tee(target + 4)), _item(items, left))

    @function(PART, I32, I32, I32, I64, I32)
    def insert_sorted(self, body: FunctionBody, keys: Local, items: Local, at: Local, key: Local, item: Local) -> None:
        """Put an item into a list by its key, behind those with the same one; the keys lie, as 64 bits, elsewhere.

        Arguments: the address of the keys, the list, its length so far, the key, the item.
        """
        with body.until(at.eqz()) as found:
            body.branch_if(found, mem64(_address(keys, at, 8)).gt_s(key).eqz())
            body.set(mem64(_address(keys, at, 8), 8), mem64(_address(keys, at, 8)))
            body.set(mem32(_address(items, at, 4), 4), mem32(_address(items, at, 4)))
            body.set(at, at - 1)
        body.set(mem64(_address(keys, at, 8), 8), key)
        body.set(mem32(_address(items, at, 4), 4), item)


def _address(table: Term, at: Term, size: int) -> Term:
    """The address one item before the one with a number: what follows begins behind a length."""
    return table + (at << size.bit_length() - 1)


def _item(items: Term, at: Term) -> Memory:
    return mem32(_address(items, at, 4), 4)


FIRST, PLACE, MEMBERS, KEYS = 0, 4, 8, 16
"""Within a row: whether no row before it has the same keys, the place, a set of players, the keys."""
RANKING_PART = "ranking"


def row_bytes(keys: int) -> int:
    """The bytes of a row with so many keys."""
    return KEYS + (4 * keys + 7 & ~7)


class RankingFunctions:
    """The numbers of the functions; each is written when it is first needed."""

    def __init__(self, module: Module) -> None:
        self.module = module

    @function(RANKING_PART, I32, I32, I32, gives=I32)
    def compare(self, body: FunctionBody, one: Local, other: Local, keys: Local) -> None:
        """Compare so many keys of two rows: 1 if the first has the higher ones, -1 if the second has, else 0."""
        left, right = body.locals(I32, I32)
        with body.until(keys.eqz()):
            body.set(left, mem32(one, KEYS))
            body.set(right, mem32(other, KEYS))
            with body.when(left.ne(right)):
                body.give(select(1, -1, left.gt_s(right)))
            body.set(one, one + 4)
            body.set(other, other + 4)
            body.set(keys, keys + -1)
        body.push(0)

    @function(RANKING_PART, I32, I32, I32, gives=I32)
    def rank(self, body: FunctionBody, begin: Local, end: Local, keys: Local) -> None:
        """Write the place of each row between two addresses, highest keys first; the place behind all others.

        A place is one more than the number of different keys that are higher.
        """
        row, other, size, found = body.locals(I32, I32, I32, I32)
        body.set(size, (keys + 1 >> 1 << 3) + KEYS)
        for marking in (True, False):
            body.set(row, begin)
            with body.until(row.ge_u(end), (row, size)):
                body.set(found, 1)
                body.set(other, begin)
                with body.until(other.ge_u(row if marking else end), (other, size)):
                    order = call(self.compare, other, row, keys)
                    if marking:
                        with body.when(order.eqz()):
                            body.set(found, 0)
                    else:
                        body.set(found, (order.gt_s(0) & mem32(other, FIRST)) + found)
                body.set(mem32(row, FIRST if marking else PLACE), found)
        # All different keys, and one more; who is not ranked never comes first.
        body.set(found, 1)
        body.set(row, begin)
        with body.until(row.ge_u(end), (row, size)):
            body.set(found, mem32(row, FIRST) + found)
        body.push(select(2, found, begin.eq(end)))


@dataclass(frozen=True, slots=True)
class Parts:
    """The parts of one compilation."""

    program: m.Program
    layout: Layout
    memory: MemoryMap
    module: Module
    lists: ListFunctions
    frame: Global
    """The address of the topmost frame."""
    budget: Global
    """So many steps are left."""
