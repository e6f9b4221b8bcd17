"""Proposals of changes, and what several of them need: free names and places for new declarations."""

from __future__ import annotations

import itertools
from dataclasses import dataclass

from rulewright.compiler.symbols.static_types import BUILTINS
from rulewright.diagnostics import Edit, Span
from rulewright.navigation.file_symbols import FileSymbols
from rulewright.navigation.symbol_index import SymbolIndex
from rulewright.syntax import ast, reserved_words

RULES = (
    ast.Query,
    ast.Value,
    ast.Limits,
    ast.Callable,
    ast.Reaction,
    ast.Consequence,
    ast.End,
    ast.Invariant,
    ast.Property,
    ast.Witness,
    ast.ExtendOp,
)
"""Declarations at top level in which something is computed while a game is played."""


@dataclass(frozen=True, slots=True)
class Proposal:
    """A change that can be made."""

    title: str
    edits: tuple[Edit, ...]


def free_name(index: SymbolIndex, wanted: str) -> str:
    """A name that nothing has, as near as possible to the one wanted."""
    taken = {name for kind, name in index.by_name if kind != "scenario"}
    taken |= {text for file in index.files.values() for text in file.by_text}
    names = itertools.chain([wanted], (f"{wanted}_{number}" for number in itertools.count(2)))
    return next(name for name in names if name not in taken and name not in reserved_words() and name not in BUILTINS)


def above(file: FileSymbols, decl: ast.Node, text: str) -> Edit:
    """The edit that puts a declaration above another one, and above the comments that belong to that."""
    lines = file.text.replace("\r\n", "\n").split("\n")
    line = decl.span.line
    while line > 1 and lines[line - 2][:1] in ("#", "@"):
        line -= 1
    return Edit(Span(file.path, line, 1, line, 1), f"{text}\n\n")


def below(file: FileSymbols, line: int, text: str) -> Edit:
    """The edit that puts a line below another one."""
    lines = file.text.replace("\r\n", "\n").split("\n")
    column = len(lines[line - 1]) + 1
    return Edit(Span(file.path, line, column, line, column), f"\n{text}")
