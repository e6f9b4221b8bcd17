"""Signatures of effects and procedures: all that other declarations may ask of them, whatever their bodies do."""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from dataclasses import replace
from itertools import count

from rulewright.compiler.declaration_facts import steps
from rulewright.compiler.tree_walk import nodes
from rulewright.foundation.lazy_dataclass import dataclass
from rulewright.foundation.memo import memoized_by_node
from rulewright.syntax import ast

MOST = 256
"""So many games are kept in mind."""


@dataclass(frozen=True, slots=True)
class Block:
    """A block of statements, as others may ask of it."""

    names: frozenset[str]
    """The words that may be calls."""
    given: frozenset[str]
    """The words that may be calls whose results get a name."""
    rolls: bool
    chooses_one: bool

    def among(self, names: frozenset[str]) -> Block:
        """A copy without the words that are none of these names."""
        return replace(self, names=self.names & names, given=self.given & names)


@dataclass(frozen=True, slots=True)
class StepOutline:
    """A step of a procedure, as others may ask of it."""

    label: str
    inside: Block
    outside: Block
    """The rest of the procedure."""

    def among(self, names: frozenset[str]) -> StepOutline:
        """A copy without the words that are none of these names."""
        return StepOutline(self.label, self.inside.among(names), self.outside.among(names))


@dataclass(frozen=True, slots=True)
class Signature:
    """An effect or procedure, as others may ask of it."""

    head: Hashable
    body: Block
    steps: tuple[StepOutline, ...]

    def among(self, names: frozenset[str]) -> Signature:
        """A copy in which only these names are those of effects and procedures."""
        return Signature(self.head, self.body.among(names), tuple(step.among(names) for step in self.steps))


@memoized_by_node
def signature(decl: ast.Callable) -> Signature:
    """The signature of an effect or procedure: its head, its steps, and what it calls.

    As long as this is the same, a change within its body changes nothing but itself.
    """
    inside = list(nodes(decl.body))
    parts = []
    for step in steps(decl):
        own = list(nodes(step.body))
        ids = set(map(id, own))
        parts.append(StepOutline(step.label, _block(own), _block([node for node in inside if id(node) not in ids])))
    head = decl.word, decl.name, decl.params, decl.type, decl.open is None
    return Signature(head, _block(inside), tuple(parts))


@memoized_by_node
def reaction_block(decl: ast.Reaction) -> Block:
    """The body of a reaction, as others may ask of it."""
    return _block(list(nodes(decl.body)))


def _block(inside: list[ast.Node]) -> Block:
    given = [n.value.operand for n in inside if isinstance(n, ast.Let) and isinstance(n.value, ast.Call)]
    return Block(
        frozenset(n.name for n in inside if isinstance(n, ast.Name)),
        frozenset(called.name for called in given if isinstance(called, ast.Name)),
        any(isinstance(n, ast.Roll) for n in inside),
        any(isinstance(n, ast.Choose) and n.many is None for n in inside),
    )


class Signatures:
    """Numbers for the signatures of all effects and procedures of a game."""

    def __init__(self) -> None:
        self._numbers: dict[tuple[Signature, ...], int] = {}
        self._next = count()
        self._known: dict[tuple[int, ...], tuple[list[ast.Callable], int]] = {}

    def number(self, decls: Mapping[str, ast.Decl]) -> int:
        """A number that is the same for games whose effects and procedures have the same signatures."""
        held = [decl for decl in decls.values() if isinstance(decl, ast.Callable)]
        key = tuple(map(id, held))
        if key not in self._known:
            if len(self._known) >= MOST:
                self._known.clear()
                self._numbers.clear()
            names = frozenset(decl.name for decl in held)
            found = tuple(signature(decl).among(names) for decl in held)
            self._known[key] = held, self._number(found)
        return self._known[key][1]

    def _number(self, found: tuple[Signature, ...]) -> int:
        if found not in self._numbers:
            self._numbers[found] = next(self._next)  # none twice, also of those that are kept in mind no more
        return self._numbers[found]
