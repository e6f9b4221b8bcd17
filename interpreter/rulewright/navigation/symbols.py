"""Symbols: all that a word of the rules can stand for, and the places where they are declared."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal

from rulewright.diagnostics import Span
from rulewright.syntax import ast

SymbolKind = Literal[
    "declaration", "label", "local", "player", "value", "attribute", "variant", "scenario", "statement"
]


@dataclass(frozen=True, slots=True, order=True)
class Symbol:
    """A named declaration or clause."""

    kind: SymbolKind
    name: str
    owner: str = ""
    """Of a label, value or attribute the declaration it belongs to; of a local or player, where its scope begins."""


@dataclass(frozen=True, slots=True)
class Declaration:
    """A place where a symbol gets its meaning."""

    symbol: Symbol
    word: str
    """The kind of declaration, in the words of the language: ``procedure``, ``step``, ``let``."""
    name: Span
    """The name itself."""
    whole: Span
    """All of it, with the block below."""
    head: Span
    """The first clause."""
    scope: Span | None = None
    """Of a local: where its name can be used."""
    comments: tuple[str, ...] = ()
    cites: tuple[str, ...] = ()
    node: ast.Node = field(default=ast.Node(), compare=False, repr=False)
    """The node that gives it."""


def inside(span: Span, line: int, column: int) -> bool:
    """True if a position lies in a span; its end counts, too."""
    return (span.line, span.column) <= (line, column) <= (span.end_line, span.end_column)


def extent(span: Span) -> tuple[int, int]:
    """A measure by which a span inside another one is the smaller one."""
    return span.end_line - span.line, span.end_column - span.column
