"""Facts about a program that several parts of the compiler need, with known ranges, and a log of what each pass did."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cached_property
from itertools import chain

from rulewright.engine.native.passes import Passes
from rulewright.engine.native.values import Value
from rulewright.foundation.lazy_dataclass import dataclass
from rulewright.ir import model as m
from rulewright.ir.control_flow.control_flow_graph import code_nodes
from rulewright.ir.model import NONE
from rulewright.ir.transform.masks import MOST_VALUES
from rulewright.ir.walk import nodes


@dataclass(frozen=True, slots=True)
class Printed:
    """The numbers of a table, without none."""

    values: tuple[int, ...]
    """The numbers of a table, with none."""
    low: int
    high: int
    """The least and the largest; 0 if there are none."""
    null: bool
    """True if something has none."""
    empty: bool
    """True if nothing has a number."""
    sets: tuple[int, ...]
    """The members with none, those with each number from the least on, and an empty set; of few numbers only."""


class ProgramFacts:
    """The facts of one program, found once."""

    def __init__(self, program: m.Program) -> None:
        self._program = program
        self._tables = {t.name: t for t in program.tables}
        self._printed: dict[str, Printed] = {}

    @cached_property
    def rules(self) -> tuple[object, ...]:
        """The nodes in queries and in the code of functions."""
        code = (inside for function in self._program.functions for inside in code_nodes(function))
        return (*nodes(self._program.queries), *chain.from_iterable(code))

    @cached_property
    def nodes(self) -> tuple[object, ...]:
        """The nodes in queries, in the code of functions, and in areas."""
        return (*self.rules, *nodes(self._program.areas))

    def printed(self, table: str) -> Printed:
        """The numbers of a table that holds no lists."""
        if table not in self._printed:
            values = tuple(v for v in self._tables[table].values if isinstance(v, int))
            known = [v for v in values if v != NONE]
            low, high = min(known, default=0), max(known, default=0)
            sets = _sets(values, low, high) if high - low < MOST_VALUES else ()
            self._printed[table] = Printed(values, low, high, len(known) < len(values), not known, sets)
        return self._printed[table]


def _sets(values: tuple[int, ...], low: int, high: int) -> tuple[int, ...]:
    found = [0] * (high - low + 3)
    for member, value in enumerate(values):
        found[0 if value == NONE else value - low + 1] |= 1 << member
    return tuple(found)


class PassLog:
    """The passes that are made, and how often each has found something to do in each rule."""

    def __init__(self, passes: Passes, before: Counter[tuple[str, str, str]]) -> None:
        """Notes of what passes over the program have done `before` come first."""
        self.passes = passes
        self.rule = ""
        """The rule, query or area that is written now."""
        self.done = Counter(before)
        """Rule, pass, and what it was done to (or nothing): how often."""

    def makes(self, name: str) -> bool:
        """True if a pass is made."""
        return name in self.passes

    def note(self, name: str, what: str = "") -> None:
        """A pass has done something here."""
        self.done[self.rule, name, what] += 1

    @contextmanager
    def inside(self, rule: str) -> Iterator[None]:
        """Code of a rule is written."""
        before, self.rule = self.rule, rule
        yield
        self.rule = before


def known_within(log: PassLog, v: Value, low: int, high: int) -> bool:
    """True if a number that is not none surely lies within bounds."""
    if not log.makes("ranges") or v.low < low or v.high > high:
        return False
    log.note("ranges")
    return True


def known_not(log: PassLog, v: Value, number: int) -> bool:
    """True if a number surely is another one."""
    if not log.makes("ranges") or v.low <= number <= v.high:
        return False
    log.note("ranges")
    return True
