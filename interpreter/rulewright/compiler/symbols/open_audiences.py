"""Sight of everybody as it is written: for lowering, before there is a program."""

from __future__ import annotations

from rulewright.compiler.symbols.symbol_table import SymbolTable
from rulewright.syntax import ast


def is_open(world: SymbolTable, name: str) -> bool:
    """True if everybody always sees all of a zone or field: every face, the value."""
    if name in world.fields:
        return not (audiences := world.fields[name].decl.audiences) or _shows_faces(audiences)
    zone = world.zones[name]
    return zone.decl is None or (not zone.faced and _shows_faces(zone.decl.audiences))


def _shows_faces(audiences: tuple[ast.Audience, ...]) -> bool:
    return any(audience.facet in (None, "face") and _named(audience, "everyone") for audience in audiences)


def is_seen(world: SymbolTable, name: str) -> bool:
    """True if all players, or all who are left, see something of a zone or field; no local is seen by anybody else."""
    if name in world.fields:
        audiences = world.fields[name].decl.audiences
        return not audiences or _seen_by_all(audiences)
    if name in world.zones:
        zone = world.zones[name].decl
        return zone is None or zone.faced is not None or _seen_by_all(zone.audiences)
    return False


def _seen_by_all(audiences: tuple[ast.Audience, ...]) -> bool:
    return any(_named(audience, "everyone", "players") for audience in audiences)


def _named(audience: ast.Audience, *names: str) -> bool:
    return isinstance(audience.by, ast.Name) and audience.by.name in names


__all__ = ["is_open", "is_seen"]
