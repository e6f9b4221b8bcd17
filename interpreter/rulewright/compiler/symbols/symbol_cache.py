"""Symbols that games have in common before their rules are lowered: those of all declarations that are not rules.

Games for different variants and options mostly declare the same pieces, maps, zones and fields. Their symbols depend on
the number of players, on these declarations, on the signatures of procedures, on what they find named before
(:class:`SymbolCache.begun`) and on the parameters whose values they read. If all of this is the same, the symbols of an
earlier game are taken over.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping
from copy import copy
from dataclasses import fields, replace

from rulewright.compiler.symbols.symbol_table import SymbolTable
from rulewright.compiler.symbols.symbols import PieceRows
from rulewright.foundation.lazy_dataclass import dataclass
from rulewright.ir import model as m
from rulewright.syntax import ast

BY_NAME = (
    *(ast.Parameter, ast.Query, ast.Value, ast.Limits, ast.End, ast.Consequence),
    *(ast.Invariant, ast.Property, ast.Witness),
)
"""Declarations that are no symbols before rules are lowered, or that are compared by their values."""

MOST = 128
"""Snapshots for so many sets of declarations are kept, those made last."""

Decls = Mapping[str, ast.Decl]
"""The declarations of a game by name."""

OWN = frozenset(("report", "params", "keyed", "query_decls", "queries", "reads", "lookups"))
"""Fields that each game has for itself."""


@dataclass(frozen=True, slots=True)
class SymbolCache:
    """The symbols of one game, when it had just declared them."""

    held: tuple[object, ...]
    """The declarations: kept, so that their identities stay theirs."""
    begun: dict[str, m.Universe]
    """Players, enums and dice, and the types of parameters."""
    reads: dict[str, object]
    """The parameters that were read, with their types and values."""
    world: SymbolTable
    rows: PieceRows


class Snapshots:
    """The snapshots of a ruleset."""

    def __init__(self, signatures: Callable[[Decls], int]) -> None:
        self._kept: dict[Hashable, list[SymbolCache]] = {}
        self.signatures = signatures
        """A number for the signatures of the procedures of a game."""

    def find(self, decls: Decls, world: SymbolTable) -> SymbolCache | None:
        """The symbols of an earlier game, if a game with these parameters declares the same."""
        for snapshot in self._kept.get(self.key(decls, world), ()):
            if snapshot.begun == world.universes and all(world.params.get(n) == v for n, v in snapshot.reads.items()):
                return snapshot
        return None

    def keep(self, decls: Decls, world: SymbolTable, begun: dict[str, m.Universe], rows: PieceRows) -> None:
        """Keep what a game has declared; `world.reads` are the parameters that it has read on the way."""
        reads: dict[str, object] = {name: world.params[name] for name in sorted(world.reads)}
        snapshot = SymbolCache(held_declarations(decls), begun, reads, _copied(world), rows)
        while len(self._kept) > MOST:
            del self._kept[next(iter(self._kept))]
        self._kept.setdefault(self.key(decls, world), []).append(snapshot)

    def key(self, decls: Decls, world: SymbolTable) -> Hashable:
        """A key that is the same for games that declare the same."""
        return world.player_count, self.signatures(decls), world.stand_ins, tuple(map(id, held_declarations(decls)))

    @staticmethod
    def restore(snapshot: SymbolCache, decls: Decls, world: SymbolTable) -> None:
        """Give a game the symbols of an earlier one, and its own procedures."""
        known = _copied(snapshot.world)
        for name in (f.name for f in fields(world) if f.name not in OWN):
            setattr(world, name, getattr(known, name))
        for name, info in world.calls.items():
            decl = decls[name]
            if info.decl is not decl and isinstance(decl, ast.Callable):
                world.calls[name] = replace(info, decl=decl)


def _copied(world: SymbolTable) -> SymbolTable:
    """A copy of the symbols. Types without a name are added to them while rules are lowered, and nothing else."""
    made = copy(world)
    for name in (f.name for f in fields(world) if f.name not in OWN):
        held = getattr(world, name)
        setattr(made, name, dict(held) if isinstance(held, dict) else held)
    return made


def held_declarations(decls: Decls) -> tuple[ast.Decl, ...]:
    """The declarations that are compared by identity."""
    return tuple(d for d in decls.values() if not isinstance(d, (ast.Callable, *BY_NAME)))
