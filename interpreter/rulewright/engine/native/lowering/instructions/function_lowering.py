"""One function of the rules as one function of WebAssembly, which goes on at any place where the rules can rest.

It takes the address of its frame and the number of a basic block, and returns why it stops. Forward jumps leave blocks;
a jump back goes through the table at the top, and looks whether the budget is spent. Each block pays for its
instructions.
"""

from __future__ import annotations

from rulewright.engine.native.lowering.area_functions import AreaChanges
from rulewright.engine.native.lowering.expressions.expression_table import expressions
from rulewright.engine.native.lowering.function_writer import FunctionWriter
from rulewright.engine.native.lowering.instructions.condition_lowering import SharedConditions
from rulewright.engine.native.lowering.instructions.instruction_lowering import CallFunctions, InstructionLowering
from rulewright.engine.native.lowering.instructions.question_lowering import QuestionLowering
from rulewright.engine.native.lowering.lowering_context import LoweringContext
from rulewright.engine.native.webassembly.encoding import Op
from rulewright.engine.native.webassembly.terms import Local
from rulewright.foundation.lazy_dataclass import dataclass
from rulewright.ir import model as m
from rulewright.ir.control_flow.control_flow_graph import reachable_instructions, successors

FRAME, ENTRY = Local(0), Local(1)
"""The parameters."""

Leader = tuple[int, bool]
"""The first instruction of a basic block; True: the block before it that takes the result of a call."""


@dataclass(frozen=True, slots=True)
class BasicBlocks:
    """The basic blocks of a function in order, and the number of each."""

    leaders: tuple[Leader, ...]
    numbers: dict[Leader, int]


def basic_blocks(function: m.Function) -> BasicBlocks:
    """Cut a function where jumps go to and where it can rest."""
    code = function.code
    found: set[Leader] = {(0, False)}
    for pc in sorted(reachable_instructions(function)):
        if pc >= len(code):
            continue
        i = code[pc]
        if isinstance(i, m.Jump | m.JumpUnless | m.Choose):
            found.update((to, False) for to in successors(i, pc))
        if isinstance(i, m.Call):
            found.update(((pc + 1, True), (pc + 1, False)))
    leaders = tuple(sorted(found, key=lambda leader: (leader[0], not leader[1])))
    return BasicBlocks(leaders, {leader: number for number, leader in enumerate(leaders)})


class SharedCode:
    """Functions for what is done in many places of a program."""

    def __init__(self, ctx: LoweringContext) -> None:
        self.calls, self.conditions = CallFunctions(ctx), SharedConditions(ctx)
        self.area_changes = AreaChanges(ctx)


class FunctionLowering:
    """Writes one function."""

    def __init__(
        self, ctx: LoweringContext, shared: SharedCode, number: int, blocks: BasicBlocks, questions: dict[int, int]
    ) -> None:
        self.ctx, self.questions = ctx, questions
        """`questions` are the numbers of the questions by their instructions."""
        self.function = ctx.program.functions[number]
        self.body = ctx.rule_body(ctx.function_numbers[number])
        self.writer = FunctionWriter(ctx, self.body)
        self.writer.function, self.writer.frame = self.function.name, FRAME
        self.writer.slots = tuple(zip(ctx.memory.frames[number].offsets, self.function.slots, strict=True))
        self.code = InstructionLowering(expressions(self.writer), shared.calls, shared.area_changes)
        self.code.lower.shared = shared.conditions.of
        self.waits = QuestionLowering(self.code.lower, self.code)
        self.blocks = blocks
        self.number = number
        self._places = ctx.rule_places.of(self.function)
        self._reachable = reachable_instructions(self.function)
        self._costs = ctx.optimizer.charges.steps(self.function.name)
        self._labels: dict[int, int] = {}
        """The labels of the blocks that are still to come."""
        self._again = 0

    def write(self) -> None:
        """Write all blocks."""
        leaders = self.blocks.leaders
        with self.body.loop() as self._again:
            for number in reversed(range(len(leaders))):
                self._labels[number] = self.body.open(Op.BLOCK)
            self.body.branch_table(ENTRY, [self._labels[number] for number in range(len(leaders))], self._labels[0])
            for number, leader in enumerate(leaders):
                self.body.close()
                del self._labels[number]
                end = leaders[number + 1][0] if number + 1 < len(leaders) else len(self.function.code)
                self._block(leader, end)
        self.body.trap()
        self.ctx.module.define(self.ctx.function_numbers[self.number], self.body)

    def _block(self, leader: Leader, end: int) -> None:
        """Write the instructions of a block; it falls through to the next one."""
        begin, takes = leader
        code = self.function.code
        if takes:
            call = code[begin - 1]
            assert isinstance(call, m.Call)
            self.code.take(call)
            return
        steps = sum(self._costs[pc] for pc in range(begin, end) if pc in self._reachable)
        if steps:
            self.writer.pay(steps)
        for pc in range(begin, end):
            if pc in self._reachable:
                place = self.ctx.log.rule = self._places[pc]
                if pc == 0 or place not in (self._places[pc - 1], self.function.name):
                    self.body.entered()
                self._instruction(code[pc], pc)
        self.ctx.log.rule = self.function.name
        if begin >= len(code) or end >= len(code):
            self.code.back(self.function, None)

    def _instruction(self, i: m.Instr, pc: int) -> None:
        match i:
            case m.Jump(to):
                self._go(to)
            case m.JumpUnless(to=to) if self.ctx.coverage is not None:
                held, failed = self.ctx.coverage.branch()
                with self.body.block() as holds:
                    with self.body.block() as fails:
                        self.code.lower.guard(i.condition, fails)
                        self.ctx.coverage.mark(self.body, held)
                        self.body.branch(holds)
                    self.ctx.coverage.mark(self.body, failed)
                    self._go(to)
            case m.JumpUnless(to=to):
                label = self._labels.get(self.blocks.numbers[to, False])
                if label is not None:
                    self.code.lower.guard(i.condition, label)
                else:
                    with self.body.block() as holds:
                        self.code.lower.guard(i.condition, holds, True)
                        self._go(to)
            case m.Call():
                self.code.call(i, pc)
            case m.Return():
                self.code.back(self.function, i.value)
            case m.Choose():
                answered = self._labels[self.blocks.numbers[pc + 1, False]]
                with self.body.block() as no_decider:
                    self.waits.ask(i, pc, self.questions[pc], None if i.on_empty is None else no_decider, answered)
                if i.on_empty is not None:
                    self._go(i.on_empty)
                else:
                    self.body.trap()
            case m.Chance():
                self.waits.draw(i, pc, self.questions[pc])
            case _:
                self.code.write(i)

    def _go(self, to: int) -> None:
        """Go to the block that begins at an instruction."""
        number = self.blocks.numbers[to, False]
        label = self._labels.get(number)
        if label is not None:
            self.body.branch(label)
            return
        self.writer.stop_if_spent()
        self.body.set(ENTRY, number)
        self.body.branch(self._again)
