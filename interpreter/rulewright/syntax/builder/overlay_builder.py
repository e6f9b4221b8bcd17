"""From the parse tree to overlays: variants, changes for numbers of players, and their operations."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Any, Protocol, cast

from rulewright.diagnostics import Span
from rulewright.syntax import ast
from rulewright.syntax.builder.expression_builder import Clauses, ExprBuilder, parts, quoted, text, tree
from rulewright.syntax.builder.statement_builder import StatementBuilder
from rulewright.syntax.lalr.machine import Tree
from rulewright.syntax.lexer.tokens import Token
from rulewright.syntax.tables.parse_tables import words

Node = Tree[Token]

CHANGES = (
    *("set_op", "remove_op", "replace_clause", "replace_modifier", "replace_decl", "insert_op", "replace_step"),
    *("move_op", "unchanged", "set_rows", "add_row", "remove_rows"),
)
"""Operations that stand by themselves, as changes of another ruleset."""
_MANY = ("exactly", "up_to", "between", "any_number", "as_possible")


class Declarations(Protocol):
    """The builder of declarations, as far as overlays hold parts of them."""

    def decl(self, branch: object) -> ast.Decl:
        """Any declaration."""

    def modifier(self, node: Node) -> ast.Modifier:
        """A modifier of a value."""

    def case(self, node: Node) -> ast.Case:
        """One case of a query."""

    def counts(self, branch: object) -> tuple[int, ...]:
        """Numbers of players."""

    def by_count(self, branch: object) -> ast.ByCount:
        """A value for some numbers of players."""


class OverlayBuilder:
    """Builds overlays."""

    def __init__(
        self, expressions: ExprBuilder, clauses: Clauses, statements: StatementBuilder, declarations: Declarations
    ) -> None:
        self._statements, self._declarations = statements, declarations
        self._around, self._span, self._path = clauses.around, expressions.span, expressions.path
        self._expr, self._expr_or_none = expressions.expr, expressions.expr_or_none

    def extend(self, node: Node) -> ast.ExtendOp:
        """A block that extends a declaration of another file."""
        around, (path, *lines) = self._around(node), parts(node)
        clauses = tuple(self._extending(tree(line)) for line in lines)
        return ast.ExtendOp(self._path(path), clauses, **around)

    def cases_for(self, node: Node) -> ast.CasesForOp:
        """A block of arms and cases for some values."""
        around, branches = self._around(node), [tree(branch) for branch in parts(node)]
        ops = tuple(self._own(one) for one in branches if str(one.data).startswith("own"))
        return ast.CasesForOp(tuple(self._expr(one) for one in branches[: -len(ops)]), ops, **around)

    def _own(self, node: Node) -> ast.ExtendOp:
        around, (path, held, *more), span = self._around(node), parts(node), self._span(node)
        clause: ast.Case | ast.Modifier | ast.MoreArms
        if node.data == "own_case":
            clause = ast.Case(self._expr(held), self._expr_or_none(more[0] if more else None), span=span)
        elif node.data == "own_modifier":
            clause = self._modifier([held, *more], span)
        else:
            one_line = tree(held).data != "block"
            body = (self._statements.stmt(tree(held)),) if one_line else self._statements.block(held)
            clause = ast.MoreArms((ast.Arm((), body, one_line, span=span),), span=span)
        return ast.ExtendOp(self._path(path), (clause,), **around)

    def _modifier(self, written: Sequence[Any], span: Span) -> ast.Modifier:
        """A modifier that has its label elsewhere: its word, its value and perhaps its condition."""
        word, value, condition = written
        return ast.Modifier(
            "", cast(Any, words()[word.type]), self._expr(value), self._expr_or_none(condition), span=span
        )

    def _extending(
        self, node: Node
    ) -> ast.Restriction | ast.Modifier | ast.Case | ast.Unless | ast.Option | ast.MoreArms:
        match node.data:
            case "option_one" | "option_bare" | "option":
                return self._statements.option(node)
            case "more_arms":
                return ast.MoreArms(tuple(self._statements.arm(tree(arm)) for arm in parts(node)), **self._around(node))
            case "unless":
                return self._statements.unless(node)
            case "modifier":
                return self._declarations.modifier(node)
            case "case" | "case_otherwise":
                return self._declarations.case(node)
            case _:
                return cast(ast.Restriction, self._statements.stmt(node))

    def with_players(self, node: Node) -> ast.WithPlayers:
        """Changes for some numbers of players."""
        around, (counts, *ops) = self._around(node), parts(node)
        return ast.WithPlayers(self._declarations.counts(counts), tuple(self.op(o) for o in ops), **around)

    def variant(self, node: Node) -> ast.Variant:
        """A variant with its changes."""
        around, (title, of, *rest) = self._around(node), parts(node)
        others = tuple(quoted(one) for one in rest if isinstance(one, Token))
        ops = tuple(self.op(one) for one in rest if isinstance(one, Tree))
        return ast.Variant(quoted(title), self._path(of), ops, others, **around)

    def op(self, node: Node) -> ast.OverlayOp:
        """One line of an overlay."""
        around, c = self._around(node) if node.data not in ("extend", "cases_for") else {}, parts(node)
        match node.data:
            case "set_op":
                return ast.AssignOp(self._path(c[0]), self._expr(c[1]), **around)
            case "remove_op":
                return ast.RemoveOp(self._path(c[0]), **around)
            case "replace_clause" if str(tree(c[1]).data) in _MANY:
                return ast.ReplaceClauseOp(self._path(c[0]), self._statements.many(c[1]), c[2] is not None, **around)
            case "replace_clause":
                value, condition = self._expr(c[1]), self._expr_or_none(c[2])
                part = value if condition is None else ast.Case(value, condition, span=self._span(node))
                return ast.ReplaceClauseOp(self._path(c[0]), part, **around)
            case "replace_modifier":
                return ast.ReplaceClauseOp(self._path(c[0]), self._modifier(c[1:], self._span(node)), **around)
            case "replace_decl":
                return ast.ReplaceDeclOp(self._declarations.decl(c[0]), **around)
            case "add_decl":
                return ast.AddDeclOp(self._declarations.decl(c[0]), **around)
            case "insert_op":
                where: Any = text(c[0])
                return ast.InsertOp(where, self._path(c[1]), self._statements.block(c[2]), **around)
            case "replace_step":
                one_line = tree(c[1]).data != "block"
                body = (self._statements.stmt(tree(c[1])),) if one_line else self._statements.block(c[1])
                return ast.InsertOp("replace", self._path(c[0]), body, one_line, **around)
            case "move_op":
                moved: Any = text(c[-2])
                return ast.MoveOp(self._path(c[-3]), moved, self._path(c[-1]), **around)
            case "unchanged":
                return ast.UnchangedOp(self._path(c[0]), **around)
            case "set_rows":
                rows = self._rows(c[1], many=text(c[0]).endswith("s"))
                return ast.SetRowsOp(rows, self._cells(c[2:]), **around)
            case "add_row":
                return ast.AddRowOp(text(c[1]), self._cells(c[2:]), **around)
            case "remove_rows":
                return ast.RemoveRowsOp(self._rows(c[1], many=text(c[0]).endswith("s")), **around)
            case "cases_for":
                return self.cases_for(node)
            case _:
                return self.extend(node)

    def _rows(self, branch: object, *, many: bool) -> ast.Rows:
        key, kind, where = parts(branch)
        held = None if key is None else quoted(key)
        return ast.Rows(held, text(kind), self._expr_or_none(where), many, span=self._span(tree(branch)))

    def _cells(self, branches: Iterable[object]) -> tuple[ast.Cell, ...]:
        """Cells, each with its values for numbers of players, which stand behind it."""
        found: list[ast.Cell] = []
        for branch in branches:
            if tree(branch).data == "by_count":
                held = found[-1]
                found[-1] = replace(held, by_count=(*held.by_count, self._declarations.by_count(branch)))
            else:
                column, value = parts(branch)
                span = self._span(tree(branch))
                found.append(ast.Cell(text(parts(column)[0]), self._expr(value), span=span))
        return tuple(found)
