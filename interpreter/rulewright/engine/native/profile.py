"""Profiles: games at random, and how many machine instructions each rule has taken.

Counted are the instructions of WebAssembly that were carried out, so a profile is the same on every machine. The
program is compiled for it with a counter for each rule
(:class:`rulewright.engine.native.webassembly.function_body.CountingBody`); the code is otherwise that with which games
are played.
"""

from __future__ import annotations

import struct
from collections import Counter
from collections.abc import Sequence
from contextlib import suppress

from rulewright.engine.native.instance import Instance, Trap, compiled_module, watchdog
from rulewright.engine.native.lowering.lowering_context import LoweringContext
from rulewright.engine.native.lowering.memo_tables import MemoTable
from rulewright.engine.native.lowering.program_lowering import lower_with
from rulewright.engine.native.memory_map import ValueSets
from rulewright.engine.native.passes import ALL, Passes
from rulewright.engine.native.webassembly.encoding import Type
from rulewright.engine.native.webassembly.function_body import CountingBody, FunctionBody
from rulewright.engine.native.webassembly.module import Module
from rulewright.foundation.lazy_dataclass import dataclass
from rulewright.host.budgets import TOTAL, scope
from rulewright.ir import model as m
from rulewright.ir.walk import deep_recursion


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


PORTION = 64
"""Games between two looks at the clock."""


@dataclass(frozen=True, slots=True)
class Spent:
    """The work of a rule."""

    rule: str
    """A function, a question (``turn.card``), a query, an area (``area x``); in brackets a part of the engine."""
    instructions: int
    times: int
    """The times that it was come to; 0 for parts of the engine."""


@dataclass(frozen=True, slots=True)
class Profile:
    """Work in some games, the most first."""

    games: int
    spent: tuple[Spent, ...]

    @property
    def instructions(self) -> int:
        """The instructions of the whole program."""
        return sum(one.instructions for one in self.spent)


@dataclass(frozen=True, slots=True)
class Compiled:
    """A program that was compiled and played: passes, indexes, tables, costs."""

    done: Counter[tuple[str, str, str]]
    """Rule, pass, and what the pass was done to (or nothing): how often."""
    value_sets: tuple[ValueSets, ...]
    tables: dict[str, MemoTable]
    """The queries, and areas (as ``area x``), whose results are kept."""
    profile: Profile


def profile(program: m.Program, games: int, seed: int = 0, most: int = 20_000, passes: Passes = ALL) -> Compiled:
    """Compile a program with counters and play it; :class:`Unsupported` if it cannot be compiled.

    Games that end in an error of the rules, or are not over after `most` decisions, are not counted as games.
    """
    with deep_recursion():
        counting = Counting(program, passes)
        native = lower_with(counting)
    instance = Instance(native, compiled_module(native))
    played = done = 0
    while done < games:
        scope().look()
        portion = min(PORTION, games - done)
        with suppress(Trap), watchdog.watching(instance, scope()):
            instance.play_many(portion, seed + done, most, scope().steps, TOTAL)
        ended = instance.number(native.games)
        played += ended
        done += ended + (ended < portion)
    spent = []
    for rule, address in counting.counters.items():
        instructions, times = struct.unpack("<2q", instance.read(address, 16))
        spent.append(Spent(rule, instructions, times))
    spent.sort(key=lambda one: (-one.instructions, one.rule))
    memory = counting.memory
    tables = counting.memos.tables
    return Compiled(counting.log.done, tuple(memory.value_sets.values()), tables, Profile(played, tuple(spent)))
