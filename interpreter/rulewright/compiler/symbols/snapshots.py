"""Symbols that games have in common before their rules are lowered: those of all declarations that are not rules.

Games for different variants and options mostly declare the same pieces, maps, zones and fields. Their symbols depend on
the number of players, on these declarations, on what they find named before (:class:`Snapshot.begun`) and on the
parameters whose values they read. If all of this is the same, the symbols of an earlier game are taken over.
"""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from copy import copy
from dataclasses import fields

from rulewright.compiler.symbols.symbol_table import SymbolTable
from rulewright.compiler.symbols.symbols import PieceRows
from rulewright.ir import model as m
from rulewright.lazy_dataclass import dataclass
from rulewright.syntax import ast

BY_NAME = (
    *(ast.Parameter, ast.Query, ast.Value, ast.Limits, ast.End, ast.Consequence),
    *(ast.Invariant, ast.Property, ast.Witness),
)
"""Declarations that are no symbols before rules are lowered, or that are compared by their values."""

Decls = Mapping[str, ast.Decl]
"""The declarations of a game by name."""

OWN = frozenset(("report", "params", "query_decls", "queries", "reads", "asked"))
"""Fields that each game has for itself."""


@dataclass(frozen=True, slots=True)
class Snapshot:
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

    def __init__(self) -> None:
        self._kept: dict[Hashable, list[Snapshot]] = {}

    def find(self, decls: Decls, world: SymbolTable) -> Snapshot | None:
        """The symbols of an earlier game, if a game with these parameters declares the same."""
        for snapshot in self._kept.get(_key(decls, world), ()):
            if snapshot.begun == world.universes and all(world.params.get(n) == v for n, v in snapshot.reads.items()):
                return snapshot
        return None

    def keep(self, decls: Decls, world: SymbolTable, begun: dict[str, m.Universe], rows: PieceRows) -> None:
        """Keep what a game has declared; `world.reads` are the parameters that it has read on the way."""
        reads: dict[str, object] = {name: world.params[name] for name in sorted(world.reads)}
        snapshot = Snapshot(_held(decls), begun, reads, _copied(world), rows)
        self._kept.setdefault(_key(decls, world), []).append(snapshot)

    @staticmethod
    def restore(snapshot: Snapshot, world: SymbolTable) -> None:
        """Give a game the symbols of an earlier one."""
        known = _copied(snapshot.world)
        for name in (f.name for f in fields(world) if f.name not in OWN):
            setattr(world, name, getattr(known, name))


def _copied(world: SymbolTable) -> SymbolTable:
    """The same symbols. Types without a name are added to them while rules are lowered, and nothing else."""
    made = copy(world)
    for name in (f.name for f in fields(world) if f.name not in OWN):
        held = getattr(world, name)
        setattr(made, name, dict(held) if isinstance(held, dict) else held)
    return made


def _held(decls: Decls) -> tuple[object, ...]:
    return tuple(d for d in decls.values() if not isinstance(d, BY_NAME))


def _key(decls: Decls, world: SymbolTable) -> Hashable:
    return world.player_count, tuple(map(id, _held(decls)))


__all__ = ["BY_NAME", "OWN", "Snapshot", "Snapshots"]
