"""The lowered forms of the expressions of a game, for those who ask about its declarations afterwards.

Many games share most of their units, and few games are ever asked. So what a unit has lowered stands with the unit, a
game holds its units, and an index over all of it is made only for a game that is asked.
"""

from __future__ import annotations

from collections.abc import Iterable

from rulewright.compiler.symbols.scope import Typed
from rulewright.syntax import ast

Entries = dict[int, tuple[ast.Expr, Typed]]
"""Expressions and their forms by identity; holding the expression keeps the identity."""


class TypedExpressions:
    """The forms in which the expressions of a game or of a unit were lowered last."""

    __slots__ = ("_index", "_originals", "_own", "_units")

    def __init__(self) -> None:
        self._own: Entries = {}
        self._units: dict[tuple[str, str], TypedExpressions] = {}
        self._originals: dict[int, tuple[ast.Node, ast.Node]] = {}
        """For nodes that came into the place of others, which mean the same: those that were lowered."""
        self._index: Entries | None = None

    def put(self, expr: ast.Expr, typed: Typed) -> None:
        """Keep the form of an expression."""
        self._own[id(expr)] = (expr, typed)

    def of(self, expr: ast.Expr) -> Typed | None:
        """The form in which an expression was lowered last; None if it never was."""
        held = self._own.get(id(expr))
        if held is None and self._units:
            if self._index is None:
                self._index = {}
                self._gather(self._index, set())
            exchanged = self._originals.get(id(expr))
            original = exchanged[1] if exchanged is not None else expr
            held = self._own.get(id(original)) or self._index.get(id(original))
        return held[1] if held is not None else None

    def take(self, unit: tuple[str, str], typed: TypedExpressions) -> None:
        """Hold what belongs to a unit, instead of what it was before."""
        self._units[unit] = typed
        self._index = None

    def exchange(self, old: ast.Node, new: ast.Node) -> None:
        """Take a node for another one that means the same."""
        if not isinstance(new, ast.Expr):
            return
        known = self._originals.pop(id(old), None)
        self._originals[id(new)] = (new, known[1] if known is not None else old)

    def forget(self, nodes: Iterable[ast.Node]) -> None:
        """Forget nodes that are no more."""
        for node in nodes:
            self._own.pop(id(node), None)
            self._originals.pop(id(node), None)

    def copy(self) -> TypedExpressions:
        """The same, which does not change with this one."""
        made = TypedExpressions()
        made._own, made._units, made._originals = dict(self._own), dict(self._units), dict(self._originals)
        return made

    def _gather(self, index: Entries, seen: set[int]) -> None:
        for unit in self._units.values():
            if id(unit) not in seen:
                seen.add(id(unit))
                unit._gather(index, seen)
                index.update(unit._own)


__all__ = ["TypedExpressions"]
