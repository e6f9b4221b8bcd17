"""Facts about the program of a game that hold as long as its code stays what it is.

Most edits leave the code of most games alone: lines move, scenarios and comments change. Then the parts of the program
are the very same objects as before, although the program is another one.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import fields
from functools import wraps
from typing import TypeVar
from weakref import WeakKeyDictionary

from rulewright.compiler.driver import Compiler
from rulewright.ir import model as m
from rulewright.lint.analyses.program_index import ProgramIndex

T = TypeVar("T")

_PARTS = tuple(f.name for f in fields(m.Program) if f.name not in ("rules", "digest"))
"""All but where the rules stand, and what files they were made from."""


def memoized_by_code(find: Callable[[ProgramIndex], T]) -> Callable[[ProgramIndex], T]:
    """A function that keeps the result of another one for a game until its code changes; it must not ask for lines."""
    known: WeakKeyDictionary[Compiler, tuple[tuple[object, ...], T]] = WeakKeyDictionary()

    @wraps(find)
    def ask(index: ProgramIndex) -> T:
        parts = (index.wanted, *[getattr(index.program, name) for name in _PARTS])
        held = known.get(index.game.compiler)
        if held is None or not _same(held[0], parts):
            held = known[index.game.compiler] = parts, find(index)
        return held[1]

    return ask


def _same(before: tuple[object, ...], after: tuple[object, ...]) -> bool:
    return all(a is b for a, b in zip(before, after, strict=True))


__all__ = ["memoized_by_code"]
