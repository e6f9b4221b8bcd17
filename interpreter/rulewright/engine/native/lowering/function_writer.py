"""Writing one function: loops over sets, variables, steps that are paid."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager

from rulewright.engine.native.lowering.lowering_context import LoweringContext
from rulewright.engine.native.lowering.value_writer import ValueWriter, word_at
from rulewright.engine.native.memory_map import WORD_BITS, is_large
from rulewright.engine.native.values import Value
from rulewright.engine.native.webassembly.encoding import Mark
from rulewright.engine.native.webassembly.function_body import FunctionBody
from rulewright.engine.native.webassembly.terms import I32, I64, Local, Term, const, mem64, without_lowest
from rulewright.ir import model as m
from rulewright.ir.step_costs import OPERATIONS

_SHIFT = OPERATIONS.bit_length() - 1


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
        """The number of loops before which nothing is hoisted: they run in another position."""
        self.function = ""
        self.frame: Term = const(0)
        """The address of the slots."""
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
        begin = body.mark()
        with ExitStack() as stack:
            if source.constant is None and source.words > 1:  # most such sets are empty
                body.branch_if(stack.enter_context(body.block()), self.empty(source))
            yield stack.enter_context(self._members(source, var, begin))

    @contextmanager
    def _members(self, source: Value, var: str, begin: Mark) -> Iterator[tuple[Value, int, int]]:
        """The loop over a set that has members."""
        body, count = self.body, source.words
        rest, name = body.locals(I64, I32)
        body.set(rest, source.word(0))
        if count > 1:
            at = body.local()
            there = self.sets.placed(source if is_large(WORD_BITS * count) else self.loaded(source), count)
            body.set(at, 0)
        member = Value((name,), low=0, high=max(0, source.bits - 1), living=source.living)
        with body.block() as leave, body.loop() as again:
            if count == 1:
                body.branch_if(leave, rest.eqz())
                body.set(name, rest.ctz().wrap())
            else:
                with body.block() as found:
                    body.branch_if(found, rest.nonzero())
                    body.branch_if(leave, at.tee(at + 8).ge_u(8 * count))
                    body.set(rest, word_at(there, at))
                    body.branch(again)
                body.set(name, rest.ctz().wrap() + (at << 3))
            body.set(rest, without_lowest(rest))
            with self._inside(begin), self.binding(var, member):
                yield member, again, leave
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

    def assign_number(self, local: Local, value: int) -> Value:
        """Give a local a number."""
        self.body.set(local, value)
        return Value((local,))

    @property
    def depth(self) -> int:
        """The number of loops around."""
        return len(self._loops)

    # -------------------------------------------------------------------------------------------- variables, steps

    @contextmanager
    def binding(self, var: str, v: Value, level: int | None = None) -> Iterator[None]:
        """A variable bound to a value, which it has within so many of the loops around; None: within all."""
        before, outer = self.env.get(var), self.levels.get(var, 0)
        self.env[var], self.levels[var] = v, len(self._loops) if level is None else level
        yield
        self.levels[var] = outer
        if before is None:
            del self.env[var]
        else:
            self.env[var] = before

    def pay(self, steps: Term | int) -> None:
        """Take steps from the budget."""
        self.body.set(self.ctx.budget, self.ctx.budget - steps)

    def pay_now(self, steps: Term | int) -> None:
        """Take steps from the budget, and stop if nothing is left."""
        self.pay(steps)
        self.stop_if_spent()

    def pay_for_each(self, e: m.Charged, size: Term) -> None:
        """Pay for so many members."""
        self.pay_now((size.extend_u() * e.each >> _SHIFT) + e.steps)

    def stop_if_spent(self) -> None:
        """Stop if the budget is spent."""
        self.body.trap_if(is_spent(self.ctx.budget, self.ctx.floor))
