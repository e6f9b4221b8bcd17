"""A program as Python functions: made once, then run for any number of states."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from functools import lru_cache
from itertools import count
from types import CodeType, TracebackType
from typing import Any

from rulewright.engine.codegen.blocks import Block, Blocks
from rulewright.engine.codegen.codegen_context import Context
from rulewright.engine.codegen.expressions.expression_code import expressions
from rulewright.engine.codegen.registers import LEFT, RETURNED, Memo, Registers
from rulewright.engine.codegen.statement_writer import CodeText, Origin, Writer
from rulewright.engine.codegen.value_ranges import V
from rulewright.engine.faults import INSIDE, TOO_DEEP, fault
from rulewright.ir import model as m
from rulewright.ir.transform.passes import SHARED
from rulewright.ir.walk import deep_recursion

RunBlock = Callable[[list[int], Registers, int, Sequence[int]], tuple[list[int], Registers]]
"""Makes copies of cells and registers as they are after a block has run, on a stack of the frame given."""


def what_if_runner(blocks: Sequence[Block], new_memory: Callable[[], Memo]) -> RunBlock:
    """The function that makes hypothetical positions of a program.

    No player observes what happens there, and no rule counts as fired. The effect is paid for as if it happened.
    """

    def what_if(C: list[int], R: Registers, block: int, frame: Sequence[int]) -> tuple[list[int], Registers]:
        cells, stack = C[:], list(frame)
        meter = R.meter
        registers = Registers(3, new_memory(), meter, budget=R.budget)
        while block >= 0:
            if registers.budget < 0:
                meter.refill(registers)
            if len(stack) > meter.scope.depth:
                fault(TOO_DEEP, "calls are nested too deeply")
            block = blocks[block](cells, stack, registers)
        if block != RETURNED:
            fault(INSIDE, "a hypothetical effect has stopped")
        return cells, registers

    return what_if


LATER = "x"
"""The name of a function that is made later than the rest; no other code calls it."""

KEPT = 1 << 13
"""So much code is kept for further programs: those of one ruleset have most of it in common."""
_numbers = count()


@lru_cache(KEPT)
def compiled_code(text: str, origins: tuple[Origin, ...]) -> CodeType:
    """Python code, under a file name that no other has."""
    del origins  # the name shows them, so it must differ where they do
    return compile(text, f"<rules {next(_numbers)}>", "exec")


class Compiled:
    """The Python functions of a program, each made when it is first needed."""

    def __init__(self, program: m.Program, passes: Collection[str] = SHARED) -> None:
        self.program = program
        self.ctx = Context(program, passes)
        self.ctx.demand_query = self.demand_query
        self.chunks: dict[str, list[Origin]] = {}
        self._expressions: dict[tuple[int, tuple[str, ...]], tuple[Any, Callable[..., Any]]] = {}
        self._written: set[str] = set()
        self._blocks = Blocks(self.ctx, self.add)
        self.layout = self.ctx.layout
        self.questions = self._blocks.questions
        self.entries = self._blocks.entries
        self.offsets = self._blocks.offsets
        self.blocks = self._blocks.functions
        self.suspension_points = self._blocks.suspension_points
        self.ctx.globals["what_if"] = what_if_runner(self.blocks, self.ctx.memo_layout.new)

    def write_all(self) -> None:
        """Write all that a game may come to."""
        for query in self.program.queries:
            self.demand_query(query.name)
        self._blocks.write_all()

    def block(self, function: int, pc: int) -> int:
        """The number of the block that begins with an instruction."""
        return self._blocks.number(function, pc)

    def add(self, source: CodeText) -> None:
        """Make the functions of a source known."""
        with deep_recursion():
            code = compiled_code(source.text(), tuple(source.origins))
            self.chunks[code.co_filename] = source.origins
            exec(code, self.ctx.globals)

    def query(self, name: str) -> Callable[..., Any]:
        """A query as a function of cells, registers and arguments."""
        with self.ctx.writing:
            found: Callable[..., Any] = self.ctx.globals[self.demand_query(name)]
        return found

    def demand_query(self, query: str, none_safe: bool = False) -> str:
        """The name of a query's function, or of a form of it that takes none for every parameter."""
        name = self.ctx.query_names[query] + ("n" if none_safe else "")
        if name not in self._written:
            self._written.add(name)
            source = CodeText([], [])
            with deep_recursion():
                v = self._query(source, self.ctx.optimizer.query(query), name, none_safe)
            if v.null and not (none_safe or self.ctx.queries[query].ty.optional):
                self.ctx.expect_none("result", query, 0)
            self.add(source)
        return name

    def _query(self, source: CodeText, query: m.QueryDef, name: str, none_safe: bool) -> V:
        w = Writer(self.ctx, source, ("C", "R"), (query.name, -1))
        for i, slot in enumerate(query.params):
            null = none_safe or slot.ty.optional or ("param", query.name, i) in self.ctx.null
            w.env[slot.name] = self.ctx.typed(f"a{i}", slot.ty, null)
        known, pays = self.ctx.memo_layout.numbers.get(query.name), self.ctx.optimizer.charges.pays(query.name)
        key = ", ".join(f"a{i}" for i in range(len(query.params)))
        if known is not None:
            # Is a result kept that is still valid?
            w.line("m = R.memo")
            w.line("if m[0] is not C: forget(m, C)")
            w.line(f"m = m[{known}]")
            w.line(f"k = ({key},)" if key else "k = 0")
            if pays:  # what is kept costs what it did
                with w.inside("if k in m:"):
                    w.line("v, p = m[k]")
                    w.pay("p")
                    w.line("return v")
                w.line(f"left = {LEFT}")
            else:
                w.line("if k in m: return m[k]")
        v = expressions(w).value(query.body)
        if known is not None:
            w.line(f"if len(m) >= {self.ctx.memo_layout.most}: m.clear()")
            w.line(f"v = {v.code}")
            w.line(f"m[k] = v, left - ({LEFT})" if pays else "m[k] = v")
            w.line("return v")
        else:
            w.line(f"return {v.code}")
        w.finish(name, ("C", "R", *(f"a{i}" for i in range(len(query.params)))))
        return v

    def expression(self, e: m.Expr, params: tuple[str, ...] = (), types: tuple[m.Ty, ...] = ()) -> Callable[..., Any]:
        """An expression, closed but for `params`, as a function of cells, registers, earlier cells and parameters."""
        if isinstance(e, m.Const):
            value = e.value
            return lambda *_: value
        known = self._expressions.get((id(e), params))
        if known is not None:
            return known[1]
        with self.ctx.writing:
            return self._write_expression(e, params, types)

    def _write_expression(self, e: m.Expr, params: tuple[str, ...], types: tuple[m.Ty, ...]) -> Callable[..., Any]:
        source = CodeText([], [])
        with deep_recursion():
            w = Writer(self.ctx, source, ("C", "R", "D"), ("", -1))
            for i, (name, ty) in enumerate(zip(params, types, strict=True)):
                w.env[name] = self.ctx.typed(f"a{i}", ty, ty.optional)
            w.line(f"return {expressions(w).value(self.ctx.optimizer.charges.written(e)).code}")
        w.finish(LATER, ("C", "R", "D", *(f"a{i}" for i in range(len(params)))))
        self.add(source)
        function: Callable[..., Any] = self.ctx.globals[LATER]
        self._expressions[id(e), params] = (e, function)
        return function

    def origins(self, trace: TracebackType | None) -> list[Origin]:
        """The origins of the generated lines in a traceback, outermost first."""
        found = []
        while trace is not None:
            lines = self.chunks.get(trace.tb_frame.f_code.co_filename)
            if lines is not None and 0 < trace.tb_lineno <= len(lines):
                found.append(lines[trace.tb_lineno - 1])
            trace = trace.tb_next
        return found
