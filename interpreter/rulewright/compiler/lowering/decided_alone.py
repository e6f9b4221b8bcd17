"""The part of a block ``at once`` that is decided before anybody sees anything of it.

That is the statements up to the last question before the first thing that others could see. What procedures do counts
as their own statements do.
"""

from __future__ import annotations

from collections.abc import Iterable

from rulewright.compiler.symbols.constants import is_seen
from rulewright.compiler.symbols.static_types import STATEMENTS
from rulewright.compiler.symbols.symbol_table import SymbolTable
from rulewright.compiler.tree_walk import nodes
from rulewright.foundation.lazy_dataclass import dataclass
from rulewright.syntax import ast

CONDUCT = "conduct"
"""The kind of the lookup of what a procedure does, among those of a unit."""

_SEEN = ast.RandomEvent | ast.Show | ast.Tell | ast.Merge | ast.Flip | ast.Ending | ast.Proceed
_LOOPS = ast.Each | ast.Repeat | ast.Repeats | ast.Step | ast.Either


@dataclass(frozen=True, slots=True)
class Conduct:
    """The conduct of statements, procedures that they call included."""

    asks: bool = False
    """True if a player decides."""
    seen: bool = False
    """True if they may do something that not only who decides could see."""


def conduct_of(world: SymbolTable, name: str) -> Conduct:
    """The conduct of an effect or procedure."""
    return _conduct(world, world.calls[name].decl.body, {name})


def decided_alone(world: SymbolTable, body: tuple[ast.Stmt, ...]) -> tuple[int, ast.Stmt | None]:
    """The number of statements of a block that are decided alone, and the first one that others see, or None."""
    count, seen = 0, None
    for number, statement in enumerate(body):
        found = _statement(world, statement)
        if found.seen:
            seen = statement
            break
        if found.asks:
            count = number + 1
    return count, seen


def asks(world: SymbolTable, body: tuple[ast.Stmt, ...]) -> bool:
    """True if a player decides in a block."""
    return any(_statement(world, statement).asks for statement in body)


def _statement(world: SymbolTable, statement: ast.Stmt) -> Conduct:
    """The conduct of a statement of a block; whether it is left is for others to see."""
    for name in _called(world, statement):
        world.lookups[CONDUCT, name] = None
    loops = [node for node in nodes(statement) if isinstance(node, _LOOPS)]
    stay = {id(node) for loop in loops for node in nodes(loop) if isinstance(node, ast.Stop)}
    leaves = (
        isinstance(node, ast.Return) or (isinstance(node, ast.Stop) and id(node) not in stay)
        for node in nodes(statement)
    )
    found = _conduct(world, (statement,), set())
    return Conduct(found.asks, found.seen or any(leaves))


def _conduct(world: SymbolTable, body: tuple[ast.Stmt, ...], begun: set[str]) -> Conduct:
    asks = seen = False
    for statement in body:
        for node in nodes(statement):
            asks = asks or _asks(node)
            seen = seen or _is_seen(world, node)
        for name in _called(world, statement):
            if name not in begun:
                begun.add(name)
                inside = _conduct(world, world.calls[name].decl.body, begun)
                asks, seen = asks or inside.asks, seen or inside.seen
    return Conduct(asks, seen)


def _called(world: SymbolTable, statement: ast.Stmt) -> Iterable[str]:
    """The effects and procedures that a statement calls."""
    for node in nodes(statement):
        called = node.call if isinstance(node, ast.CallStatement) else node
        operand = called.operand if isinstance(called, ast.Call) else called
        bare = isinstance(node, ast.CallStatement | ast.Call)
        if bare and isinstance(operand, ast.Name) and operand.name in world.calls:
            yield operand.name


def _asks(node: ast.Node) -> bool:
    if isinstance(node, ast.Choose):
        return not _by_chance(node)
    return isinstance(node, ast.Either | ast.Repeats) or (isinstance(node, ast.Each) and node.order == "chosen")


def _by_chance(node: ast.Choose) -> bool:
    return isinstance(node.who, ast.Name) and node.who.name == "chance"


def _is_seen(world: SymbolTable, node: ast.Node) -> bool:
    match node:
        case ast.Choose():
            return _by_chance(node)
        case ast.Each():
            return node.order == "at once"
        case ast.Assign(target=target) | ast.Update(target=target) | ast.MoveHeld(what=target) | ast.Move(to=target):
            return is_seen(world, _root(target))
        case ast.CallStatement(call=call):
            called = call.operand if isinstance(call, ast.Call) else call
            return isinstance(called, ast.Name) and called.name in STATEMENTS and called.name not in world.calls
        case _:
            return isinstance(node, _SEEN)


def _root(target: ast.Expr) -> str:
    while isinstance(target, ast.Index | ast.Dot):
        target = target.operand
    return target.name if isinstance(target, ast.Name) else ""
