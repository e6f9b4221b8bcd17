"""Facts about a program that several parts of the compiler ask for: what it holds, what is printed."""

from __future__ import annotations

from functools import cached_property
from itertools import chain

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
    """All, with none."""
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
        """All that stands in queries and in the code of functions."""
        code = (inside for function in self._program.functions for inside in code_nodes(function))
        return (*nodes(self._program.queries), *chain.from_iterable(code))

    @cached_property
    def nodes(self) -> tuple[object, ...]:
        """The same, and all that stands in areas."""
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


__all__ = ["Printed", "ProgramFacts"]
