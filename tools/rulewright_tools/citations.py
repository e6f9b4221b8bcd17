"""Which clause of the rules cites which statement of the rulebook."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, fields, is_dataclass

import rulewright as rw

RULES = frozenset({"Callable", "Query", "Value", "Limits", "Reaction", "Consequence", "End", "Property", "Invariant"})
"""Declarations that say what is so or what is done, and so should come from the rulebook."""

EXAMPLES = frozenset({"Scenario"})


@dataclass(frozen=True, slots=True, order=True)
class Citation:
    """One clause that cites one statement."""

    statement: str
    file: str
    line: int
    rule: str
    """The declaration it stands in; for an example, its title."""
    example: bool


@dataclass(frozen=True, slots=True, order=True)
class Uncited:
    """A rule in which nothing is cited."""

    file: str
    line: int
    rule: str
    word: str


def citations(source: rw.SourceFile) -> Iterator[Citation]:
    """All citations of a rules file, in the order of the text."""
    for decl in source.file.decls:
        example = type(decl).__name__ in EXAMPLES
        name = name_of(decl)
        for clause in _clauses(decl):
            for statement in clause.trivia.cites:
                yield Citation(statement, clause.span.file, clause.span.line, name, example)


def uncited(source: rw.SourceFile) -> Iterator[Uncited]:
    """The rules of a file in which nothing is cited."""
    for decl in source.file.decls:
        kind = type(decl).__name__
        if kind in RULES and not any(clause.trivia.cites for clause in _clauses(decl)):
            word = getattr(decl, "word", kind.lower())
            yield Uncited(decl.span.file, decl.span.line, name_of(decl), word)


def name_of(decl: object) -> str:
    """What a declaration is called."""
    for attribute in ("name", "title", "path", "word"):
        if (name := getattr(decl, attribute, None)) is not None:
            return str(name)
    counts = getattr(decl, "counts", None)
    if counts:
        return f"with {' or '.join(map(str, counts))} players"
    return type(decl).__name__.lower()


def _clauses(node: object) -> Iterator[rw.Clause]:
    """The node and everything in it that stands on a line of its own."""
    if isinstance(node, tuple):
        for part in node:
            yield from _clauses(part)
    elif is_dataclass(node):
        if isinstance(node, rw.Clause):
            yield node
        for one in fields(node):
            if one.name not in ("span", "trivia"):
                yield from _clauses(getattr(node, one.name))
