"""Spans of clauses in their file, and the comments and citations that belong to them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from rulewright.diagnostics import Span
from rulewright.syntax.ast import NO_TRIVIA, Trivia
from rulewright.syntax.builder.expression_builder import ExprBuilder, tree
from rulewright.syntax.lalr.machine import Tree
from rulewright.syntax.lexer.logical_lines import Line
from rulewright.syntax.lexer.tokens import Token


class Clauses:
    """Gives each clause the trivia of the line on which it begins, once."""

    def __init__(self, lines: Mapping[int, Line], expressions: ExprBuilder) -> None:
        self.lines, self.span, self.between = lines, expressions.span, expressions.between
        self.taken: set[int] = set()

    def clause(self, node: Tree[Token]) -> tuple[Span, Trivia]:
        """The place and trivia of a clause. Of two on one line the outer one comes first and has it all."""
        line = self.lines.get(node.first.line)
        if line is None or line.number in self.taken:
            return self.span(node), NO_TRIVIA
        self.taken.add(line.number)
        return self.between(line.tokens[0], line.tokens[-1]), line.trivia()

    def around(self, node: Tree[Token], **inner: object) -> dict[str, Any]:
        """Span and trivia as keywords for a clause; `inner` are the lines that belong to it."""
        span, trivia = self.clause(node)
        lines = [(label, *self.clause(tree(branch))) for label, branch in inner.items() if branch is not None]
        if not lines:
            return {"span": span, "trivia": trivia}
        held = tuple((label, of_line) for label, _, of_line in lines if of_line != NO_TRIVIA)
        cites = trivia.cites + tuple(cite for _, of_line in held for cite in of_line.cites)
        places = tuple((label, at) for label, at, _ in lines)
        return {"span": span, "trivia": replace(trivia, cites=cites, inner=held, places=places)}
