"""Functions over lists in memory, which are part of a module if anybody calls them.

A list is its length and its items, all of 32 bits.
"""

from __future__ import annotations

from functools import cached_property

from rulewright.engine.native.webassembly.encoding import Op, Type
from rulewright.engine.native.webassembly.function_body import FunctionBody
from rulewright.engine.native.webassembly.module import Module


class ListFunctions:
    """The numbers of the functions; each is written when it is first asked for."""

    def __init__(self, module: Module) -> None:
        self._module = module

    @cached_property
    def position(self) -> int:
        """The first position of a number (the second argument) in a list; -1 if it is not there."""
        number = self._module.declare((Type.I32, Type.I32), (Type.I32,))
        body = self._module.body(number, "lists")
        items, item = 0, 1
        at = body.local(Type.I32)
        with body.block() as missing, body.loop() as again:
            body.get(at)
            body.get(items)
            body.memory(Op.I32_LOAD)
            body.op(Op.I32_GE_U)
            body.branch_if(missing)
            self._push_item(body, items, at)
            body.get(item)
            body.op(Op.I32_EQ)
            with body.when():
                body.get(at)
                body.op(Op.RETURN)
            self._step(body, at)
            body.branch(again)
        body.i32(-1)
        self._module.define(number, body)
        return number

    @cached_property
    def equal(self) -> int:
        """Truth of two lists being the same."""
        number = self._module.declare((Type.I32, Type.I32), (Type.I32,))
        body = self._module.body(number, "lists")
        at = body.local(Type.I32)
        with body.block() as different:
            for one in (0, 1):
                body.get(one)
                body.memory(Op.I32_LOAD)
            body.op(Op.I32_NE)
            body.branch_if(different)
            with body.block() as out, body.loop() as again:
                body.get(at)
                body.get(0)
                body.memory(Op.I32_LOAD)
                body.op(Op.I32_GE_U)
                body.branch_if(out)
                self._push_item(body, 0, at)
                self._push_item(body, 1, at)
                body.op(Op.I32_NE)
                body.branch_if(different)
                self._step(body, at)
                body.branch(again)
            body.i32(1)
            body.op(Op.RETURN)
        body.i32(0)
        self._module.define(number, body)
        return number

    @cached_property
    def reverse(self) -> int:
        """Write a list (the second argument) to an address, its last item first."""
        number = self._module.declare((Type.I32, Type.I32))
        body = self._module.body(number, "lists")
        target, items = 0, 1
        left = body.local(Type.I32)
        body.get(target)
        body.get(items)
        body.memory(Op.I32_LOAD)
        body.tee(left)
        body.memory(Op.I32_STORE)
        with body.block() as out, body.loop() as again:
            body.get(left)
            body.op(Op.I32_EQZ)
            body.branch_if(out)
            body.decrease(left, 1)
            body.get(target)
            body.i32(4)
            body.op(Op.I32_ADD)
            body.tee(target)
            self._push_item(body, items, left)
            body.memory(Op.I32_STORE)
            body.branch(again)
        self._module.define(number, body)
        return number

    @cached_property
    def insert_sorted(self) -> int:
        """Put an item into a list by its key, behind those with the same one; the keys lie, as 64 bits, elsewhere.

        Arguments: the address of the keys, the list, its length so far, the key, the item.
        """
        number = self._module.declare((Type.I32, Type.I32, Type.I32, Type.I64, Type.I32))
        body = self._module.body(number, "lists")
        keys, items, at, key, item = range(5)
        with body.block() as found, body.loop() as again:
            body.get(at)
            body.op(Op.I32_EQZ)
            body.branch_if(found)
            self._push_address(body, keys, at, 8)
            body.memory(Op.I64_LOAD, 0)
            body.get(key)
            body.op(Op.I64_GT_S, Op.I32_EQZ)
            body.branch_if(found)
            for table, size in ((keys, 8), (items, 4)):
                load, store = (Op.I64_LOAD, Op.I64_STORE) if size == 8 else (Op.I32_LOAD, Op.I32_STORE)
                self._push_address(body, table, at, size)
                self._push_address(body, table, at, size)
                body.memory(load, 0)
                body.memory(store, size)
            body.decrease(at, 1)
            body.branch(again)
        for table, size, value, store in ((keys, 8, key, Op.I64_STORE), (items, 4, item, Op.I32_STORE)):
            self._push_address(body, table, at, size)
            body.get(value)
            body.memory(store, size)
        self._module.define(number, body)
        return number

    def _push_address(self, body: FunctionBody, table: int, at: int, size: int) -> None:
        """Push the address one item before the one with a number: what follows begins behind a length."""
        body.get(table)
        body.get(at)
        body.i32(size.bit_length() - 1)
        body.op(Op.I32_SHL, Op.I32_ADD)

    def _push_item(self, body: FunctionBody, items: int, at: int) -> None:
        self._push_address(body, items, at, 4)
        body.memory(Op.I32_LOAD, 4)

    def _step(self, body: FunctionBody, at: int) -> None:
        body.increase(at, 1)
