"""Functions of the rules cut into blocks, each a Python function."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager

from rulewright.engine.codegen.codegen_context import Context
from rulewright.engine.codegen.expressions.expression_code import expressions, frame_code, offsets
from rulewright.engine.codegen.instruction_code import InstructionCode
from rulewright.engine.codegen.registers import RETURNED, Registers
from rulewright.engine.codegen.statement_writer import CodeText, Writer
from rulewright.engine.codegen.value_ranges import N, V
from rulewright.engine.faults import TOO_DEEP
from rulewright.foundation.lazy_dataclass import dataclass
from rulewright.host.budgets import DEEPEST
from rulewright.ir import model as m
from rulewright.ir.control_flow.control_flow_graph import suspension_points
from rulewright.ir.walk import deep_recursion

Block = Callable[[list[int], list[int], Registers], int]
"""Runs on cells, stack and registers; gives the number of the block to go on with, or why the machine stops."""

Key = tuple[int, int, bool]
"""Of a block: function, instruction, and whether it begins by taking a result."""

LARGE = 512
"""Larger frames look themselves whether the stack is too deep."""

INLINED = 16
"""So many instructions are copied at most to save going from block to block."""


def _named(prefix: str, key: Key) -> str:
    """A name for something about a block."""
    function, pc, result = key
    return f"{prefix}{function}_{pc}{'r' if result else ''}"


@contextmanager
def loud() -> Iterator[None]:
    """A mistake of code generation must not look like one of the rules, which are running when it happens."""
    try:
        yield
    except (LookupError, ValueError, TypeError, ArithmeticError) as error:
        raise AssertionError(f"no code could be generated: {error}") from error


@dataclass(frozen=True, slots=True)
class Question:
    """The part that the machine needs of a :class:`~rulewright.ir.model.Choose` or ``Chance``."""

    number: int
    function: str
    pc: int
    instr: m.Choose | m.Chance
    into: int
    """Offset of the slot in the frame."""
    block: int
    """The block that asks it."""
    after: int
    extras: tuple[int, ...]

    @property
    def name(self) -> str:
        """The name of the decision."""
        return f"{self.function}.{self.instr.label}" if self.instr.label else self.function


class Successors(dict[int, int]):
    """For each call in a function the block that goes on after it; numbered when it is first needed."""

    def __init__(self, blocks: Blocks, function: int) -> None:
        super().__init__()
        self._blocks, self._function = blocks, function

    def __missing__(self, pc: int) -> int:
        i = self._blocks.ctx.program.functions[self._function].code[pc]
        assert isinstance(i, m.Call)
        found = self[pc] = self._blocks.number(self._function, pc + 1, i.into is not None or bool(i.shared))
        return found


class Blocks:
    """The blocks of a program, each written when it is first run: most games come to few of them.

    What a block holds depends on the program alone, so it does not matter when it is written.
    """

    def __init__(self, ctx: Context, add: Callable[[CodeText], None]) -> None:
        self.ctx = ctx
        self._add = add
        self.functions: list[Block] = []
        """The blocks by number; one that was not run yet writes itself."""
        self._numbers: dict[Key, int] = {}
        self._keys: list[Key] = []
        functions = ctx.program.functions
        self.returns = tuple(Successors(self, number) for number in range(len(functions)))
        self.offsets = [offsets(f.slots) for f in functions]
        self.shared: dict[str, int] = {}
        """The number of parameters that a function hands back."""
        for function in functions:
            for i in function.code:
                if isinstance(i, m.Call) and i.shared:
                    self.shared[i.function] = max(self.shared.get(i.function, 0), len(i.shared))
        self.entries = [self.number(f, 0) for f in range(len(functions))]
        self.questions = self.find_questions()
        ctx.globals["RETURNS"] = self.returns

    def number(self, function: int, pc: int, result: bool = False) -> int:
        """The number of a block."""
        key = (function, pc, result)
        number = self._numbers.get(key)
        return self._new_number(key) if number is None else number

    def _new_number(self, key: Key) -> int:
        with self.ctx.writing:
            if key not in self._numbers:
                number = len(self._keys)
                self._keys.append(key)
                self.ctx.globals[_named("n", key)] = number
                self.functions.append(self._unwritten(number))
                self._numbers[key] = number  # last: other threads may use it then
            return self._numbers[key]

    def name(self, function: int, pc: int) -> str:
        """The name under which generated code knows the number of a block.

        Numbers depend on which block was wanted first; with names the same block is the same code in other programs.
        """
        self.number(function, pc)
        return _named("n", (function, pc, False))

    def _unwritten(self, number: int) -> Block:
        """A block that writes itself, takes its own place and runs."""
        made: list[Block] = []

        def block(C: list[int], S: list[int], R: Registers) -> int:
            if not made:
                with self.ctx.writing:
                    if not made:
                        made.append(self._write(number))
                        if self.functions[number] is block:  # else a listener is in its place
                            self.functions[number] = made[0]
            return made[0](C, S, R)

        return block

    def _write(self, number: int) -> Block:
        source = CodeText([], [])
        with deep_recursion(), loud():
            Superblock(self, source, *self._keys[number]).write()
            self._add(source)
        block: Block = self.ctx.globals[_named("b", self._keys[number])]
        return block

    def write_all(self) -> None:
        """Write every block that can be come to."""
        number = 0
        while number < len(self._keys):
            self.functions[number] = self._write(number)
            number += 1

    def suspension_points(self, function: int) -> tuple[int, ...]:
        """The places where a function can rest."""
        return suspension_points(self.ctx.program.functions[function])

    def find_questions(self) -> dict[tuple[int, int], Question]:
        """The questions, by function and instruction."""
        found: dict[tuple[int, int], Question] = {}
        for function, declared in enumerate(self.ctx.program.functions):
            for pc in self.suspension_points(function):
                i = declared.code[pc]
                if isinstance(i, m.Choose | m.Chance):
                    into = self.offsets[function][i.into]
                    extras = tuple(self.number(function, x.to) for x in i.extras) if isinstance(i, m.Choose) else ()
                    block, after = self.number(function, pc), self.number(function, pc + 1)
                    found[function, pc] = Question(len(found), declared.name, pc, i, into, block, after, extras)
        return found


class Superblock:
    """One block: a run of instructions, through jumps forward, as long as it is short."""

    def __init__(self, blocks: Blocks, source: CodeText, function: int, pc: int, result: bool) -> None:
        self.blocks = blocks
        self.function = function
        self.declared = blocks.ctx.program.functions[function]
        self.start = pc
        self.result = result
        self.seen: set[int] = set()
        self.loops = False
        self.done = False
        self.w = Writer(blocks.ctx, source, ("C", "R", "S", "B"), (self.declared.name, pc))
        self.w.function = self.declared.name
        self.w.slots = tuple(zip(blocks.offsets[function], self.declared.slots, strict=False))
        self.code = InstructionCode(expressions(self.w))
        self.costs = blocks.ctx.optimizer.charges.steps(self.declared.name)
        self.unpaid = 0
        """Steps of the instructions that have been written and not been paid for yet."""

    def pay(self, pc: int = -1) -> None:
        """Pay for all instructions up to here, and for one that is written next."""
        steps = self.unpaid + (self.costs[pc] if pc >= 0 else 0)
        if steps:
            self.w.line(f"R.budget -= {steps}")
        self.unpaid = 0

    def write(self) -> None:
        """Write the function."""
        w = self.w
        if self.result:
            invoke = self.declared.code[self.start - 1]
            assert isinstance(invoke, m.Call)
            self.take(invoke)
        pc = self.start
        first = len(w.lines)
        while not self.done:
            pc = self.step(pc)
        pay = []
        if self.loops:
            w.lines[first:] = [" " + line for line in w.lines[first:]]
            pay = [" while True:", "  if R.budget < 0: spent(R)"]
        w.lines[first:first] = pay
        w.origins[first:first] = [(self.declared.name, self.start)] * len(pay)
        w.lines.insert(0, " B = R.base")
        w.origins.insert(0, (self.declared.name, self.start))
        w.finish(_named("b", (self.function, self.start, self.result)), ("C", "S", "R"))

    def leave(self, pc: int) -> str:
        """The statement that goes to an instruction."""
        if pc == self.start and not self.result:
            self.loops = True
            return "continue"
        return f"return {self.blocks.name(self.function, pc)}"

    def go(self, pc: int) -> int:
        """Go on at an instruction: here, if that is short, else in its block."""
        if pc == self.start and not self.result:
            self.loops = True
            self.pay()
            self.w.line("continue")
            self.done = True
        elif pc in self.seen or len(self.seen) >= INLINED:
            self.pay()
            self.w.line(f"return {self.blocks.name(self.function, pc)}")
            self.done = True
        return pc

    def step(self, pc: int) -> int:
        """Write one instruction; where to go on."""
        w = self.w
        if pc >= len(self.declared.code):
            self.pay()
            w.origin = (self.declared.name, len(self.declared.code) - 1)
            self.code.note_what_is_done(m.Return(None), pc)
            self.back(None)
            return pc
        self.seen.add(pc)
        w.origin = (self.declared.name, pc)
        i = self.blocks.ctx.optimizer.instruction(self.function, pc)
        if isinstance(i, m.JumpUnless | m.Call | m.Return | m.FinishWin | m.FinishRank):
            self.pay(pc)
        elif isinstance(i, m.Choose | m.Chance):
            self.pay(pc if pc == self.start and not self.result else -1)  # else at the question
        else:
            self.unpaid += self.costs[pc]
        self.code.look_where_it_went(pc)
        self.code.forget_unobserved(pc)
        self.code.note_what_is_done(i, pc)
        match i:
            case m.Jump(to):
                return self.go(to)
            case m.JumpUnless(to=to):
                self.code.x.guard(i.condition, self.leave(to))
                return self.go(pc + 1)
            case m.Call():
                self.invoke(i, pc)
            case m.Return():
                self.back(i.value)
            case m.Choose():
                if pc == self.start and not self.result:
                    self.code.ask(
                        i, pc, "" if i.on_empty is None else f"return {self.blocks.name(self.function, i.on_empty)}"
                    )
                else:
                    w.line(f"return {self.blocks.name(self.function, pc)}")
                self.done = True
            case m.Chance():
                if pc == self.start and not self.result:
                    self.code.draw(i, pc, f"return {self.blocks.name(self.function, pc + 1)}")
                else:
                    w.line(f"return {self.blocks.name(self.function, pc)}")
                self.done = True
            case m.FinishWin() | m.FinishRank():
                getattr(self.code, "_s_" + type(i).__name__)(i)
                self.done = True
            case _:
                with self.code.looking_on(i):
                    getattr(self.code, "_s_" + type(i).__name__)(i)
                if isinstance(i, m.Fail):
                    self.done = True
                return self.go(pc + 1) if not self.done else pc
        self.done = True
        return pc

    def invoke(self, i: m.Call, pc: int) -> None:
        """Push a frame and go to the called function."""
        w = self.w
        called = self.blocks.ctx.functions[i.function]
        frame = frame_code(self.code.x, i.function, i.args, "B")
        size = self.blocks.offsets[called][-1]
        if size > LARGE:
            w.line(f"if len(S) > {DEEPEST}: fault({TOO_DEEP!r}, 'calls are nested too deeply')")
        w.line(f"S[B - 2] = {pc}")
        held = w.temp()
        w.line(f"{held} = {frame}")
        w.line("R.base = len(S) + 3")
        w.line(f"S += {held}")
        w.line(f"return {self.blocks.name(called, 0)}")

    def take(self, i: m.Call) -> None:
        """Store what a called function has given and handed back."""
        w, ctx = self.w, self.blocks.ctx
        number = ctx.functions[i.function]
        called = ctx.program.functions[number]
        if i.into is not None:
            ty = called.result or m.INT
            self.code.store(i.into, ctx.typed("R.result", ty, ty.optional or ("returned", i.function, 0) in ctx.null))
            w.line("R.result = 0")
        for param, slot in enumerate(i.shared):
            start, end = self.blocks.offsets[number][param : param + 2]
            at, own = w.slots[slot]
            if ("slot", i.function, param) in ctx.null and not own.ty.optional:
                ctx.expect_none("slot", self.declared.name, slot)
            w.line(f"S[B + {at}:B + {at + end - start}] = R.shared[{start}:{end}]")

    def back(self, value: m.Expr | None) -> None:
        """Pop the frame and go on after the call."""
        w = self.w
        v = self.code.x.value(value) if value is not None else V(N, null=True)
        result = self.declared.result
        if result is not None:
            if v.null and not result.optional:
                self.blocks.ctx.expect_none("returned", self.declared.name, 0)
            if value is None and result.kind in ("set", "list"):
                v = V("0" if result.kind == "set" else "()")
            w.line(f"R.result = {v.code}")
        if handed := self.blocks.shared.get(self.declared.name):
            w.line(f"R.shared = S[B:B + {self.blocks.offsets[self.function][handed]}]")
        base = w.temp()
        w.line(f"{base} = S[B - 1]")
        w.line("del S[B - 3:]")
        w.line(f"if not {base}: return {RETURNED}")
        w.line(f"R.base = {base}")
        w.line(f"return RETURNS[S[{base} - 3]][S[{base} - 2]]")
        self.done = True
