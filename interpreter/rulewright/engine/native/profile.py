"""Profiles: games at random, and how many machine instructions each rule has taken.

What is counted are the instructions of WebAssembly that were carried out, so a profile is the same on every machine.
The program is compiled for it, with a counter for each rule; the code is otherwise that with which games are played.
"""

from __future__ import annotations

import struct
from collections import Counter
from contextlib import suppress

from rulewright.engine.native.instance import Instance, Trap, compiled_module
from rulewright.engine.native.lowering.counting import Counting
from rulewright.engine.native.lowering.memo_tables import MemoTable
from rulewright.engine.native.lowering.program_lowering import lower_with
from rulewright.engine.native.passes import ALL, Passes
from rulewright.engine.native.value_sets import ValueSets
from rulewright.engine.native.watchdog import watchdog
from rulewright.foundation.lazy_dataclass import dataclass
from rulewright.host.budgets import TOTAL, scope
from rulewright.ir import model as m
from rulewright.ir.walk import deep_recursion

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
        """All of it."""
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
