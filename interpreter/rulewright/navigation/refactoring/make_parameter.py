"""Making a number a parameter, so that variants and options can set it."""

from __future__ import annotations

from rulewright.diagnostics import Edit
from rulewright.navigation.file_symbols import FileSymbols
from rulewright.navigation.refactoring.proposals import RULES, Proposal, above, below, free_name
from rulewright.navigation.selection import nodes_around
from rulewright.navigation.symbol_index import SymbolIndex
from rulewright.syntax import ast

_BOUNDS = {"AT_MOST": "most", "UP_TO": "most", "AT_LEAST": "least"}
_STATE = (ast.Zone, ast.FieldDecl)


def make_parameter(index: SymbolIndex, file: FileSymbols, line: int, column: int) -> Proposal | None:
    """The change that makes a parameter of the number at a position."""
    around = nodes_around(file, line, column)
    if not around or not isinstance(around[0][0], (*RULES, *_STATE)):
        return None
    top, number = around[0][0], around[-1][0]
    if not isinstance(number, ast.Number) or isinstance(around[-2][0], ast.Tuple):  # coordinates must be numbers
        return None
    owner = index.owner(file, line, column)
    token = file.words.at(line, column)
    clause, at = file.words.clause(token) if token is not None else ((), 0)
    bound = _BOUNDS.get(clause[at - 1].type) if at else None
    name = free_name(index, f"{bound}_{owner}" if bound else f"{owner}_number")
    declared = f"param {name} = {number.value}"
    known = [decl for decl in file.tree.decls if isinstance(decl, ast.Parameter)]
    new = below(file, known[-1].span.end_line, declared) if known else above(file, top, declared)
    return Proposal(f"Make {number.value} a parameter `{name}`", (new, Edit(number.span, name)))


__all__ = ["make_parameter"]
