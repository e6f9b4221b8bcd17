"""Environments of evaluation: where variables, slots of the frame and loop invariants stand.

A closure is given the cells ``C`` and an environment ``E``, a list: the registers of the run, its stack, the base of
the frame, the earlier cells for ``Old``, and from :data:`VARIABLES` on the variables that are bound and what is kept
while a loop runs. Every place is fixed when the closure is made.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from rulewright.foundation.lazy_dataclass import dataclass
from rulewright.ir import model as m

REGISTERS, STACK, BASE, BEFORE, VARIABLES = range(5)
"""The places of an environment that all have."""

Environment = list[Any]
Evaluate = Callable[[list[int], Environment], Any]
"""The value of an expression for cells and an environment: none is :data:`NONE`, sets are bits, lists are tuples."""

Slots = tuple[tuple[int, m.Slot], ...]
"""The slots of a frame, with their offsets."""


@dataclass(frozen=True, slots=True)
class Variable:
    """A variable: its place, whether it holds a list, and within how many loops it has its value."""

    at: int
    is_list: bool
    level: int
    is_living: bool = False
    """True if it holds a region that is living in the cells that are evaluated, or none, or a collection of such."""


class Scope:
    """The variables that an expression may mention, and the loops in which it stands."""

    def __init__(
        self, variables: dict[str, Variable], size: list[int], slots: Slots = (), loops: tuple[list[int], ...] = ()
    ) -> None:
        """`size` holds the length of an environment, `loops` for each loop the places of what is kept while it runs,
        outermost first."""
        self.variables, self._size, self.slots, self.loops = variables, size, slots, loops

    @classmethod
    def of(cls, params: Sequence[tuple[str, bool]] = (), slots: Slots = ()) -> Scope:
        """The scope of a query, an expression or a function, given its parameters and whether they hold lists."""
        variables = {name: Variable(VARIABLES + n, is_list, 0) for n, (name, is_list) in enumerate(params)}
        return cls(variables, [VARIABLES + len(params)], slots)

    def new(self) -> int:
        """A place in the environment that nothing else has."""
        self._size[0] += 1
        return self._size[0] - 1

    def bind(
        self, name: str, is_list: bool = False, level: int | None = None, is_living: bool = False
    ) -> tuple[Scope, int]:
        """The scope with one more variable, and its place; without a level it has its value in the innermost loop."""
        at = self.new()
        variable = Variable(at, is_list, len(self.loops) if level is None else level, is_living)
        return Scope({**self.variables, name: variable}, self._size, self.slots, self.loops), at

    def typed(self, name: str, is_list: bool, is_living: bool = False) -> Scope:
        """The scope with one more variable that has a type and no place."""
        variable = Variable(-1, is_list, len(self.loops), is_living)
        return Scope({**self.variables, name: variable}, self._size, self.slots, self.loops)

    def loop(self) -> tuple[Scope, list[int]]:
        """The scope inside one more loop, and the places of what is kept while that runs."""
        kept: list[int] = []
        return Scope(self.variables, self._size, self.slots, (*self.loops, kept)), kept

    def in_other_cells(self) -> Scope:
        """The scope of what is evaluated in other cells, in which other regions are living."""
        variables = {name: Variable(v.at, v.is_list, v.level) for name, v in self.variables.items()}
        return Scope(variables, self._size, self.slots, self.loops)

    def elsewhere(self) -> Scope:
        """The scope of what is evaluated in other cells whenever it is needed: nothing in it outlives that."""
        variables = {name: Variable(v.at, v.is_list, 0) for name, v in self.variables.items()}
        return Scope(variables, self._size, self.slots)

    def before(self, level: int) -> Scope:
        """The scope of what is evaluated for the loops from a level on together."""
        return Scope(self.variables, self._size, self.slots, self.loops[:level])

    def blank(self) -> Environment:
        """An environment with nothing in it."""
        return [None] * self._size[0]


def kept_while(loop: Evaluate, kept: list[int]) -> Evaluate:
    """A loop that forgets what was kept in its last run."""
    if not kept:
        return loop

    def begun(C: list[int], E: Environment) -> Any:
        for at in kept:
            E[at] = None
        return loop(C, E)

    return begun
