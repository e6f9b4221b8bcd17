"""Functions that rank rows of keys, which are part of a module if anybody calls them."""

from __future__ import annotations

from functools import cached_property

from rulewright.engine.native.webassembly.encoding import Op, Type
from rulewright.engine.native.webassembly.module import Module

FIRST, PLACE, MEMBERS, KEYS = 0, 4, 8, 16
"""Within a row: whether no row before it has the same keys, the place, a set of players, the keys."""


def row_bytes(keys: int) -> int:
    """The bytes of a row with so many keys."""
    return KEYS + (4 * keys + 7 & ~7)


class RankingFunctions:
    """The numbers of the functions; each is written when it is first asked for."""

    def __init__(self, module: Module) -> None:
        self._module = module

    @cached_property
    def compare(self) -> int:
        """Compare so many keys of two rows: 1 if the first has the higher ones, -1 if the second has, else 0."""
        number = self._module.declare((Type.I32, Type.I32, Type.I32), (Type.I32,))
        body = self._module.body(number, "ranking")
        a, b, keys = range(3)
        x, y = body.local(Type.I32), body.local(Type.I32)
        with body.block() as out, body.loop() as again:
            body.get(keys)
            body.op(Op.I32_EQZ)
            body.branch_if(out)
            for row, key in ((a, x), (b, y)):
                body.get(row)
                body.memory(Op.I32_LOAD, KEYS)
                body.set(key)
            body.get(x)
            body.get(y)
            body.op(Op.I32_NE)
            with body.when():
                body.i32(1)
                body.i32(-1)
                body.get(x)
                body.get(y)
                body.op(Op.I32_GT_S, Op.SELECT, Op.RETURN)
            for local, more in ((a, 4), (b, 4), (keys, -1)):
                body.increase(local, more)
            body.branch(again)
        body.i32(0)
        self._module.define(number, body)
        return number

    @cached_property
    def rank(self) -> int:
        """Write the place of each row between two addresses, highest keys first; the place behind all others.

        A place is one more than the number of different keys that are higher.
        """
        number = self._module.declare((Type.I32, Type.I32, Type.I32), (Type.I32,))
        body = self._module.body(number, "ranking")
        begin, end, keys = range(3)
        row, other, size, found = (body.local(Type.I32) for _ in range(4))
        body.get(keys)
        body.i32(1)
        body.op(Op.I32_ADD)
        body.i32(1)
        body.op(Op.I32_SHR_U)
        body.i32(3)
        body.op(Op.I32_SHL)
        body.i32(KEYS)
        body.op(Op.I32_ADD)
        body.set(size)
        for marking in (True, False):
            body.get(begin)
            body.set(row)
            with body.block() as done, body.loop() as next_row:
                body.get(row)
                body.get(end)
                body.op(Op.I32_GE_U)
                body.branch_if(done)
                body.i32(1)
                body.set(found)
                body.get(begin)
                body.set(other)
                with body.block() as out, body.loop() as again:
                    body.get(other)
                    body.get(row if marking else end)
                    body.op(Op.I32_GE_U)
                    body.branch_if(out)
                    body.get(other)
                    body.get(row)
                    body.get(keys)
                    body.call(self.compare)
                    if marking:
                        body.op(Op.I32_EQZ)
                        with body.when():
                            body.i32(0)
                            body.set(found)
                    else:
                        body.i32(0)
                        body.op(Op.I32_GT_S)
                        body.get(other)
                        body.memory(Op.I32_LOAD, FIRST)
                        body.op(Op.I32_AND)
                        body.get(found)
                        body.op(Op.I32_ADD)
                        body.set(found)
                    body.get(other)
                    body.get(size)
                    body.op(Op.I32_ADD)
                    body.set(other)
                    body.branch(again)
                body.get(row)
                body.get(found)
                body.memory(Op.I32_STORE, FIRST if marking else PLACE)
                body.get(row)
                body.get(size)
                body.op(Op.I32_ADD)
                body.set(row)
                body.branch(next_row)
        # All different keys, and one more; who is not ranked never comes first.
        body.i32(1)
        body.set(found)
        body.get(begin)
        body.set(row)
        with body.block() as done, body.loop() as again:
            body.get(row)
            body.get(end)
            body.op(Op.I32_GE_U)
            body.branch_if(done)
            body.get(row)
            body.memory(Op.I32_LOAD, FIRST)
            body.get(found)
            body.op(Op.I32_ADD)
            body.set(found)
            body.get(row)
            body.get(size)
            body.op(Op.I32_ADD)
            body.set(row)
            body.branch(again)
        body.i32(2)
        body.get(found)
        body.get(begin)
        body.get(end)
        body.op(Op.I32_EQ, Op.SELECT)
        self._module.define(number, body)
        return number
