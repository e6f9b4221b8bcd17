"""Functions of the rules cut into blocks, each a Python function."""

from __future__ import annotations

from dataclasses import dataclass

from rulewright.budgets import DEEPEST
from rulewright.engine.codegen.codegen_context import Context
from rulewright.engine.codegen.expressions.expression_code import expressions
from rulewright.engine.codegen.instruction_code import BASE, RESULT, RETURNED, SHARED, InstructionCode
from rulewright.engine.codegen.statement_writer import COPIED, OPERATIONS, Source, Writer
from rulewright.engine.codegen.value_ranges import N, V
from rulewright.engine.faults import TOO_DEEP
from rulewright.engine.meter import BUDGET
from rulewright.ir import model as m

LARGE = 512
"""Larger frames look themselves whether the stack is too deep."""

INLINED = 16
"""So many instructions are copied at most to save going from block to block."""


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


def offsets(slots: tuple[m.Slot, ...]) -> tuple[int, ...]:
    """The offset of each slot in the frame, and the size of all."""
    found = [0]
    for slot in slots:
        found.append(found[-1] + (1 + slot.ty.capacity if slot.ty.kind == "list" else 1))
    return tuple(found)


class Blocks:
    """All blocks of a program; only those that can be come to are made."""

    def __init__(self, ctx: Context, source: Source) -> None:
        self.ctx = ctx
        self.source = source
        self.numbers: dict[tuple[int, int, bool], int] = {}
        """Function, pc, and whether it begins by taking a result, to the number of the block."""
        self.waiting: list[tuple[int, int, bool]] = []
        self.questions: dict[tuple[int, int], Question] = {}
        self.returns: tuple[dict[int, int], ...] = tuple({} for _ in ctx.program.functions)
        self.offsets = [offsets(f.slots) for f in ctx.program.functions]
        self.shared: dict[str, int] = {}
        """The number of parameters that a function hands back."""
        for function in ctx.program.functions:
            for i in function.code:
                if isinstance(i, m.Call) and i.shared:
                    self.shared[i.function] = max(self.shared.get(i.function, 0), len(i.shared))
        self.entries = [self.number(f, 0) for f in range(len(ctx.program.functions))]
        ctx.globals["RETURNS"] = self.returns

    def number(self, function: int, pc: int, result: bool = False) -> int:
        """The number of a block."""
        key = (function, pc, result)
        if key not in self.numbers:
            self.numbers[key] = len(self.numbers)
            self.waiting.append(key)
        return self.numbers[key]

    def write(self) -> None:
        """Write all blocks."""
        while self.waiting:
            function, pc, result = self.waiting.pop()
            Trace(self, function, pc, result).write()


