"""Types as they are written, and those that operators and built-in functions give."""

from __future__ import annotations

from collections.abc import Iterable
from typing import assert_never

from rulewright.compiler.symbols.static_types import BuiltIn
from rulewright.syntax import ast

BOOL, INT, PLAYER = ast.NamedType("Bool"), ast.NamedType("Int"), ast.NamedType("Player")


def element_of(type: ast.TypeExpr | None) -> ast.TypeExpr | None:
    """The type of the members of a set or list; of anything else itself, as a party is a set of players."""
    type = present(type)
    return type.element if isinstance(type, ast.SetType | ast.ListType) else type


def present(type: ast.TypeExpr | None) -> ast.TypeExpr | None:
    """A type without ``or none``."""
    return type.base if isinstance(type, ast.OptionalType) else type


def prefix_type(op: ast.UnaryOp) -> ast.TypeExpr:
    """The type of what a prefix operator gives."""
    match op:
        case "not":
            return BOOL
        case "-":
            return INT
        case "clockwise from":
            return ast.ListType(PLAYER)
        case _:
            assert_never(op)


def built_in_type(name: BuiltIn, given: ast.TypeExpr | None) -> ast.TypeExpr | None:
    """The type of a call of a built-in function, from that of its first argument."""
    held = element_of(given)
    match name:
        case "size" | "distance" | "slot" | "seen_before":
            return INT
        case "possible" | "on_board" | "in_game" | "connected":
            return BOOL
        case "player_of":
            return ast.OptionalType(PLAYER)
        case "single" | "last" | "top" | "bottom" | "towards":
            return None if held is None else ast.OptionalType(held)
        case "ray":
            return None if held is None else ast.ListType(held)
        case "old" | "ahead" | "boundary" | "rim" | "corners" | "opposite" | "rotated":
            return given
        case "place" | "holder" | "side" | "places" | "edges_around":
            return None  # it hangs on zones, sides and maps, which are not looked at here
        case _:
            assert_never(name)


def first_of(types: Iterable[ast.TypeExpr | None]) -> ast.TypeExpr | None:
    """The first type that can be seen."""
    return next((type for type in types if type is not None), None)


def name_of_type(type: ast.TypeExpr | None) -> str:
    """The name of a type, or of the members of a set or list; empty if it has none."""
    found = element_of(type)
    return found.name if isinstance(found, ast.NamedType) else ""
