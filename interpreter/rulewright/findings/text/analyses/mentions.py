"""The names in a piece of rules: the facts from which its reads and changes are derived, the same in every game."""

from __future__ import annotations

from collections.abc import Iterable

from rulewright.compiler.tree_walk import nodes
from rulewright.foundation.lazy_dataclass import dataclass
from rulewright.foundation.memo import memoized_by_node
from rulewright.syntax import ast


@dataclass(frozen=True, slots=True, weakref_slot=True)
class Mentions:
    """The mentions in some nodes."""

    names: tuple[str, ...] = ()
    """Bare words, each once, in the order written."""
    types: frozenset[str] = frozenset()
    reads: frozenset[str] = frozenset()
    """The reads besides the words: ``regions``, ``players``."""
    writes: frozenset[str] = frozenset()
    """The changes besides what is called: fields, ``local x``, ``where``, ``side``, ``regions``, ``players``."""
    turns: bool = False
    """True if pieces are moved or turned, whatever zone they are in."""
    steps: tuple[str, ...] = ()
    """Labels of steps."""
    finishes: bool = False
    rolls: bool = False


NOTHING = Mentions()


def rooted(target: ast.Expr) -> str:
    """The word with which something that can be set begins."""
    while isinstance(target, (ast.Index, ast.Dot)):
        target = target.operand
    return target.name if isinstance(target, ast.Name) else ""


def roots(place: ast.Expr | None) -> frozenset[str]:
    """The words with which something may begin that is one of two: ``a if c else b``."""
    if isinstance(place, ast.IfElse):
        return roots(place.then) | roots(place.otherwise)
    return frozenset(() if place is None else (rooted(place),))


def mentions(of: object) -> Mentions:
    """The mentions in a node, or in several: of a clause it is found out once."""
    if isinstance(of, ast.Clause):
        return _of_clause(of)
    if isinstance(of, tuple):
        return _together(mentions(part) for part in of if part is not None)
    return _of_nodes(nodes(of))


@memoized_by_node
def in_body(decl: ast.Consequence | ast.End | ast.Reaction) -> Mentions:
    """The mentions in what is done by a rule that steps in by itself."""
    return mentions(decl.body)


@memoized_by_node
def _of_clause(clause: ast.Clause) -> Mentions:
    return _of_nodes(nodes(clause))


def _together(parts: Iterable[Mentions]) -> Mentions:
    """The mentions in several pieces of rules."""
    held = list(parts)
    if len(held) < 2:
        return held[0] if held else NOTHING
    return Mentions(
        tuple(dict.fromkeys(name for part in held for name in part.names)),
        frozenset().union(*(part.types for part in held)),
        frozenset().union(*(part.reads for part in held)),
        frozenset().union(*(part.writes for part in held)),
        any(part.turns for part in held),
        tuple(label for part in held for label in part.steps),
        any(part.finishes for part in held),
        any(part.rolls for part in held),
    )


def _of_nodes(inside: Iterable[ast.Node]) -> Mentions:
    names: dict[str, None] = {}
    types: set[str] = set()
    reads: set[str] = set()
    writes: set[str] = set()
    steps: list[str] = []
    turns = finishes = rolls = False
    for node in inside:
        if node.writes:
            writes.update(node.writes)
            turns = turns or "side" in node.writes
        for name in map(rooted, node.held(node.sets)) if node.sets else ():
            writes |= {name, f"local {name}"}
        match node:
            case ast.Name(name):
                names[name] = None
                if name == "eliminate":
                    writes.add("players")
            case ast.Call(ast.Name("record"), (kept,)):
                writes.add(rooted(kept))
            case ast.TypeName(name):
                types.add(name)
            case ast.Dot(name="neighbours"):
                reads.add("regions")
            case ast.Unary("clockwise from"):
                reads.add("players")
            case ast.Step(label):
                steps.append(label)
            case _ if isinstance(node, ast.Ending):
                finishes = True
            case ast.Roll():
                rolls = True
            case _:
                pass
        if isinstance(node, ast.Clause):
            named = (node, node.bind) if isinstance(node, ast.Each) else (node,)
            writes |= {f"local {word}" for part in named for word in part.held(part.gives)}
    return Mentions(
        tuple(names), frozenset(types), frozenset(reads), frozenset(writes), turns, tuple(steps), finishes, rolls
    )  # fmt: skip
