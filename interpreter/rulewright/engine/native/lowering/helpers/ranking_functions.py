"""Functions that rank rows of keys, which are part of a module if anybody calls them."""

from __future__ import annotations

from rulewright.engine.native.webassembly.function_body import FunctionBody
from rulewright.engine.native.webassembly.lazy_functions import function
from rulewright.engine.native.webassembly.module import Module
from rulewright.engine.native.webassembly.terms import I32, Local, call, mem32, select

FIRST, PLACE, MEMBERS, KEYS = 0, 4, 8, 16
"""Within a row: whether no row before it has the same keys, the place, a set of players, the keys."""
PART = "ranking"


def row_bytes(keys: int) -> int:
    """The bytes of a row with so many keys."""
    return KEYS + (4 * keys + 7 & ~7)


class RankingFunctions:
    """The numbers of the functions; each is written when it is first asked for."""

    def __init__(self, module: Module) -> None:
        self.module = module

    @function(PART, I32, I32, I32, gives=I32)
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

    @function(PART, I32, I32, I32, gives=I32)
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
