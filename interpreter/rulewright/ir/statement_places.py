"""Statements of the rules to which instructions belong: who makes programs knows them, who runs them tells of them.

A program is the same wherever its rules stand, and is kept, sent and shared without their lines. So where a statement
stands is asked only when something has gone wrong in it, of whoever has made the program, or made it known here.
"""

from __future__ import annotations

from collections.abc import Callable
from weakref import ref

from rulewright.diagnostics import Span
from rulewright.foundation.lazy_dataclass import dataclass
from rulewright.ir import model as m


@dataclass(frozen=True, slots=True)
class StatementPlace:
    """A statement: its place, and the statements of the rulebook that it transcribes itself."""

    span: Span
    cites: tuple[str, ...]


Find = Callable[[m.Function, int], StatementPlace | None]
"""Finds the statement to which an instruction of a function belongs."""

_known: dict[int, tuple[ref[m.Program], Find]] = {}


def tell_statements(program: m.Program, find: Find) -> None:
    """From here on the statements of a program can be found; `find` must not hold the program itself."""
    key = id(program)

    def forget(_: object, known: dict[int, tuple[ref[m.Program], Find]] = _known) -> None:  # the name may be gone
        known.pop(key, None)

    _known[key] = ref(program, forget), find


def statement_at(program: m.Program, function: m.Function, pc: int) -> StatementPlace | None:
    """The statement to which an instruction belongs; None if nobody knows it."""
    held = _known.get(id(program))
    return held[1](function, pc) if held is not None and held[0]() is program else None


__all__ = ["Find", "StatementPlace", "statement_at", "tell_statements"]
