"""What the parser makes of tokens: a tree of the constructs of the grammar, in which each knows its place."""

from __future__ import annotations

from typing import Generic, TypeVar

from rulewright.syntax.lexer.token import Token

Leaf = TypeVar("Leaf")


class Tree(Generic[Leaf]):
    """A construct. Its children are constructs, leaves, and None for what may be left out and was."""

    __slots__ = ("children", "data", "first", "last")

    def __init__(self, data: str, children: list[Tree[Leaf] | Leaf | None], first: Token, last: Token) -> None:
        self.data = data
        """The name of the rule, or of its alternative."""
        self.children = children
        self.first = first
        """The token with which it begins, which need not be among the children."""
        self.last = last

    def __repr__(self) -> str:
        return f"Tree({self.data!r}, {self.children!r})"
