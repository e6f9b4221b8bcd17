"""Blocks: the instructions of a function from one on until they go on in another one, or stop."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Sequence
from itertools import accumulate

from rulewright.engine.evaluator.expressions import Expressions
from rulewright.engine.evaluator.instructions import FunctionFrame, Instructions, Step
from rulewright.engine.evaluator.registers import Registers
from rulewright.engine.evaluator.scope import BASE, REGISTERS, STACK, Environment
from rulewright.engine.evaluator.transfers import TERMINATORS, Transfers, leave
from rulewright.ir import model as m

Block = Callable[[list[int], list[int], Registers], int]
"""Runs on cells, stack and registers; gives the number of the block to go on with, or why the machine stops."""
SEEN = (m.Return, m.SetField, m.SwapItems, m.Move, m.Flip, m.Show, m.Merge, m.Eliminate)
"""Instructions by which an answer can be seen, and those that hand it back."""


class _Runs(dict[int, tuple[tuple[int, Step], ...]]):
    """For an instruction that is gone on with those up to the first behind which the next one never comes."""

    def __init__(self, steps: Sequence[Step], code: Sequence[m.Instr]) -> None:
        super().__init__()
        self._steps, self._ends = steps, [pc for pc, i in enumerate(code) if isinstance(i, TERMINATORS)]

    def __missing__(self, start: int) -> tuple[tuple[int, Step], ...]:
        end = self._ends[bisect_left(self._ends, start)]
        found = self[start] = tuple((pc, self._steps[pc]) for pc in range(start, end + 1))
        return found


class FunctionEvaluation:
    """The closures of the instructions of one function, and its blocks."""

    def __init__(self, x: Expressions, number: int, block: Callable[[int, int, bool], int], handed_back: int) -> None:
        """`block` gives the number of a block, `handed_back` is how many parameters the function hands back."""
        self.ctx, self.support, frame = x.ctx, x.ctx.support, FunctionFrame(x, number)
        self.function = frame.function
        self._instructions, self._transfers = Instructions(x, frame), Transfers(x, frame, block, handed_back)
        code = [self.ctx.optimizer.instruction(number, pc) for pc in range(len(self.function.code))]
        code.append(m.Return(None))  # a function may run off its end
        costs = (*self.ctx.optimizer.charges.steps(self.function.name), 0)
        self._runs = _Runs([self._made(i, pc) for pc, i in enumerate(code)], code)
        self._paid = (0, *accumulate(costs))
        """The steps of all instructions before one."""
        self._blank = frame.scope.blank()

    def block(self, start: int, result: bool) -> Block:
        """The block that begins with an instruction, or with what the call before it has returned."""
        take = self._transfers.take(start) if result else None
        origin, blank, paid, runs = self.function.name, self._blank, self._paid, self._runs

        def evaluated_block(C: list[int], S: list[int], R: Registers) -> int:
            _name, pc = origin, start  # for `origins`
            E = blank[:]
            E[REGISTERS], E[STACK], E[BASE] = R, S, R.base
            if take is not None:
                take(C, E)
            here = start
            while True:
                to = None
                for pc, step in runs[here]:  # noqa: B007 (it is paid up to here)
                    to = step(C, E)
                    if to is not None:
                        break
                assert to is not None
                R.budget -= paid[pc + 1] - paid[here]
                if to < 0:
                    return leave(to)
                if R.budget < 0:
                    R.meter.refill(R)
                here = to

        return evaluated_block

    def _made(self, i: m.Instr, pc: int) -> Step:
        made, maker = f"_s_{type(i).__name__}", self._instructions
        step: Step = getattr(maker if hasattr(maker, made) else self._transfers, made)(i, pc)
        notes, step = self._notes(i, pc), self._watched(i, self._forgetting(i, step))
        if not notes:
            return step

        def noted(C: list[int], E: Environment) -> int | None:
            for note in notes:
                note(C, E)
            return step(C, E)

        return noted

    # ------------------------------------------------------------------------------------------ what is noted

    def _forgetting(self, i: m.Instr, do: Step) -> Step:
        """An instruction after which results of queries that read what it changes are no longer known."""
        if not isinstance(i, m.StateChange):
            return do
        numbers = self.ctx.memo_layout.invalidated_by(self.function.name, i)
        if not numbers:
            return do

        def changing(C: list[int], E: Environment) -> None:
            do(C, E)
            memo = E[REGISTERS].memo
            for number in numbers:
                memo[number].clear()

        return changing

    def _watched(self, i: m.Instr, do: Step) -> Step:
        """An instruction after which those who no longer see a zone remember what lay there."""
        zones, memory = self.ctx.sight_changes(i), self.support.player_memory
        if not zones:
            return do
        assert memory is not None
        sight_before, update_sight = memory.sight_before, memory.update_sight

        def watched(C: list[int], E: Environment) -> None:
            before = sight_before(C, zones)
            do(C, E)
            update_sight(C, zones, before)

        return watched

    def _notes(self, i: m.Instr, pc: int) -> list[Step]:
        """Notes before an instruction: of pieces that came out of sight, unobserved moves, traces of an answer."""
        notes: list[Step] = []
        memory, name, uncounted = self.support.player_memory, self.function.name, self.ctx.uncounted
        if memory is not None and (name, pc - 1) in self.ctx.out_of_sight:
            is_remembered = memory.is_remembered

            def note_where_it_went(C: list[int], E: Environment) -> None:
                announcements = E[REGISTERS].announcements
                if announcements is not None and is_remembered(C, uncounted):
                    announcements.append((name, pc - 1, C[:], E[STACK][:], E[BASE]))

            notes.append(note_where_it_went)
        unobserved = self.ctx.unobserved(name, pc)
        if any(unobserved):
            assert memory is not None
            forget_unobserved = memory.forget_unobserved
            notes.append(lambda C, E: forget_unobserved(C, *unobserved))
        if self.ctx.hides and isinstance(i, SEEN):

            def note_what_is_done(C: list[int], E: Environment) -> None:
                traces = E[REGISTERS].traces
                if traces is not None:
                    traces.append((name, pc, C[:], E[STACK][:], E[BASE]))

            notes.append(note_what_is_done)
        return notes
