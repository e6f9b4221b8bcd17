"""Numbers for sets of procedures that look alike from outside: their bodies may differ."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import count

from rulewright.compiler.declaration_facts import Outline, outline
from rulewright.syntax import ast

MOST = 256
"""So many games are kept in mind."""


class Outlines:
    """The outlines of the effects and procedures of games (:class:`rulewright.compiler.declaration_facts.Outline`)."""

    def __init__(self) -> None:
        self._numbers: dict[tuple[Outline, ...], int] = {}
        self._next = count()
        self._known: dict[tuple[int, ...], tuple[list[ast.Callable], int]] = {}

    def number(self, decls: Mapping[str, ast.Decl]) -> int:
        """A number that is the same for games whose effects and procedures have the same outlines."""
        held = [decl for decl in decls.values() if isinstance(decl, ast.Callable)]
        key = tuple(map(id, held))
        if key not in self._known:
            if len(self._known) >= MOST:
                self._known.clear()
                self._numbers.clear()
            names = frozenset(decl.name for decl in held)
            found = tuple(outline(decl).among(names) for decl in held)
            self._known[key] = held, self._number(found)
        return self._known[key][1]

    def _number(self, found: tuple[Outline, ...]) -> int:
        if found not in self._numbers:
            self._numbers[found] = next(self._next)  # none twice, also of those that are kept in mind no more
        return self._numbers[found]


__all__ = ["Outlines"]
