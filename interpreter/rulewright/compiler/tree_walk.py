"""Walks over syntax trees and over the program."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import fields
from functools import cache

from rulewright.foundation import tree_fields
from rulewright.syntax import ast

nodes: Callable[[object], Iterator[ast.Node]] = tree_fields.nodes
"""All nodes of a syntax tree, itself included, in the order written."""


def named_in(node: ast.Node) -> list[str]:
    """All bare words in an expression or another node, each once, in the order written."""
    return list(dict.fromkeys(n.name for n in nodes(node) if isinstance(n, ast.Name)))


def calls_in(node: ast.Node) -> list[str]:
    """The names of all that is called with parentheses somewhere in a node, each once, in the order written."""
    called = (n.operand.name for n in nodes(node) if isinstance(n, ast.Call) and isinstance(n.operand, ast.Name))
    return list(dict.fromkeys(called))


def words(node: ast.Node) -> set[str]:
    """All words in a node, whatever they stand for: names, labels, texts between quotes."""
    found: set[str] = set()
    for one in nodes(node):
        for name in _texts(type(one)):
            held = getattr(one, name)
            if isinstance(held, str):
                found.add(held)
            elif isinstance(held, tuple):
                found.update(word for word in held if isinstance(word, str))
    return found


def _find_texts(kind: type) -> tuple[str, ...]:
    return tuple(
        f.name for f in fields(kind) if f.name not in ("span", "trivia") and str(f.type) not in ("int", "bool")
    )


_texts: Callable[[type], tuple[str, ...]] = cache(_find_texts)
"""The fields of a kind of node in which words can stand."""
