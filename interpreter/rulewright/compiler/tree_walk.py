"""Walks over syntax trees and over the program."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import fields

from rulewright.syntax import ast

_parts: dict[type, tuple[str, ...]] = {}


def parts_of(kind: type) -> tuple[str, ...]:
    """The fields of a kind of node in which other nodes can stand, the last first: what a stack needs."""
    known = _parts.get(kind)
    if known is None:
        known = _parts[kind] = _find_parts(kind)
    return known


def _find_parts(kind: type) -> tuple[str, ...]:
    found = [f.name for f in reversed(fields(kind)) if f.name not in ("span", "trivia")]
    return tuple(name for name in found if any(f.name == name and _holds(str(f.type)) for f in fields(kind)))


def _holds(type: str) -> bool:
    """Whether a field of this type can hold a node; words, numbers and truths cannot."""
    plain = {"str", "int", "bool", "None", "tuple", "...", "Literal"}
    words = "".join(c if c.isalnum() or c in "_." else " " for c in type if c not in "'\"").split()
    return "Literal" not in words and not set(words) <= plain


def nodes(node: object) -> Iterator[ast.Node]:
    """All nodes of a syntax tree, itself included, in the order written."""
    todo = [node]
    while todo:
        at = todo.pop()
        if isinstance(at, ast.Node):
            yield at
            for name in parts_of(type(at)):
                held = getattr(at, name)
                if isinstance(held, tuple):
                    todo.extend(reversed(held))
                elif held is not None:
                    todo.append(held)
        elif isinstance(at, tuple):
            todo.extend(reversed(at))


def named_in(expr: ast.Expr) -> list[str]:
    """All bare words in an expression, each once, in the order written."""
    return list(dict.fromkeys(n.name for n in nodes(expr) if isinstance(n, ast.Name)))


def calls_in(node: ast.Node) -> list[str]:
    """The names of all that is called with parentheses somewhere in a node, each once, in the order written."""
    called = (n.operand.name for n in nodes(node) if isinstance(n, ast.Call) and isinstance(n.operand, ast.Name))
    return list(dict.fromkeys(called))
