"""Parse trees: the constructs of the grammar, each with its position."""

from __future__ import annotations

from typing import Generic, TypeVar

from rulewright.syntax.lexer.token import Token

Leaf = TypeVar("Leaf")


class Tree(Generic[Leaf]):
    """A construct. Its children are constructs, leaves, and None for optional symbols that were left out."""

    __slots__ = ("children", "data", "first", "last")

    def __init__(self, data: str, children: list[Tree[Leaf] | Leaf | None], first: Token, last: Token) -> None:
        self.data = data
        """The name of the rule, or of its alternative."""
        self.children = children
        self.first = first
        """Its first token, which need not be among the children."""
        self.last = last

    def __repr__(self) -> str:
        return f"Tree({self.data!r}, {self.children!r})"
