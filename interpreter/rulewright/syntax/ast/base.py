"""Nodes, clauses and what stands around them."""

from __future__ import annotations

from dataclasses import field
from typing import Any, ClassVar

from rulewright.diagnostics import NOWHERE, Span
from rulewright.foundation.lazy_dataclass import dataclass


@dataclass(frozen=True, slots=True)
class Trivia:
    """Blank lines and comments around a clause, which mean nothing to the engine."""

    comments: tuple[str, ...] = ()
    """Comment lines above the clause, without the ``#``; an empty string is a bare ``#``, a newline a blank line."""
    behind: str | None = None
    """The comment at the end of its line."""
    cites: tuple[str, ...] = ()
    """Statement ids, without the ``@``; these do mean something, to the tools. First those on the line of the
    clause itself, then those of its `inner` lines."""
    gap: bool = False
    """True if a blank line stands above."""
    below: tuple[str, ...] = ()
    """Comment lines at the end of a block, after its last clause; on :class:`File`, at the end of the file."""
    inner: tuple[tuple[str, Trivia], ...] = ()
    """The trivia of lines that belong to the clause without being clauses: ``else``, ``then``, ``named`` …"""
    places: tuple[tuple[str, Span], ...] = field(default=(), compare=False)
    """The places of these lines."""


NO_TRIVIA = Trivia()


@dataclass(frozen=True, slots=True, kw_only=True)
class Node:
    """Anything that was written somewhere.

    What passes ask of a class of nodes is said at the class, as names of its fields: no pass keeps a list of classes.
    """

    gives: ClassVar[tuple[str, ...]] = ()
    """The fields that hold names which it gives to something."""
    sets: ClassVar[tuple[str, ...]] = ()
    """The fields that hold what it gives another value."""
    takes: ClassVar[tuple[str, ...]] = ()
    """The fields that hold pieces, or zones of pieces, which it moves."""
    fills: ClassVar[tuple[str, ...]] = ()
    """The fields that hold zones to which it moves them."""
    writes: ClassVar[tuple[str, ...]] = ()
    """Other things that it changes: ``where`` (pieces lie elsewhere), ``side`` (pieces are turned), ``regions``."""

    span: Span = field(default=NOWHERE, compare=False, repr=False)

    def held(self, names: tuple[str, ...]) -> list[Any]:
        """The contents of some of its fields, without none."""
        return [held for name in names if (held := getattr(self, name)) is not None]


@dataclass(frozen=True, slots=True, kw_only=True, weakref_slot=True)
class Clause(Node):
    """A node that stands on a line of its own."""

    trivia: Trivia = field(default=NO_TRIVIA, compare=False, repr=False)

    def place_of(self, line: str) -> Span:
        """The place of a line that belongs to it, such as ``named``; its own if there is none."""
        return dict(self.trivia.places).get(line, self.span)


@dataclass(frozen=True, slots=True)
class Path(Node):
    """``declaration``, ``declaration.label``, or ``declaration.option.label``."""

    parts: tuple[str, ...]

    def __str__(self) -> str:
        return ".".join(self.parts)

    @property
    def address(self) -> str:
        """All but the declaration."""
        return ".".join(self.parts[1:])
