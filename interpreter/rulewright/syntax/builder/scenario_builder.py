"""Builds the syntax tree of scenarios."""

from __future__ import annotations

from dataclasses import replace
from typing import Any, cast

from rulewright.syntax import ast
from rulewright.syntax.builder.expression_builder import (
    Clauses,
    ExprBuilder,
    names,
    parts,
    quoted,
    text,
    text_or_none,
    tree,
)
from rulewright.syntax.builder.statement_builder import StatementBuilder, face_of
from rulewright.syntax.lalr.machine import Tree

Node = Tree[Any]


class ScenarioBuilder:
    """Makes scenarios of their parse trees."""

    def __init__(self, expressions: ExprBuilder, clauses: Clauses, statements: StatementBuilder) -> None:
        self.around, self.span = clauses.around, expressions.span
        self.expr, self.expr_or_none, self.path = expressions.expr, expressions.expr_or_none, expressions.path
        self.sources = expressions.sources
        self.stmt = statements.stmt

    def scenario(self, node: Node) -> ast.Scenario:
        """A scenario with its lines."""
        around, (title, *lines) = self.around(node), parts(node)
        return ast.Scenario(quoted(title), tuple(self.scenario_line(tree(s)) for s in lines), **around)

    def scenario_line(self, node: Node) -> ast.ScenarioLine:
        """One line of a scenario."""
        if node.data == "let_line":
            return cast(ast.Let, self.stmt(node.children[0]))
        if node.data == "s_draw":
            return self._drawing(node)
        around, c = self.around(node), parts(node)
        match node.data:
            case "s_players":
                return ast.SPlayers(names(c[0]), **around)
            case "s_from":
                return ast.SFrom(quoted(c[0]), **around)
            case "s_variant":
                return ast.SVariant(quoted(c[0]), **around)
            case "s_set":
                return ast.SSet(self.path(c[0]), self.expr(c[1]), **around)
            case "s_put":
                amount, *held, zone, face, side, each = c
                count = None if amount is None else int(amount)
                up = text_or_none(side)
                return ast.SPut(
                    count, tuple(map(quoted, held)), self.expr(zone), face_of(face), up, *self._each(each), **around
                )
            case "s_given":
                *settings, each = c
                return ast.SGiven(tuple(self._setting(s) for s in settings), *self._each(each), **around)
            case "s_merge":
                return ast.Merge(self.expr(c[0]), self.expr(c[1]), **around)
            case "s_start":
                return ast.SStart(self.expr(c[0]), **around)
            case "s_when":
                return ast.SWhen(text(c[0]), tuple(self._answer(a) for a in c[1:]), **around)
            case "s_may":
                return ast.SWhen(text(c[0]), tuple(self._answer(a) for a in c[1:]), may=True, **around)
            case "s_chance":
                return ast.SChance(tuple(self._fate(a) for a in c), **around)
            case "s_then":
                return ast.SThen(tuple(self.expr(e) for e in c), **around)
            case "s_refused":
                because = None if c[2] is None else self.path(c[2])
                return ast.SRefused(text(c[0]), self._answer(c[1]), because, **around)
            case "s_offered":
                return ast.SOffered(text(c[0]), text(c[1]), self.expr(c[2]), **around)
            case "s_seen":
                word, who, *values = c
                hidden = word.type == "HIDDEN"
                return ast.SSeen(text(who), tuple(self.expr(e) for e in values), hidden, **around)
            case "s_wins":
                return ast.SWins(tuple(self.expr(e) for e in c), **around)
            case "s_payoff":
                return ast.SPayoff(tuple(self._payoff(p) for p in c), **around)
            case "s_out":
                return ast.SOut(names(c[1]), **around)
            case _:
                raise AssertionError(node.data)

    def _drawing(self, node: Node) -> ast.SDraw:
        target, *below = parts(node)
        signs = [tree(b) for b in below if tree(b).data == "sign"]
        rows = [tree(b) for b in below if tree(b).data == "drawn"]
        around = self.around(node, **{f"row {number}": row for number, row in enumerate(rows)})
        return ast.SDraw(
            self.expr(target),
            tuple(self._sign(sign) for sign in signs),
            tuple(ast.DrawnRow(quoted(parts(row)[0]), span=self.span(row)) for row in rows),
            **around,
        )

    def _sign(self, branch: Node) -> ast.Sign:
        sign, value = parts(branch)
        written = quoted(sign) if sign.type == "STRING" else text(sign)
        return ast.Sign(written, self.expr(value), span=self.span(branch))

    def _payoff(self, branch: object) -> ast.PayoffOf:
        who, value, *of = parts(branch)
        return ast.PayoffOf(
            self.expr(who), self.expr(value), self.expr(of[0]) if of else None, span=self.span(tree(branch))
        )

    def _setting(self, branch: object) -> ast.Setting:
        target, value = parts(branch)
        return ast.Setting(self.expr(target), self.expr(value), span=self.span(tree(branch)))

    def _each(self, branch: object) -> tuple[tuple[ast.Bind, ...], ast.Expr | None]:
        found = self.sources(branch)
        if not found or found[-1].leading:
            return found, None
        *binds, last = found
        return (*binds, replace(last, where=None)), last.where

    def _answer(self, branch: object) -> ast.Answer:
        name, value = parts(branch)
        return ast.Answer(text(name), self.expr_or_none(value), span=self.span(tree(branch)))

    def _fate(self, branch: object) -> ast.Answer:
        name, keys, value = parts(branch)
        index = () if keys is None else tuple(self.expr(key) for key in parts(keys))
        return ast.Answer(text(name), self.expr_or_none(value), index, span=self.span(tree(branch)))
