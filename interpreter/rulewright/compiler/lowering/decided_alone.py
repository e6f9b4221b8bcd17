"""The part of a block ``at once`` that is decided before anybody sees anything of it.

That is the statements up to the last question before the first thing that others could see. If this thing stands in a
branch of the last question (an option, a ``then``), or of an ``if``, the branch is divided in the same way: all other
ways of the statement are decided, and what is left of the branch is put off. What procedures do counts as their own
statements do.
"""

from __future__ import annotations

from collections.abc import Container, Iterable, Sequence

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


@dataclass(frozen=True, slots=True)
class Division:
    """The division of a block into what is decided alone, and what is done when all have decided."""

    count: int
    """The number of statements that are decided alone."""
    seen: ast.Stmt | None
    """The first one that others see."""
    branches: tuple[tuple[tuple[ast.Stmt, ...], int], ...] = ()
    """Blocks inside the last one of them that are divided, too, each with its number; inner ones first."""


def decided_alone(world: SymbolTable, body: tuple[ast.Stmt, ...], shared: Container[str] = ()) -> Division:
    """The division of a block; `shared` are the locals from outside of it, which are one for all."""
    count = 0
    for number, statement in enumerate(body):
        found = _statement(world, statement, shared)
        if found.seen:
            head, blocks = _parts(world, statement, shared)
            inner = [(block, decided_alone(world, block, shared)) for block in blocks]
            if not any(map(_asks, head)) and not any(one.count for _, one in inner):
                return Division(count, statement)
            left = ((block, one.count) for block, one in inner if one.seen is not None and one.count < len(block))
            return Division(number + 1, statement, (*(b for _, one in inner for b in one.branches), *left))
        if found.asks:
            count = number + 1
    return Division(count, None)


def _parts(
    world: SymbolTable, statement: ast.Stmt, shared: Container[str]
) -> tuple[Sequence[ast.Node], Sequence[tuple[ast.Stmt, ...]]]:
    """The head of a statement, and the blocks of which one is done at its end; neither if others see the head."""
    found: list[tuple[ast.Stmt, ...] | None]
    match statement:
        case ast.Choose():
            found = [statement.then, statement.otherwise]
        case ast.Either():
            found = [*(option.body for option in statement.options), statement.otherwise]
        case ast.If():
            found = [*(branch.body for branch in statement.branches), statement.otherwise]
        case ast.Match():
            found = [arm.body for arm in (*statement.arms, statement.otherwise) if arm is not None]
        case _:
            return (), ()
    blocks = [block for block in found if block]
    inside = {id(node) for block in blocks for one in block for node in nodes(one)}
    head = [node for node in nodes(statement) if id(node) not in inside]
    called = (conduct_of(world, name) for node in head for name in _called(world, node))
    seen = any(_is_seen(world, node, shared) for node in head) or any(one.seen for one in called)
    return ((), ()) if seen else (head, blocks)


def asks(world: SymbolTable, body: tuple[ast.Stmt, ...]) -> bool:
    """True if a player decides in a block."""
    return any(_statement(world, statement).asks for statement in body)


def _statement(world: SymbolTable, statement: ast.Stmt, shared: Container[str] = ()) -> Conduct:
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
    changes = any(_is_seen(world, node, shared) for node in nodes(statement))
    return Conduct(found.asks, found.seen or changes or any(leaves))


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


def _called(world: SymbolTable, statement: ast.Node) -> Iterable[str]:
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


def _is_seen(world: SymbolTable, node: ast.Node, shared: Container[str] = ()) -> bool:
    match node:
        case ast.Choose():
            return _by_chance(node)
        case ast.Each():
            return node.order == "at once"
        case ast.Assign(target=target) | ast.Update(target=target) | ast.MoveHeld(what=target) | ast.Move(to=target):
            return (root := _root(target)) in shared or is_seen(world, root)
        case ast.CallStatement(call=call):
            called = call.operand if isinstance(call, ast.Call) else call
            return isinstance(called, ast.Name) and called.name in STATEMENTS and called.name not in world.calls
        case _:
            return isinstance(node, _SEEN)


def _root(target: ast.Expr) -> str:
    while isinstance(target, ast.Index | ast.Dot):
        target = target.operand
    return target.name if isinstance(target, ast.Name) else ""
