"""Parts of a condition that all can judge: who might react is decided by them alone."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from rulewright.compiler.lowering.expressions.expression_lowering import ExpressionLowerer
from rulewright.compiler.symbols.open_audiences import is_open
from rulewright.compiler.symbols.scope import Scope
from rulewright.compiler.tree_walk import words
from rulewright.ir import model as m
from rulewright.ir.walk import nodes
from rulewright.syntax import ast


def conjuncts(e: ast.Expr) -> Iterator[ast.Expr]:
    """The conditions that are joined by ``and``."""
    if isinstance(e, ast.Binary) and e.op == "and":
        yield from conjuncts(e.left)
        yield from conjuncts(e.right)
    else:
        yield e


def open_parts(
    parts: Iterable[ast.Expr], means: ast.Bind | None, scope: Scope, expressions: ExpressionLowerer
) -> Iterator[m.Expr]:
    """Those of some conditions that ask only for what everybody sees: not for the means of who reacts, and no query."""
    for part in parts:
        if means is not None and means.name in words(part):
            continue
        condition = expressions.truth(part, scope)
        if all(_all_see(node, expressions) for node in nodes(condition)):
            yield condition


def _all_see(node: object, expressions: ExpressionLowerer) -> bool:
    world = expressions.world
    match node:
        case m.FieldGet(name):
            return name not in world.fields or is_open(world, name)
        case m.ZoneGet(name) | m.ZoneList(name) | m.Top(name):
            return is_open(world, name)
        case m.CallQuery() | m.Component() | m.After() | m.InZone() | m.PlaceOf() | m.SlotOf() | m.SideOf():
            return False
        case _:
            return True  # all else is seen by all: who is in the game, what is printed, how the map lies now


__all__ = ["conjuncts", "open_parts"]
