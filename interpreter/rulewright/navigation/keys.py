"""The keys of pieces and places, as scenarios write them in quotes: from tables and maps, without compiling."""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterator
from contextlib import suppress

from rulewright.diagnostics import RulesetError
from rulewright.navigation.declared_types import DeclaredTypes
from rulewright.navigation.symbol_index import SymbolIndex
from rulewright.navigation.written_types import name_of_type
from rulewright.syntax import ast

_HOLE = re.compile(r"\{(\w+)\}")
_MOST = 2000
"""Keys that are listed at most."""


def piece_keys(index: SymbolIndex, players: list[str]) -> list[str]:
    """The keys of all pieces whose attributes stand in tables; those of players with these names."""
    found: dict[str, None] = {}
    types = DeclaredTypes(index)
    nodes = [of[0].node for of in index.declarations.values()]
    for node in nodes:
        if isinstance(node, ast.Piece) and node.table is not None:
            with suppress(RulesetError, OSError):
                found |= dict.fromkeys(itertools.islice(_keys_of(index, types, node, players), _MOST))
    return list(found)


def _keys_of(index: SymbolIndex, types: DeclaredTypes, node: ast.Piece, players: list[str]) -> Iterator[str]:
    kinds = [of[0].node for name in types.bases(node.name) if (of := index.declared_as(name))]
    chain = [kind for kind in kinds if isinstance(kind, ast.Piece)]
    template = next((kind.named for kind in chain if kind.named is not None), node.name.lower())
    of_players = {a.name for kind in chain for a in kind.attributes if name_of_type(a.type) in _parties(index)}
    holes = _HOLE.findall(template)
    for cells in index.ruleset.table(node.table or "", node.span).rows:
        choices = [players if hole in of_players else _texts(cells.get(hole)) for hole in holes]
        for values in itertools.product(*choices):
            texts = dict(zip(holes, values, strict=True))
            yield _HOLE.sub(lambda hole, texts=texts: texts[hole[1]], template)  # type: ignore[misc]


def _parties(index: SymbolIndex) -> set[str]:
    nodes = [of[0].node for of in index.declarations.values()]
    return {"Player", *(node.name for node in nodes if isinstance(node, ast.Party))}


def _texts(cell: object) -> list[str]:
    """The texts that a cell can be written as in a key; none if it cannot be seen here."""
    if isinstance(cell, dict):
        return list(dict.fromkeys(text for one in cell.values() for text in _texts(one)))
    if isinstance(cell, bool):
        return [str(cell).lower()]
    return [str(cell)] if isinstance(cell, str | int) else []


def place_keys(index: SymbolIndex) -> list[str]:
    """The keys of the places of rings and graphs; those of grids and hexes are written in brackets."""
    found: dict[str, None] = {}
    for of in index.declarations.values():
        node = of[0].node
        if isinstance(node, ast.MapDecl):
            if node.shape == "ring" and node.sizes and isinstance(node.sizes[0], ast.Number):
                found |= dict.fromkeys(str(number) for number in range(1, min(node.sizes[0].value, _MOST) + 1))
            elif node.shape == "graph" and node.table is not None:
                with suppress(RulesetError, OSError):
                    found |= dict.fromkeys(map(str, index.ruleset.map_file(node.table, node.span).graph.nodes))
    return list(found)


__all__ = ["piece_keys", "place_keys"]
