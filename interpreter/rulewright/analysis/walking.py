"""Walks over syntax trees and over the program."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import fields, is_dataclass

from rulewright.syntax import ast


def nodes(node: object) -> Iterator[ast.Node]:
    """All nodes of a syntax tree, itself included, in the order written."""
    todo = [node]
    while todo:
        at = todo.pop()
        if isinstance(at, tuple):
            todo.extend(reversed(at))
        elif isinstance(at, ast.Node) and is_dataclass(at):
            yield at
            todo.extend(getattr(at, f.name) for f in reversed(fields(at)) if f.name not in ("span", "trivia"))


def named_in(expr: ast.Expr) -> list[str]:
    """All bare words in an expression, each once, in the order written."""
    return list(dict.fromkeys(n.name for n in nodes(expr) if isinstance(n, ast.Name)))


def calls_in(node: ast.Node) -> list[str]:
    """The names of all that is called with parentheses somewhere in a node, each once, in the order written."""
    called = (n.operand.name for n in nodes(node) if isinstance(n, ast.Call) and isinstance(n.operand, ast.Name))
    return list(dict.fromkeys(called))
