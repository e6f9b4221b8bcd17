"""From the parse tree to typed expressions and types."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from typing import Any, Literal, cast

from rulewright.diagnostics import Report, Span
from rulewright.diagnostics.anchored_spans import AnchoredSpan
from rulewright.foundation import limits
from rulewright.foundation.line_anchors import Anchor
from rulewright.syntax import ast
from rulewright.syntax.ast import NO_TRIVIA, Trivia
from rulewright.syntax.lalr.machine import END, Tree, machine, names_in
from rulewright.syntax.lexer.logical_lines import Line, read_lines, unreserve_stop
from rulewright.syntax.lexer.tokens import Token
from rulewright.syntax.tables.parse_tables import EXPRESSION, words

Branch = Tree[Token] | Token


class TooDeep(Exception):
    """An expression that no reader could follow, and no recursive function either."""

    def __init__(self, span: Span) -> None:
        super().__init__("too deep")
        self.span = span


def tree(branch: object) -> Tree[Token]:
    """This is known to be an inner node."""
    assert isinstance(branch, Tree), branch
    return branch


def parts(branch: object) -> list[Any]:
    """The children of an inner node; nothing for what was left out."""
    return [] if branch is None else tree(branch).children


def text(token: object) -> str:
    """The text of a leaf."""
    assert isinstance(token, Token), token
    return token.value


def text_or_none(token: object) -> str | None:
    """The text of a leaf that may be left out."""
    return None if token is None else text(token)


def quoted(token: object) -> str:
    """The text between quotes."""
    return text(token)[1:-1]


def names(branch: object) -> tuple[str, ...]:
    """A list of names."""
    return tuple(text(t) for t in parts(branch))


class ExprBuilder:
    """Builds expressions, types and what else stands inside of a line."""

    def __init__(self, file: str, anchor: Anchor | None = None) -> None:
        self.file = file
        self.anchor = anchor
        """The anchor that lines are counted from; without one, from the beginning of the file."""
        self.depth = 0

    def span(self, branch: Branch) -> Span:
        """The span of an expression, without the brackets around it."""
        first, last = (branch, branch) if isinstance(branch, Token) else (branch.first, branch.last)
        return self.between(first, last)

    def between(self, first: Token, last: Token) -> Span:
        """The span from one token to another one."""
        if self.anchor is None:
            return Span(self.file, first.line, first.column, last.line, last.end_column)
        return AnchoredSpan(self.file, self.anchor, first.line, first.column, last.line, last.end_column)

    def path(self, branch: object) -> ast.Path:
        """A name within names, as overlays and scenarios write it."""
        return ast.Path(names(branch), span=self.span(tree(branch)))

    # ------------------------------------------------------------------ expressions

    def expr(self, branch: object) -> ast.Expr:
        """Any expression."""
        node = tree(branch)
        self.depth += 1
        if self.depth > limits.EXPRESSION_DEPTH:
            raise TooDeep(self.span(node))
        try:
            return self._expr(node)
        finally:
            self.depth -= 1

    def expr_or_none(self, branch: object) -> ast.Expr | None:
        """An expression that may be left out."""
        return None if branch is None else self.expr(branch)

    def exprs(self, branch: object) -> tuple[ast.Expr, ...]:
        """The expressions of an ``args`` node."""
        return tuple(self.expr(e) for e in parts(branch))

    def _expr(self, node: Tree[Token]) -> ast.Expr:
        span, c = self.span(node), cast(list[Any], node.children)
        match node.data:
            case "name":
                return ast.Name(text(c[0]), span=span)
            case "universe":
                return ast.TypeName(text(c[0]), span=span)
            case "number":
                return ast.Number(_whole(c[0]), span=span)
            case "key":
                return ast.StringLiteral(quoted(c[0]), span=span)
            case "none":
                return ast.NoneValue(span=span)
            case "truth":
                return ast.BoolLiteral(text(c[0]) == "true", span=span)
            case "dot":
                return ast.Dot(self.expr(c[0]), text(c[1]), span=span)
            case "at":
                return ast.Index(self.expr(c[0]), self.exprs(c[1]), span=span)
            case "built_in_event":
                return ast.Call(ast.Name(text(c[0]), span=self.span(c[0])), self.exprs(c[1]), span=span)
            case "call":
                return ast.Call(self.expr(c[0]), self.exprs(c[1]), span=span)
            case "if_else":
                return ast.IfElse(self.expr(c[0]), self.expr(c[1]), self.expr(c[2]), span=span)
            case "is_a" | "is_not_a" as data:
                return ast.IsA(self.expr(c[0]), text(c[-1]), data == "is_not_a", span=span)
            case "is_empty" | "is_not_empty" as data:
                return ast.IsEmpty(self.expr(c[0]), data == "is_not_empty", span=span)
            case "after_op":
                operand = self.expr(c[0])
                for done in reversed(c[2::2]):  # what is done last is done in the position after all others
                    operand = ast.After(operand, self.expr(done), span=span)
                return operand
            case "divide":
                rounded: Literal["up", "down"] = "up" if c[2].type == "ROUNDED_UP" else "down"
                return ast.Divide(self.expr(c[0]), self.expr(c[1]), rounded, span=span)
            case "not_op":
                return ast.Unary("not", self.expr(c[0]), span=span)
            case "minus_op":
                return ast.Unary("-", self.expr(c[0]), span=span)
            case "clockwise":
                return ast.Unary("clockwise from", self.expr(c[-1]), span=span)
            case "tuple":
                return ast.Tuple(tuple(self.expr(e) for e in c), span=span)
            case "entry":
                name = ast.Name(str(c[0]), span=self.span(c[0])) if isinstance(c[0], Token) else self.expr(c[0])
                return ast.Entry(name, self.expr(c[1]), span=span)
            case "set":
                return ast.SetOf(tuple(self.expr(e) for e in c if e is not None), span=span)
            case "list":
                return ast.ListOf(self.exprs(c[0]), span=span)
            case "range":
                return ast.Range(self.expr(c[0]), self.expr(c[-1]), span=span)
            case "listed_range":
                return ast.Range(self.expr(c[0]), self.expr(c[-1]), True, span=span)
            case "is_op" | "is_not_op" as data if _is_word(c[-1], "empty"):  # on two lines, or in brackets
                return ast.IsEmpty(self.expr(c[0]), data == "is_not_op", span=span)
            case data if data in _BINARY or data in ("sum_op", "product_op", "order_op"):
                op = cast(Any, _BINARY.get(data) or " ".join(text(c[1]).split()))
                return ast.Binary(op, self.expr(c[0]), self.expr(c[-1]), span=span)
            case _:
                return self._collection(node, span, c)

    def _collection(self, node: Tree[Token], span: Span, c: list[Any]) -> ast.Expr:
        match node.data:
            case "filter":
                return ast.Comprehension(None, *self.gen(c[0]), span=span)
            case "collect":
                return ast.Comprehension(self.expr(c[0]), *self.gen(c[1]), span=span)
            case "listed_collect":
                return ast.Comprehension(self.expr(c[0]), *self.gen(c[1]), listed=True, span=span)
            case "agg_gen":
                return ast.Aggregate(_aggregate(c[0]), None, *self.gen(c[1]), span=span)
            case "agg_set":
                return ast.Aggregate(_aggregate(c[0]), self.expr(c[1]), (), None, span=span)
            case "agg_for":
                return ast.Aggregate(_aggregate(c[0]), self.expr(c[1]), *self.gen(c[2]), span=span)
            case "ranked":
                kind: Literal["best", "sorted"] = "best" if c[0].type == "BEST" else "sorted"
                return ast.Ranked(kind, *self.bind_where(c[1]), self.expr(c[2]), span=span)
            case "every":
                return ast.Every(*self.bind_where(c[0]), self.expr(c[1]), span=span)
            case "reach":
                within, across, where = c[1:]
                return ast.Reach(
                    self.expr(c[0]),
                    self.expr_or_none(within),
                    text_or_none(across),
                    self.expr_or_none(where),
                    span=span,
                )
            case "reach_by":
                within, by, to = c[1:]
                start, limit = self.expr(c[0]), self.expr_or_none(within)
                return ast.Reach(start, limit, None, None, text(by), self.expr(to), span=span)
            case _:
                raise AssertionError(node.data)

    def gen(self, branch: object) -> tuple[tuple[ast.Bind, ...], ast.Expr | None, ast.Leading]:
        """``x in S where C, y in T where D``, without what stands behind the last source; that; and the word that
        stands there for ``where``, if it is another one."""
        *binds, last = parts(branch)
        bind, word, where = parts(last)
        return (*map(self.source, binds), self.bind(bind)), self.expr_or_none(where), _leading(word)

    def sources(self, branch: object) -> tuple[ast.Bind, ...]:
        """``x in S where C, y in T``."""
        return tuple(self.source(one) for one in parts(branch))

    def source(self, branch: object) -> ast.Bind:
        """``x in S where C``."""
        bind, word, where = parts(branch)
        found = self.bind(bind)
        if where is None:
            return found
        return replace(found, where=self.expr(where), leading=_leading(word), span=self.span(tree(branch)))

    def bind(self, branch: object) -> ast.Bind:
        """``x: Kind in S``."""
        binder, source = parts(branch)
        return ast.Bind(*self.binder(binder), self.expr(source), span=self.span(tree(branch)))

    def bind_or_none(self, branch: object) -> ast.Bind | None:
        """A bind that may be left out."""
        return None if branch is None else self.bind(branch)

    def bind_where(self, branch: object) -> tuple[ast.Bind, ast.Expr | None]:
        """``x in S where C``."""
        binder, members = parts(branch)
        source, where = self.members(members)
        return ast.Bind(*self.binder(binder), source, span=self.span(tree(branch))), where

    def members(self, branch: object) -> tuple[ast.Expr, ast.Expr | None]:
        """``S where C``."""
        if tree(branch).data == "where":
            source, where = parts(branch)
            return self.expr(source), self.expr(where)
        return self.expr(branch), None

    def binder(self, branch: object) -> tuple[str, str | None]:
        """``x`` or ``x: Kind``."""
        if isinstance(branch, Token):
            return str(branch), None
        name, kind = parts(branch)
        return text(name), text(kind)

    # ------------------------------------------------------------------ types

    def type(self, branch: object) -> ast.TypeExpr:
        """Any type."""
        node = tree(branch)
        self.depth += 1
        if self.depth > limits.EXPRESSION_DEPTH:
            raise TooDeep(self.span(node))
        try:
            return self._type(node)
        finally:
            self.depth -= 1

    def _type(self, node: Tree[Token]) -> ast.TypeExpr:
        span, c = self.span(node), cast(list[Any], node.children)
        match node.data:
            case "named_type":
                return ast.NamedType(text(c[0]), span=span)
            case "range_type":
                return ast.RangeType(whole_bound(c[0]), None if c[2] is None else whole_bound(c[2]), span=span)
            case "keyed_type":
                return ast.KeyedType(self.type(c[0]), ast.NamedType(text(c[1]), span=self.span(c[1])), span=span)
            case "set_type" | "list_type":
                made, held = ast.SetType if node.data == "set_type" else ast.ListType, self.type(c[1])
                if isinstance(held, ast.OptionalType):
                    return ast.OptionalType(made(held.base, span=held.base.span), span=span)
                return made(held, span=span)
            case "positions_type":
                return ast.PositionsType(tuple(map(self._part, c[1:])), span=span)
            case "choice_type":
                return ast.ChoiceType(names(c[0]), span=span)
            case "choice_name":
                return ast.ChoiceType((text(c[0]),), span=span)
            case "union_type":
                return self._union(node)
            case _:
                raise AssertionError(node.data)

    def _union(self, node: Tree[Token]) -> ast.TypeExpr:
        """``A or B or none``: each ``or`` has what follows on its right."""
        found: list[Any] = []
        rest = node
        while rest.data == "union_type":
            found.append(self.type(rest.children[0]))
            rest = tree(rest.children[1])
        optional = rest.data == "nothing_type"
        if not optional:
            found.append(self.type(rest))
        type_ = ast.UnionType(tuple(found), span=self.span(node)) if found[1:] else found[0]
        return ast.OptionalType(type_, span=self.span(node)) if optional else type_

    def _part(self, branch: object) -> ast.Name:
        """The name of a field or zone that belongs to a position."""
        node = tree(branch)
        return ast.Name(text(node.children[0]), span=self.span(node))

    def type_or_none(self, branch: object) -> ast.TypeExpr | None:
        """A type that may be left out."""
        return None if branch is None else self.type(branch)


_BINARY = {
    "or_op": "or",
    "and_op": "and",
    "is_op": "is",
    "is_not_op": "is not",
    "in_op": "in",
    "not_in_op": "not in",
    "edge_op": "|",
}


def _leading(word: Token | None) -> ast.Leading:
    """The word that stands for ``where``."""
    return "" if word is None or word.type == "WHERE" else "while" if word.type == "WHILE" else "until"


def _is_word(branch: object, word: str) -> bool:
    node = tree(branch)
    return node.data == "name" and node.children[0] == word


def _whole(token: Token) -> int:
    return int(token)


def whole_bound(branch: object) -> int:
    """A bound of a range: a number, perhaps with a minus."""
    minus, number = parts(branch)
    return -_whole(number) if minus is not None else _whole(number)


def _aggregate(branch: object) -> Any:
    return words()[parts(branch)[0].type]


_HOLE = re.compile(r"\{([^{}]*)\}")


class WrongHole(Exception):
    """No expression stands between two braces."""

    def __init__(self, message: str, span: Span) -> None:
        super().__init__(message)
        self.message = message
        self.span = span


def words_and_values(
    token: Token, file: str, expr: Callable[[Tree[Token]], ast.Expr]
) -> tuple[tuple[str, ...], tuple[ast.Expr, ...]]:
    """The words of a quoted text around its holes, one more than there are holes, and the expressions in these.

    They stand where they stand in the file, so that messages and editors find them there.
    """
    words, values, end = [], [], 1
    for hole in _HOLE.finditer(token.value):
        words.append(_plain(token, file, end, hole.start()))
        values.append(expr(_parsed(token, file, hole)))
        end = hole.end()
    return (*words, _plain(token, file, end, len(token.value) - 1)), tuple(values)


def words_in_holes(token: Token) -> Iterator[tuple[Token, ...]]:
    """The words in each hole of a quoted text, where they stand in the file; none of a hole without an expression."""
    for hole in _HOLE.finditer(token.value):
        found = _words(token, "", hole, Report())
        read = _named(found) if found else None
        if read is not None:
            yield tuple(read[0])


def _plain(token: Token, file: str, start: int, end: int) -> str:
    words = token.value[start:end]
    for at, letter in enumerate(words):
        if letter in "{}":
            raise WrongHole(
                f"`{letter}` without its pair: an expression stands between `{{` and `}}`",
                _at(token, file, start + at, 1),
            )
    return words


def _parsed(token: Token, file: str, hole: re.Match[str]) -> Tree[Token]:
    report = Report()
    found = _words(token, file, hole, report)
    read = _named(found) if found and not report.found else None
    if read is None:
        shown = hole[1].strip() or "nothing"
        where = _at(token, file, hole.start(1), len(hole[1]))
        raise WrongHole(f"expected an expression between `{{` and `}}`, not `{shown}`", where)
    inside = read[1].children[0]
    assert isinstance(inside, Tree)
    return inside


def _words(token: Token, file: str, hole: re.Match[str], report: Report) -> list[Token]:
    """The words of a hole, where they stand in the file."""
    inner = hole[1]
    before = token.column + hole.start(1) + len(inner) - len(inner.lstrip()) - 1
    lines = read_lines(inner.strip(), file, report).lines if not set(inner) & {"#", "@"} else []
    return [
        Token(t.type, t.value, token.line, before + t.column, before + t.end_column)
        for line in lines
        for t in unreserve_stop(line.tokens)
    ]


def _named(tokens: list[Token]) -> tuple[list[Token], Tree[Token]] | None:
    """The words of an expression, those of the language that are names here as names, and its tree; None if they are
    no expression."""
    states, end = machine(EXPRESSION), tokens[-1].like(END, "")
    tree = states.parse([*tokens, end])
    if tree is None and (named := names_in(states, states.first, tokens, [END])) is not None:
        tokens, tree = list(named), states.parse([*named, end])
    return None if tree is None else (tokens, tree)


def _at(token: Token, file: str, start: int, length: int) -> Span:
    column = token.column + start
    return Span(file, token.line, column, token.line, column + max(length, 1))


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
