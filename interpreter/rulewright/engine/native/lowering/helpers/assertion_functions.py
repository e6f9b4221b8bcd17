"""Functions that look whether all holds that must hold: when the game rests, and at the end of blocks.

Whatever does not hold is a trap: the Python backend plays the same seed again and reports it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from itertools import chain

from rulewright.engine.native.lowering.helpers.common_functions import Parts
from rulewright.engine.native.lowering.memo_tables import MemoTables
from rulewright.engine.native.memory_map import Range, earlier_ranges
from rulewright.engine.native.webassembly.function_body import FunctionBody
from rulewright.engine.native.webassembly.terms import I64, Term, byte, call, mem32
from rulewright.ir.assertion_queries import AssertionQueries

DEEPEST = 32
"""So many blocks that are watched may run within each other; a game that needs more is played by the Python backend."""


class AssertionFunctions:
    """The numbers of the functions, and where the states are kept with which others are compared."""

    def __init__(
        self,
        parts: Parts,
        assertions: AssertionQueries,
        memos: MemoTables,
        query_number: Callable[[str], int],
        witness_at: Callable[[int], tuple[int, int]] | None = None,
    ) -> None:
        """`query_number` gives the function for a query, `witness_at` the bytes that say that a witness held in this
        run, and in earlier ones, in a program that explores."""
        self._witness_at = witness_at
        self._assertions, self._memos, self._query_number = assertions, memos, query_number
        self._budget, self.module, self.memory = parts.budget, parts.module, parts.memory
        memory, declare = self.memory, self.module.declare
        self._size = memory.stack - memory.cells
        """The bytes of the cells."""
        self._span = 8 + self._size
        """The bytes of a block that runs: its number, and the cells of its begin as far as they matter."""
        self._counts = memory.reserve(8)
        self._top, self._rested = mem32(0, self._counts), mem32(0, self._counts + 4)
        """The bytes that the running blocks take, and the truth of the game having rested."""
        self._bottom = memory.reserve(DEEPEST * self._span) if assertions.blocks else 0
        self._rest = memory.reserve(self._size) if assertions.always else 0
        """The address of the cells of the last rest while others take their place: else they lie where all that is
        earlier is read."""
        self._resting = self._ranges(assertions.always)
        """The parts of the state at the last rest that are read."""
        self._numbers = {block: number for number, block in enumerate(assertions.blocks)}
        self.broken = memory.reserve(4)
        """The address of the number, among :attr:`names`, of the assertion that did not hold when the game stopped."""
        self.names = (*assertions.invariants, *assertions.always, *chain(*assertions.blocks.values()))
        self.steps = self.module.add_global(I64)
        """The global variable with the steps that all invariants, or all properties of a block, may take together."""
        self.look = declare(())
        """Asks what must hold whenever the game rests."""
        self._enter = {block: declare(()) for block in assertions.blocks}
        self._leave = {block: declare(()) for block in assertions.blocks}
        self._write_look()
        for block, names in assertions.blocks.items():
            ranges = self._ranges(names)
            self._write_enter(block, ranges)
            self._write_leave(block, ranges)

    def _ranges(self, names: Sequence[str]) -> list[Range]:
        """The parts of the earlier state that some properties read."""
        program = self._assertions.program
        bodies = {query.name: query.body for query in program.queries}
        return earlier_ranges(self.memory, program, [bodies[name] for name in names])

    def observe(self, body: FunctionBody, block: str, leaving: bool) -> None:
        """A block begins, or is over; nothing if no property is about it."""
        if block in self._numbers:
            body.call((self._leave if leaving else self._enter)[block])

    def begin(self, body: FunctionBody) -> None:
        """A game begins."""
        body.set(self._top, 0)
        body.set(self._rested, 0)

    def copies(self, kept: int) -> list[tuple[int, int, Term | int]]:
        """Memory beside a state that going on from it needs: for each part its address there and here, and its bytes;
        all of it takes :attr:`room`, from an address on."""
        earlier = [(kept + 8 + begin - self.memory.cells, self._earlier(begin), size) for begin, size in self._resting]
        blocks = kept + 8 + self._size
        return [(kept, self._counts, 8), *earlier, *([(blocks, self._bottom, self._top)] if self._bottom else [])]

    def _earlier(self, begin: int) -> int:
        return self.memory.earlier + begin - self.memory.cells

    @property
    def has_blocks(self) -> bool:
        """True if some properties compare the end of a block with its begin."""
        return bool(self._bottom)

    @property
    def least_room(self) -> int:
        """The bytes that :meth:`copies` need while no block runs."""
        return 8 + self._size

    @property
    def room(self) -> int:
        """The bytes that :meth:`copies` need at most."""
        return self.least_room + (DEEPEST * self._span if self._bottom else 0)

    def _write_look(self) -> None:
        with self.module.writing(self.look) as (body, []):
            self._ask(body, self._assertions.invariants)
            if self._assertions.always:
                with body.when(self._rested):
                    self._ask(body, self._assertions.always)
                body.set(self._rested, 1)
                self._copy(body, self._resting, self.memory.earlier, self.memory.cells)
                self._memos.invalidate_earlier(body)
            for number, name in enumerate(self._assertions.witnesses if self._witness_at is not None else ()):
                assert self._witness_at is not None
                held, known = (byte(0, at) for at in self._witness_at(number))
                with body.when((held | known).eqz()), self._paid_apart(body):
                    body.set(held, call(self._query_number(name)))

    def _write_enter(self, block: str, ranges: Sequence[Range]) -> None:
        """Note that a block runs, and the cells as they are."""
        with self.module.writing(self._enter[block]) as (body, []):
            at = body.local()
            body.trap_if(at.tee(self._top).ge_u(DEEPEST * self._span))
            body.set(mem32(at, self._bottom), self._numbers[block])
            for begin, size in ranges:
                there = begin - self.memory.cells
                body.copy(self._bottom + 8 + there + at, self.memory.cells + there, size)
            body.set(self._top, at + self._span)

    def _write_leave(self, block: str, ranges: Sequence[Range]) -> None:
        """Compare the cells with those of the begin of the block, which must be the innermost."""
        memory = self.memory
        with self.module.writing(self._leave[block]) as (body, []):
            at = body.local()
            body.set(self._top, at.tee(self._top - self._span))
            with body.when(at.lt_s(0)):
                if self._witness_at is None:
                    body.trap()
                else:  # the run begins within the block, in a position that was laid
                    body.set(self._top, 0)
                    body.give()
            body.trap_if(mem32(at, self._bottom).ne(self._numbers[block]))
            if ranges:
                self._copy(body, self._resting, self._rest, memory.earlier)
                for begin, size in ranges:
                    there = begin - memory.cells
                    body.copy(memory.earlier + there, self._bottom + 8 + there + at, size)
                self._memos.invalidate_earlier(body)
            self._ask(body, self._assertions.blocks[block])
            if ranges:
                self._copy(body, self._resting, memory.earlier, self._rest)
                self._memos.invalidate_earlier(body)

    def _ask(self, body: FunctionBody, names: Sequence[str]) -> None:
        """Stop if one of some assertions does not hold; they are paid for apart from the rules."""
        if not names:
            return
        with self._paid_apart(body):
            for name in names:
                with body.when(call(self._query_number(name)).eqz()):
                    body.set(mem32(0, self.broken), self.names.index(name))
                    body.trap()

    @contextmanager
    def _paid_apart(self, body: FunctionBody) -> Iterator[None]:
        """Evaluate assertions at the cost of a budget of their own."""
        before = body.local(I64)
        body.set(before, self._budget)
        body.set(self._budget, self.steps)
        yield
        body.set(self._budget, before)

    def _copy(self, body: FunctionBody, ranges: Sequence[Range], to: int, source: int) -> None:
        """Copy parts of a state to another place."""
        for begin, size in ranges:
            there = begin - self.memory.cells
            body.copy(to + there, source + there, size)
