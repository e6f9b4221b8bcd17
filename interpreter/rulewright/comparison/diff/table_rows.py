"""The rows of tables and map files, as parts of the declaration that reads them."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping
from functools import partial
from typing import Any

from rulewright.comparison.diff.clause_tree import Part
from rulewright.compiler.overlays.declaration_set import Rules
from rulewright.data import maps
from rulewright.data.component_tables import for_players
from rulewright.data.ruleset import Ruleset
from rulewright.diagnostics import Span
from rulewright.syntax import ast

Cells = dict[str, str]
"""The values of a row by their columns, as they are shown."""


def columns(rules: Rules, name: str) -> set[str]:
    """The printed attributes of a declaration, inherited ones too; those of places and edges for a map."""
    decl = rules.decls.get(name)
    attributes: list[ast.Attribute] = []
    match decl:
        case ast.EnumDecl():
            attributes += decl.attributes
        case ast.Piece():
            attributes += [a for kind in _kinds(rules, decl) for a in kind.attributes]
        case ast.MapDecl(place=place, edges=edges):
            for of in (rules.decls.get(place), rules.decls.get(edges or "")):
                attributes += of.attributes if isinstance(of, ast.Place) else ()
        case _:
            pass  # it has no columns
    return {a.name for a in attributes if a.value is None}


def template(rules: Rules, name: str) -> str:
    """The template for the names of pieces of a kind; empty if it is no kind of piece."""
    decl = rules.decls.get(name)
    if not isinstance(decl, ast.Piece):
        return ""
    return next((kind.named for kind in _kinds(rules, decl) if kind.named is not None), decl.name.lower())


def rows(ruleset: Ruleset, decl: ast.Decl, read: set[str], named: str, count: int) -> tuple[Part, ...] | None:
    """The rows of a declaration's table with `count` players; None if it is no table's.

    Of the columns those in `read` are told; a row of pieces is called as the template `named` says.
    """
    match decl:
        case ast.EnumDecl(table=None, values=values):
            return tuple(_row(value, {}, decl.span) for value in values)
        case ast.EnumDecl():
            return _values(ruleset, decl, read, count)
        case ast.Piece() if decl.table is not None:
            return _pieces(ruleset, decl, read, named, count)
        case ast.MapDecl() if decl.table is not None:
            return _places(ruleset, decl, read, count)
    return None


def _kinds(rules: Rules, decl: ast.Piece) -> list[ast.Piece]:
    """A kind and those it is one of, the closest first."""
    found = [decl]
    while isinstance(above := rules.decls.get(found[-1].base or ""), ast.Piece) and above not in found:
        found.append(above)
    return found


def _values(ruleset: Ruleset, decl: ast.EnumDecl, read: set[str], count: int) -> tuple[Part, ...]:
    table = ruleset.table_of(decl)
    named = "name" if "name" in table.columns else decl.name.lower()
    found: dict[str, Part] = {}
    for number, row in enumerate(table.rows):
        name = str(row.get(named))
        cells = {c: cell_text(for_players(row.get(c), count)) for c in sorted(read - {named})}
        found.setdefault(name, _row(name, cells, table.span(number)))
    return tuple(found.values())


def _pieces(ruleset: Ruleset, decl: ast.Piece, read: set[str], named: str, count: int) -> tuple[Part, ...]:
    # Alike rows are one, and a row that stands for no piece is none: how a table is cut into rows says nothing.
    table = ruleset.table_of(decl)
    amounts: Counter[tuple[tuple[str, str], ...]] = Counter()
    spans: dict[tuple[tuple[str, str], ...], Span] = {}
    for number, row in enumerate(table.rows):
        printed = tuple((column, cell_text(for_players(row.get(column), count))) for column in sorted(read))
        amounts[printed] += table.count(number, count)
        spans.setdefault(printed, table.span(number))
    found = []
    for printed, amount in sorted(amounts.items()):
        if amount > 0:
            cells = dict(printed)
            key = " ".join(_HOLE.sub(partial(_filled, cells), named).split())
            found.append(_row(key, cells | {"count": str(amount)}, spans[printed]))
    return tuple(found)


_HOLE = re.compile(r"\{(\w+)\}")


def _filled(cells: Cells, hole: re.Match[str]) -> str:
    return cells.get(hole[1], "")  # what is computed stands in no row


def _places(ruleset: Ruleset, decl: ast.MapDecl, read: set[str], count: int) -> tuple[Part, ...]:
    file = ruleset.map_file(decl.table or "", decl.span)
    graph = file.graph

    def cells(held: Mapping[str, Any]) -> Cells:
        return {name: cell_text(for_players(held[name], count)) for name in sorted(read) if name in held}

    found = [_row(key, cells(graph.nodes[key]), file.place_span(key)) for key in maps.places(graph)]
    edges = sorted(((min(a, b), max(a, b)), held) for a, b, held in graph.edges())
    found += [_row("|".join(ends), cells(held), file.edge_span(held["ends"])) for ends, held in edges]
    return tuple(found)


def _row(name: str, cells: Cells, span: Span) -> Part:
    cells_text = ", ".join(f"{column} {value}" for column, value in cells.items())
    return Part("row", cells_text or f'"{name}"', name, (), (), span, cells, f'"{name}": {cells_text}')


def cell_text(value: object) -> str:
    """A cell as rules write it."""
    match value:
        case None:
            return "none"
        case bool():
            return "true" if value else "false"
        case list():
            return f"[{', '.join(_listed(value))}]"
        case dict():
            return f"{{{', '.join(f'{key}: {cell_text(held)}' for key, held in value.items())}}}"
        case _:
            return str(value)


def _listed(values: Iterable[object]) -> list[str]:
    return [cell_text(value) for value in values]
