"""Players who leave: rounds pass over them. A game in which nobody can be eliminated has the code of always."""

from __future__ import annotations

from collections.abc import Callable

from rulewright.compiler.lowering.expressions.comprehensions import Bound
from rulewright.compiler.lowering.function_builder import FunctionBuilder
from rulewright.compiler.symbols.static_types import set_of
from rulewright.compiler.symbols.symbol_table import SymbolTable
from rulewright.compiler.tree_walk import nodes
from rulewright.ir import model as m
from rulewright.syntax import ast

IN_GAME = m.Alive("Player")

Remains = Callable[[m.Expr], m.Expr]
"""The condition that a member has not left since the round began."""


def remaining(world: SymbolTable, s: ast.Each, bound: Bound, code: FunctionBuilder) -> Remains | None:
    """Begin a round that passes over members who leave while it goes on; None if there are no such members.

    Who had left before is visited, if the round is over those who have. ``everyone`` is all seats, left or not.
    """
    if not world.eliminates or (bound.type.kind, bound.type.universe) != ("entity", "Player"):
        return None
    if any(isinstance(node, ast.Name) and node.name == "everyone" for node in nodes(s.bind.source)):
        return None
    if _in_game(s.bind.source):
        return lambda member: m.Contains(IN_GAME, member)
    slot = code.slot("in the game", set_of("Player"))
    code.add(m.SetLocal(slot, IN_GAME))
    return lambda member: m.Or((m.Contains(IN_GAME, member), m.Not(m.Contains(m.Local(slot), member))))


def _in_game(source: ast.Expr) -> bool:
    """True if all members of a set or list are in the game when it is made, as can be seen from how it is written."""
    match source:
        case ast.Name(name="players") | ast.Unary(op="clockwise from"):
            return True
        case ast.Comprehension(element=None, binds=(bind,)) | ast.Ranked(bind=bind):
            return _in_game(bind.source)
        case ast.Binary(op, left) if op in ast.SELECTING:
            return _in_game(left)
        case _:
            return False


__all__ = ["IN_GAME", "Remains", "remaining"]
