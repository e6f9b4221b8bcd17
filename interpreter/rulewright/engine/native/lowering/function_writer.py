"""Writing one function: loops over sets, variables, steps that are paid."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager

from rulewright.engine.native.lowering.lowering_context import LoweringContext
from rulewright.engine.native.lowering.value_writer import ValueWriter
from rulewright.engine.native.values import Value
from rulewright.engine.native.webassembly.encoding import Op, Type
from rulewright.engine.native.webassembly.function_body import FunctionBody
from rulewright.engine.native.webassembly.instructions import Mark
from rulewright.engine.native.webassembly.terms import Term, mem64
from rulewright.engine.native.word_sizes import WORD_BITS, is_large
from rulewright.ir import model as m

UNPAID = 64
"""So many passes of loops over constant sets, nested ones multiplied, are no more than so much code."""


def is_spent(budget: Term, floor: int) -> Term:
    """The truth of a budget being below the floor, which lies at an address."""
    return budget.lt_s(mem64(0, floor))


class FunctionWriter(ValueWriter):
    """The body of a function, and the values of the variables and slots that it sees."""

    def __init__(self, ctx: LoweringContext, body: FunctionBody) -> None:
        super().__init__(ctx, body)
        self.env: dict[str, Value] = {}
        self.slots: tuple[tuple[int, m.Slot], ...] = ()
        """Of a function with a frame the slots, each with its offset."""
        self.given: dict[int, Value] = {}
        """Slots of which the values are arguments of the function."""
        self._loops: list[Mark] = []
        """The begins of the loops that are being written, the innermost last."""
        self.levels: dict[str, int] = {}
        """For each variable within how many of them it has its value."""
        self.floor = 0
        """Nothing is worked out before the loops up to this number: they run in another position."""
        self._unpaid = 1
        """Passes of the loops around that nobody pays for."""
        self.heavy = True
        """True if passes and calls are counted: what is written could take more than an instruction may cost."""
        self.function = ""
        self.frame = 0
        """The local that holds the address of the slots."""
        self.earlier = False
        """True while what is written reads the earlier state."""

    @contextmanager
    def of_earlier_state(self) -> Iterator[None]:
        """Code that reads the earlier state instead of that of now."""
        before, self.earlier = self.earlier, True
        yield
        self.earlier = before

    @property
    def behind(self) -> int:
        """The distance from the cells of the state of now to those of the state that is read."""
        return self.ctx.memory.earlier - self.ctx.memory.cells if self.earlier else 0

    @contextmanager
    def loop(self, source: Value, var: str) -> Iterator[tuple[Value, int, int]]:
        """A loop over the members of a set with `var` bound; gives the member, and labels that go on and that leave."""
        body = self.body
        source = self.as_set(source)
        count, begin = source.words, body.mark()
        free = source.constant is not None and self._unpaid * source.known.bit_count() <= UNPAID
        with ExitStack() as stack:
            if not free and count > 1:  # most such sets are empty
                nothing, size = stack.enter_context(body.block()), body.local(Type.I32)
                self.push_size(source)
                body.tee(size)
                body.op(Op.I32_EQZ)
                body.branch_if(nothing)
                body.get(size)
                self.charge_top(1)
            elif not free:
                self.push_size(source)
                self.charge_top(1)
            yield stack.enter_context(self._members(source, var, begin, free))

    @contextmanager
    def _members(self, source: Value, var: str, begin: Mark, free: bool) -> Iterator[tuple[Value, int, int]]:
        """The loop without what is paid for it."""
        body, count = self.body, source.words
        rest, name = body.local(Type.I64), body.local(Type.I32)
        there, at = source, 0
        self.push_word(source, 0)
        body.set(rest)
        if count > 1:
            at = body.local(Type.I32)
            there = self.sets.placed(source if is_large(WORD_BITS * count) else self.loaded(source), count)
            body.i32(0)
            body.set(at)
        member = Value((name,), low=0, high=max(0, source.bits - 1), living=source.living)
        with body.block() as leave, body.loop() as again:
            if count == 1:
                body.get(rest)
                body.op(Op.I64_EQZ)
                body.branch_if(leave)
            else:
                with body.block() as found:
                    body.get(rest)
                    body.op(Op.I64_EQZ, Op.I32_EQZ)
                    body.branch_if(found)
                    body.get(at)
                    body.i32(8)
                    body.op(Op.I32_ADD)
                    body.tee(at)
                    body.i32(8 * count)
                    body.op(Op.I32_GE_U)
                    body.branch_if(leave)
                    self.sets.push_word(there, at)
                    body.set(rest)
                    body.branch(again)
            body.get(rest)
            body.op(Op.I64_CTZ, Op.I32_WRAP_I64)
            if count > 1:
                body.get(at)
                body.i32(3)
                body.op(Op.I32_SHL, Op.I32_ADD)
            body.set(name)
            body.get(rest)
            body.get(rest)
            body.i64(1)
            body.op(Op.I64_SUB, Op.I64_AND)
            body.set(rest)
            outer = self._unpaid
            self._unpaid *= source.known.bit_count() if free else 1
            with self._inside(begin), self.binding(var, member):
                yield member, again, leave
            self._unpaid = outer
            body.branch(again)

    @contextmanager
    def _inside(self, begin: Mark) -> Iterator[None]:
        """The body of a loop that begins at a place."""
        self._loops.append(begin)
        yield
        self._loops.pop()

    def level(self, free: frozenset[str]) -> int:
        """The number of loops around in which one of some variables has its value."""
        return max((self.floor, *(self.levels.get(name, 0) for name in free)))

    def before_loops(self, level: int, write: Callable[[], Value]) -> Value:
        """Write a value in front of the loops in which it does not change: all but the first `level`."""
        made: list[Value] = []
        loops, self._loops = self._loops, self._loops[:level]
        self.body.insert(loops[level], lambda: made.append(write()))
        self._loops = loops
        return made[0]

    def assign_number(self, local: int, value: int) -> Value:
        """Give a local a number."""
        self.body.i32(value)
        self.body.set(local)
        return Value((local,))

    @property
    def depth(self) -> int:
        """The number of loops around."""
        return len(self._loops)

    # -------------------------------------------------------------------------------------------- variables, steps

    @contextmanager
    def binding(self, var: str, v: Value) -> Iterator[None]:
        """A variable bound to a value."""
        before, level = self.env.get(var), self.levels.get(var, 0)
        self.env[var], self.levels[var] = v, len(self._loops)
        yield
        self.levels[var] = level
        if before is None:
            del self.env[var]
        else:
            self.env[var] = before

    def pay(self, steps: int) -> None:
        """Take steps from the budget."""
        self.body.get_global(self.ctx.budget)
        self.body.i64(steps)
        self.body.op(Op.I64_SUB)
        self.body.set_global(self.ctx.budget)

    def stop_if_spent(self) -> None:
        """Stop if the budget is spent."""
        self.body.push(is_spent(self.ctx.budget, self.ctx.floor))
        self.trap_if()

    def charge(self, work: int) -> None:
        """Count passes and calls, where that is needed; stop if there are too many."""
        if not self.heavy:
            return
        self.body.get_global(self.ctx.work)
        self.body.i64(work)
        self._pay()

    def charge_top(self, more: int) -> None:
        """Count as many as the top of the stack says, and some more."""
        if not self.heavy:
            self.body.op(Op.DROP)
            return
        steps = self.body.local(Type.I32)
        self.body.set(steps)
        self.body.get_global(self.ctx.work)
        self.body.get(steps)
        self.body.op(Op.I64_EXTEND_I32_U)
        self.body.i64(more)
        self.body.op(Op.I64_ADD)
        self._pay()

    def _pay(self) -> None:
        self.body.op(Op.I64_SUB)
        self.body.set_global(self.ctx.work)
        self.body.push(is_spent(self.ctx.work, self.ctx.floor))
        self.trap_if()