class Trace:
    """One block: a run of instructions, through jumps forward, as long as it is short."""

    def __init__(self, blocks: Blocks, function: int, pc: int, result: bool) -> None:
        self.blocks = blocks
        self.number = blocks.number(function, pc, result)
        self.function = function
        self.declared = blocks.ctx.program.functions[function]
        self.start = pc
        self.result = result
        self.seen: set[int] = set()
        self.loops = False
        self.done = False
        self.w = Writer(blocks.ctx, blocks.source, ("C", "R", "S", "B"), (self.declared.name, pc))
        self.w.function = self.declared.name
        self.w.slots = tuple(zip(blocks.offsets[function], self.declared.slots, strict=False))
        self.code = InstructionCode(expressions(self.w))

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
        steps = w.operations // OPERATIONS
        if self.loops:
            w.lines[first:] = [" " + line for line in w.lines[first:]]
            pay = [" while True:", f"  R[{BUDGET}] -= {1 + steps}", f"  if R[{BUDGET}] < 0: over(R)"]
        else:
            pay = [f" R[{BUDGET}] -= {steps}"] if steps else []  # one step is taken by the machine
        w.lines[first:first] = pay
        w.origins[first:first] = [(self.declared.name, self.start)] * len(pay)
        w.lines.insert(0, f" B = R[{BASE}]")
        w.origins.insert(0, (self.declared.name, self.start))
        w.finish(f"b{self.number}", ("C", "S", "R"))

    def leave(self, pc: int) -> str:
        """The statement that goes to an instruction."""
        if pc == self.start and not self.result:
            self.loops = True
            return "continue"
        return f"return {self.blocks.number(self.function, pc)}"

    def go(self, pc: int) -> int:
        """Go on at an instruction: here, if that is short, else in its block."""
        if pc == self.start and not self.result:
            self.loops = True
            self.w.line("continue")
            self.done = True
        elif pc in self.seen or len(self.seen) >= INLINED:
            self.w.line(f"return {self.blocks.number(self.function, pc)}")
            self.done = True
        return pc

    def step(self, pc: int) -> int:
        """Write one instruction; where to go on."""
        w = self.w
        if pc >= len(self.declared.code):
            w.origin = (self.declared.name, len(self.declared.code) - 1)
            self.back(None)
            return pc
        self.seen.add(pc)
        w.operations += 1
        w.origin = (self.declared.name, pc)
        i = self.declared.code[pc]
        self.code.forget_unobserved(pc)
        match i:
            case m.Jump(to):
                return self.go(to)
            case m.JumpUnless(condition, to):
                self.code.x.guard(condition, self.leave(to))
                return self.go(pc + 1)
            case m.Call():
                self.invoke(i, pc)
            case m.Return(value):
                self.back(value)
            case m.Choose():
                self.question(i, pc)
                if pc == self.start and not self.result:
                    self.code.ask(
                        i, pc, "" if i.on_empty is None else f"return {self.blocks.number(self.function, i.on_empty)}"
                    )
                else:
                    w.line(f"return {self.blocks.number(self.function, pc)}")
                self.done = True
            case m.Chance():
                self.question(i, pc)
                if pc == self.start and not self.result:
                    self.code.draw(i, pc, f"return {self.blocks.number(self.function, pc + 1)}")
                else:
                    w.line(f"return {self.blocks.number(self.function, pc)}")
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

    def question(self, i: m.Choose | m.Chance, pc: int) -> None:
        """Note a question with the blocks that follow its answers."""
        blocks = self.blocks
        key = (self.function, pc)
        if key in blocks.questions:
            return
        into = blocks.offsets[self.function][i.into]
        extras = tuple(blocks.number(self.function, x.to) for x in i.extras) if isinstance(i, m.Choose) else ()
        block = blocks.number(self.function, pc)
        after = blocks.number(self.function, pc + 1)
        blocks.questions[key] = Question(len(blocks.questions), self.declared.name, pc, i, into, block, after, extras)

    def invoke(self, i: m.Call, pc: int) -> None:
        """Push a frame and go to the called function."""
        w, ctx = self.w, self.blocks.ctx
        called = ctx.functions[i.function]
        function = ctx.program.functions[called]
        parts: list[str] = []
        for number, (arg, slot) in enumerate(zip(i.args, function.slots, strict=False)):
            v = self.code.x.value(arg)
            if v.null and not slot.ty.optional:
                ctx.learn("slot", i.function, number)
            if slot.ty.kind == "list":
                ctx.helper("pad")
                parts.append(f"*pad({v.code}, {slot.ty.capacity}, {slot.name!r})")
            else:
                parts.append(v.code)
        size = self.blocks.offsets[called][-1]
        w.operations += 2 * size >> COPIED
        if size > LARGE:
            w.line(f"if len(S) > {DEEPEST}: fault({TOO_DEEP!r}, 'calls are nested too deeply')")
        used = self.blocks.offsets[called][len(i.args)]
        parts += ["0"] * (self.blocks.offsets[called][-1] - used)
        w.line(f"S[B - 2] = {pc}")
        held = w.temp()
        w.line(f"{held} = ({called}, 0, B, {''.join(p + ', ' for p in parts)})")
        w.line(f"R[{BASE}] = len(S) + 3")
        w.line(f"S += {held}")
        w.line(f"return {self.blocks.entries[called]}")
        takes = i.into is not None or bool(i.shared)
        self.blocks.returns[self.function][pc] = self.blocks.number(self.function, pc + 1, takes)

    def take(self, i: m.Call) -> None:
        """Store what a called function has given and handed back."""
        w, ctx = self.w, self.blocks.ctx
        number = ctx.functions[i.function]
        called = ctx.program.functions[number]
        if i.into is not None:
            ty = called.result or m.INT
            self.code.store(
                i.into, ctx.typed(f"R[{RESULT}]", ty, ty.optional or ("returned", i.function, 0) in ctx.null)
            )
            w.line(f"R[{RESULT}] = 0")
        for param, slot in enumerate(i.shared):
            start, end = self.blocks.offsets[number][param : param + 2]
            at, own = w.slots[slot]
            if ("slot", i.function, param) in ctx.null and not own.ty.optional:
                ctx.learn("slot", self.declared.name, slot)
            w.line(f"S[B + {at}:B + {at + end - start}] = R[{SHARED}][{start}:{end}]")

    def back(self, value: m.Expr | None) -> None:
        """Pop the frame and go on after the call."""
        w = self.w
        v = self.code.x.value(value) if value is not None else V(N, null=True)
        result = self.declared.result
        if result is not None:
            if v.null and not result.optional:
                self.blocks.ctx.learn("returned", self.declared.name, 0)
            if value is None and result.kind in ("set", "list"):
                v = V("0" if result.kind == "set" else "()")
            w.line(f"R[{RESULT}] = {v.code}")
        if handed := self.blocks.shared.get(self.declared.name):
            w.line(f"R[{SHARED}] = S[B:B + {self.blocks.offsets[self.function][handed]}]")
        base = w.temp()
        w.line(f"{base} = S[B - 1]")
        w.line("del S[B - 3:]")
        w.line(f"if not {base}: return {RETURNED}")
        w.line(f"R[{BASE}] = {base}")
        w.line(f"return RETURNS[S[{base} - 3]][S[{base} - 2]]")
        self.done = True
