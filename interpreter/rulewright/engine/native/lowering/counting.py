"""Compiling with counters: see :mod:`rulewright.engine.native.webassembly.counting_body`."""

from __future__ import annotations

from collections.abc import Sequence

from rulewright.engine.native.lowering.lowering_context import LoweringContext
from rulewright.engine.native.passes import ALL, Passes
from rulewright.engine.native.webassembly.counting_body import CountingBody
from rulewright.engine.native.webassembly.encoding import Type
from rulewright.engine.native.webassembly.function_body import FunctionBody
from rulewright.engine.native.webassembly.module import Module
from rulewright.ir import model as m


class Counting(LoweringContext):
    """A compilation with a counter for each rule."""

    counted = True

    def __init__(self, program: m.Program, passes: Passes = ALL) -> None:
        self.counters: dict[str, int] = {}
        """For each rule the address of its instructions and, behind them, of the times that it was come to."""
        super().__init__(program, passes=passes)

    def _module(self) -> Module:
        return _CountingModule(self)

    def counter(self, rule: str) -> int:
        """The address of the counter of a rule."""
        if rule not in self.counters:
            self.counters[rule] = self.memory.reserve(16)
        return self.counters[rule]

    def rule_body(self, function: int) -> FunctionBody:
        """A body whose code belongs to the rule that is written."""
        return CountingBody(self.module.params(function), lambda: self.log.rule, self.counter)


class _CountingModule(Module):
    """The functions of the engine, by the parts that they belong to."""

    def __init__(self, ctx: Counting) -> None:
        super().__init__()
        self._ctx = ctx

    def body(self, function: int, part: str = "") -> FunctionBody:
        """A body whose code belongs to a part of the engine."""
        return self._counting(self.params(function), f"({part or 'answers and chance'})")

    def _counting(self, params: Sequence[Type], part: str) -> FunctionBody:
        return CountingBody(params, lambda: part, self._ctx.counter)
