"""Facts about a declaration that are needed again and again: its nodes, clauses, steps, calls and words."""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass, replace

from rulewright.compiler import tree_walk
from rulewright.compiler.overlays.labels import walk
from rulewright.node_memo import memoized_by_node
from rulewright.syntax import ast


@dataclass(frozen=True, slots=True)
class Block:
    """What others may ask of a block of statements."""

    names: frozenset[str]
    """The words that may be calls."""
    given: frozenset[str]
    """The words that may be calls whose results get a name."""
    rolls: bool
    chooses_one: bool

    def among(self, names: frozenset[str]) -> Block:
        """The same, without words that are none of these names."""
        return replace(self, names=self.names & names, given=self.given & names)


@dataclass(frozen=True, slots=True)
class Outline:
    """What others may ask of an effect or procedure."""

    head: Hashable
    body: Block
    steps: tuple[tuple[str, Block], ...]

    def among(self, names: frozenset[str]) -> Outline:
        """The same, where only these names are those of effects and procedures."""
        inside = tuple((label, block.among(names)) for label, block in self.steps)
        return Outline(self.head, self.body.among(names), inside)


@memoized_by_node
def inner_nodes(decl: ast.Clause) -> tuple[ast.Node, ...]:
    """All nodes of a declaration but itself, in the order written."""
    return tuple(tree_walk.nodes(decl))[1:]


@memoized_by_node
def clauses(decl: ast.Clause) -> tuple[ast.Clause, ...]:
    """All clauses of a declaration but itself, in the order written."""
    return tuple(walk(decl))


@memoized_by_node
def steps(decl: ast.Clause) -> tuple[ast.Step, ...]:
    """The steps of a declaration."""
    return tuple(clause for clause in clauses(decl) if isinstance(clause, ast.Step))


@memoized_by_node
def calls(decl: ast.Clause) -> tuple[str, ...]:
    """The names of all that a declaration calls with parentheses, each once."""
    return tuple(tree_walk.calls_in(decl))


@memoized_by_node
def words(decl: ast.Clause) -> frozenset[str]:
    """All words of a declaration, whatever they stand for."""
    return frozenset(tree_walk.words(decl))


@memoized_by_node
def outline(decl: ast.Callable) -> Outline:
    """What other declarations may ask of an effect or procedure: its head, its steps, and what it calls.

    As long as this is the same, a change within its body changes nothing but itself.
    """
    steps_inside = tuple((step.label, _block(step.body)) for step in steps(decl))
    head = decl.word, decl.name, decl.params, decl.type, decl.open is None
    return Outline(head, _block(decl.body), steps_inside)


def _block(body: tuple[ast.Stmt, ...]) -> Block:
    inside = list(tree_walk.nodes(body))
    given = [n.value.operand for n in inside if isinstance(n, ast.Let) and isinstance(n.value, ast.Call)]
    return Block(
        frozenset(n.name for n in inside if isinstance(n, ast.Name)),
        frozenset(called.name for called in given if isinstance(called, ast.Name)),
        any(isinstance(n, ast.Roll) for n in inside),
        any(isinstance(n, ast.Choose) and n.many is None for n in inside),
    )


__all__ = ["Outline", "calls", "clauses", "inner_nodes", "outline", "steps", "words"]
