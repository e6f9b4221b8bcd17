"""Loops in expressions: what they go through, how large that is, and an estimate of the work.

Work is counted in conditions that are looked at if nothing comes of any before the last. It is an estimate from above
for sets of known size; sets that are known in a game only, such as ``c.neighbours``, count as a single member.
"""

from __future__ import annotations

from collections.abc import Iterable

from rulewright.compiler.tree_walk import named_in
from rulewright.foundation.memo import tracked_query
from rulewright.foundation.tree_fields import node_fields
from rulewright.lint.analyses.rule_index import RuleIndex
from rulewright.syntax import ast

MANY = 20
"""Fewer members are gone through as quickly as anything else."""
MOST = 10**9
"""No work is estimated higher."""

Loop = ast.Comprehension | ast.Aggregate | ast.Ranked | ast.Every
LOOPS = (ast.Comprehension, ast.Aggregate, ast.Ranked, ast.Every)


def binds_of(loop: Loop) -> tuple[ast.Bind, ...]:
    """The sources of a loop; none of one that only names a set."""
    return (loop.bind,) if isinstance(loop, ast.Ranked | ast.Every) else loop.binds


def inner_of(loop: Loop) -> tuple[ast.Expr, ...]:
    """The expressions that are evaluated for each member."""
    match loop:
        case ast.Ranked():
            parts: Iterable[ast.Expr | None] = (loop.where, loop.by)
        case ast.Every():
            parts = (loop.where, loop.has)
        case _:
            parts = (loop.where, loop.element)
    return tuple(part for part in parts if part is not None)


def whole(index: RuleIndex, source: ast.Expr) -> int:
    """The size of a source that is all of a kind, such as ``Cell``; 0 of any other."""
    if not isinstance(source, ast.TypeName):
        return 0
    return index.size(index.type_of(source).universe) or _pieces(index, source.name)


def is_many(index: RuleIndex, source: ast.Expr) -> bool:
    """True unless a source is known to have few members."""
    size = whole(index, source) or index.size(index.type_of(source).universe)
    return size is None or size >= MANY


@tracked_query
def _pieces(index: RuleIndex, kind: str) -> int:
    """The number of pieces of a kind; 0 if there is no such kind."""
    held = index.world.kinds.get(kind)
    return held.members.bit_count() if held is not None else 0


def is_free(expr: ast.Node, *names: str) -> bool:
    """True of an expression that does not speak of some names."""
    return not set(named_in(expr)).intersection(names)


@tracked_query
def is_place(index: RuleIndex, universe: str) -> bool:
    """True of the places of a map."""
    return index.world.graph_of(universe) is not None


class WorkEstimate:
    """Estimates of the work of expressions in one game."""

    def __init__(self, index: RuleIndex) -> None:
        self._index = index
        self._known: dict[str, int] = {}

    def of(self, node: object) -> int:
        """The conditions that are looked at in a node, with the queries that it asks."""
        if isinstance(node, tuple):
            return min(MOST, sum(map(self.of, node)))
        if not isinstance(node, ast.Node):
            return 0
        if isinstance(node, LOOPS) and binds_of(node):
            return self._loop(node)
        held = sum(self.of(getattr(node, part)) for part in node_fields(type(node)))
        if isinstance(node, ast.Call) and isinstance(node.operand, ast.Name):
            held += self._query(node.operand.name)
        return min(MOST, held)

    def _loop(self, loop: Loop) -> int:
        work = 1 + sum(map(self.of, inner_of(loop)))
        for bind in reversed(binds_of(loop)):
            work = self.of(bind.source) + max(1, self._size(bind.source)) * work
        return min(MOST, work)

    def _size(self, source: ast.Expr) -> int:
        match source:
            case ast.SetOf(items) | ast.ListOf(items):
                return len(items)
            case ast.Range(low, high):
                first, last = self._index.value_of(low), self._index.value_of(high)
                return last - first + 1 if first is not None and last is not None else 1
            case _:
                return whole(self._index, source)

    def _query(self, name: str) -> int:
        if name not in self._known:
            self._known[name] = 0  # one that asks itself is counted once
            decl = self._index.decl_named(name)
            if isinstance(decl, ast.Query):
                self._known[name] = self.of((decl.value, decl.lines))
            elif isinstance(decl, ast.Value):
                self._known[name] = self.of((decl.value, decl.modifiers))
        return self._known[name]
