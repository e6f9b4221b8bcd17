"""Functions that look whether all holds that must hold: when the game rests, and at the end of blocks.

Whatever does not hold is a trap: the Python backend plays the same seed again and tells what it is.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from rulewright.engine.native.cell_ranges import Range, earlier_ranges
from rulewright.engine.native.webassembly.encoding import MEMORY_COPY, Op, Type
from rulewright.engine.native.webassembly.function_body import FunctionBody
from rulewright.ir.assertion_queries import AssertionQueries

if TYPE_CHECKING:
    from rulewright.engine.native.lowering.lowering_context import LoweringContext

DEEPEST = 32
"""So many blocks that are watched may run within each other; a game that needs more is played by the Python backend."""


class AssertionFunctions:
    """The numbers of the functions, and where the states are kept with which others are compared."""

    def __init__(self, ctx: LoweringContext, asked: AssertionQueries) -> None:
        self.ctx, self._asked = ctx, asked
        memory, declare = ctx.memory, ctx.module.declare
        self._size = memory.stack - memory.cells
        """The bytes of the cells."""
        self._span = 8 + self._size
        """The bytes of a block that runs: its number, and the cells of its begin as far as they matter."""
        self._top, self._rested = memory.reserve(4), memory.reserve(4)
        """The addresses of the bytes that the running blocks take, and of the truth of the game having rested."""
        self._bottom = memory.reserve(DEEPEST * self._span) if asked.blocks else 0
        self._rest = memory.reserve(self._size) if asked.always else 0
        """The address of the cells of the last rest while others take their place: else they lie where all that is
        earlier is read."""
        self._resting = self._ranges(asked.always)
        """The parts of the state at the last rest that are read."""
        self._numbers = {block: number for number, block in enumerate(asked.blocks)}
        self.steps = ctx.module.add_global(Type.I64)
        """The global variable with the work that all invariants, or all properties of a block, may take together."""
        self.look = declare(())
        """Asks what must hold whenever the game rests."""
        self._enter = {block: declare(()) for block in asked.blocks}
        self._leave = {block: declare(()) for block in asked.blocks}
        self._write_look()
        for block, names in asked.blocks.items():
            ranges = self._ranges(names)
            self._write_enter(block, ranges)
            self._write_leave(block, ranges)

    def _ranges(self, names: Sequence[str]) -> list[Range]:
        """The parts of the earlier state that some properties read."""
        return earlier_ranges(self.ctx.memory, self._asked.program, [self.ctx.queries[name].body for name in names])

    def observe(self, body: FunctionBody, block: str, leaving: bool) -> None:
        """A block begins, or is over; nothing if no property is about it."""
        if block not in self._numbers:
            return
        body.call((self._leave if leaving else self._enter)[block])

    def begin(self, body: FunctionBody) -> None:
        """A game begins."""
        for address in (self._top, self._rested):
            _store(body, address, 0)

    def _write_look(self) -> None:
        body = self.ctx.module.body(self.look)
        self._ask(body, self._asked.invariants)
        if self._asked.always:
            body.i32(0)
            body.memory(Op.I32_LOAD, self._rested)
            with body.when():
                self._ask(body, self._asked.always)
            _store(body, self._rested, 1)
            self._copy(body, self._resting, self.ctx.memory.earlier, self.ctx.memory.cells)
            self.ctx.answers.forget_earlier(body)
        self.ctx.module.define(self.look, body)

    def _write_enter(self, block: str, ranges: Sequence[Range]) -> None:
        """Note that a block runs, and the cells as they are."""
        body = self.ctx.module.body(self._enter[block])
        at = body.local(Type.I32)
        body.i32(0)
        body.memory(Op.I32_LOAD, self._top)
        body.tee(at)
        body.i32(DEEPEST * self._span)
        body.op(Op.I32_GE_U)
        with body.when():
            body.op(Op.UNREACHABLE)
        body.get(at)
        body.i32(self._numbers[block])
        body.memory(Op.I32_STORE, self._bottom)
        self._copy(body, ranges, self._bottom + 8, self.ctx.memory.cells, to_frame=at)
        body.i32(0)
        body.get(at)
        body.i32(self._span)
        body.op(Op.I32_ADD)
        body.memory(Op.I32_STORE, self._top)
        self.ctx.module.define(self._enter[block], body)

    def _write_leave(self, block: str, ranges: Sequence[Range]) -> None:
        """Compare the cells with those of the begin of the block, which must be the innermost."""
        body = self.ctx.module.body(self._leave[block])
        at = body.local(Type.I32)
        body.i32(0)
        body.i32(0)
        body.memory(Op.I32_LOAD, self._top)
        body.i32(self._span)
        body.op(Op.I32_SUB)
        body.tee(at)
        body.memory(Op.I32_STORE, self._top)
        body.get(at)
        body.i32(0)
        body.op(Op.I32_LT_S)
        with body.when():
            body.op(Op.UNREACHABLE)
        body.get(at)
        body.memory(Op.I32_LOAD, self._bottom)
        body.i32(self._numbers[block])
        body.op(Op.I32_NE)
        with body.when():
            body.op(Op.UNREACHABLE)
        if ranges:
            self._copy(body, self._resting, self._rest, self.ctx.memory.earlier)
            self._copy(body, ranges, self.ctx.memory.earlier, self._bottom + 8, from_frame=at)
            self.ctx.answers.forget_earlier(body)
        self._ask(body, self._asked.blocks[block])
        if ranges:
            self._copy(body, self._resting, self.ctx.memory.earlier, self._rest)
            self.ctx.answers.forget_earlier(body)
        self.ctx.module.define(self._leave[block], body)

    def _ask(self, body: FunctionBody, names: Sequence[str]) -> None:
        """Stop if one of some assertions does not hold; they are paid for apart from the rules."""
        if not names:
            return
        before = body.local(Type.I64)
        body.get_global(self.ctx.work)
        body.set(before)
        body.get_global(self.steps)
        body.set_global(self.ctx.work)
        for name in names:
            body.call(self.ctx.query_number(name))
            body.op(Op.I32_EQZ)
            with body.when():
                body.op(Op.UNREACHABLE)
        body.get(before)
        body.set_global(self.ctx.work)

    def _copy(
        self, body: FunctionBody, ranges: Sequence[Range], to: int, cells: int, to_frame: int = -1, from_frame: int = -1
    ) -> None:
        """Copy parts of a state to another place; a local may say how far behind the addresses they go, or lie."""
        for at, size in ranges:
            for address, frame in ((to, to_frame), (cells, from_frame)):
                body.i32(address + at - self.ctx.memory.cells)
                if frame >= 0:
                    body.get(frame)
                    body.op(Op.I32_ADD)
            body.i32(size)
            body.raw(MEMORY_COPY)


def _store(body: FunctionBody, address: int, value: int) -> None:
    body.i32(0)
    body.i32(value)
    body.memory(Op.I32_STORE, address)
