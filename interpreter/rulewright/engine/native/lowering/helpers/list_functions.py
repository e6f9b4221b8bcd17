"""Functions over lists in memory, which are part of a module if anybody calls them.

A list is its length and its items, all of 32 bits.
"""

from __future__ import annotations

from rulewright.engine.native.webassembly.function_body import FunctionBody
from rulewright.engine.native.webassembly.lazy_functions import function
from rulewright.engine.native.webassembly.module import Module
from rulewright.engine.native.webassembly.terms import I32, I64, Local, Memory, Term, mem32, mem64

PART = "lists"


class ListFunctions:
    """The numbers of the functions; each is written when it is first asked for."""

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
