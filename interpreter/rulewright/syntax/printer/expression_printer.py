"""Writing expressions and types, with no more brackets than they need."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Literal, assert_never, get_args

from rulewright.syntax import ast
from rulewright.syntax.printer.line_layout import Break, Doc, flat

EXPR, OR, AND, NOT, AFTER, COMPARISON, SUM, TERM, UNARY, POSTFIX, ATOM = range(11)
"""Levels of precedence, loosest first, as in the grammar."""

_LEVELS: dict[ast.BinaryOp, int] = {
    "or": OR, "and": AND, **dict.fromkeys(get_args(Literal[ast.CompareOp, ast.MembershipOp]), COMPARISON),
    **dict.fromkeys(get_args(ast.SumOp), SUM), **dict.fromkeys(get_args(ast.TermOp), TERM),
}  # fmt: skip
_CHAINS = (OR, AND, SUM)


def print_expr(expr: ast.Expr) -> str:
    """An expression on one line."""
    return flat(expr_doc(expr))


def level_of(expr: ast.Expr) -> int:
    """The level of precedence of an expression."""
    match expr:
        case (
            ast.Name() | ast.TypeName() | ast.Number() | ast.StringLiteral() | ast.NoneValue() | ast.BoolLiteral()
            | ast.Tuple() | ast.ListOf() | ast.Entry() | ast.SetOf() | ast.Range() | ast.Comprehension()
            | ast.Aggregate() | ast.Ranked() | ast.Every() | ast.Reach()
        ):  # fmt: skip
            return ATOM
        case ast.IfElse():
            return EXPR
        case ast.Binary(op):
            return _LEVELS[op]
        case ast.Divide():
            return TERM
        case ast.Unary(op):
            return NOT if op == "not" else UNARY
        case ast.After():
            return AFTER
        case ast.IsA() | ast.IsEmpty():
            return COMPARISON
        case ast.Dot() | ast.Index() | ast.Call():
            return POSTFIX
        case _:
            assert_never(expr)


def expr_doc(expr: ast.Expr, least: int = EXPR, depth: int = 1) -> Doc:
    """An expression with the places where it can be broken; in brackets if it is looser than `least`."""
    if least > EXPR and level_of(expr) < least:
        return ["(", *_bare(expr, depth + 1), ")"]
    return _bare(expr, depth)


def listed(exprs: Iterable[ast.Expr], depth: int, least: int = EXPR) -> Doc:
    """Expressions with commas between."""
    return separated([expr_doc(e, least, depth + 1) for e in exprs], depth)


def separated(docs: Sequence[Doc], depth: int) -> Doc:
    """Anything with commas between."""
    doc: Doc = []
    for i, part in enumerate(docs):
        if i:
            doc += [",", Break(depth)]
        doc += part
    return doc


def texts_doc(texts: Sequence[str]) -> Doc:
    """Texts with commas between them, on as many lines as they need."""
    return separated([[text] for text in texts], 1)


def _bare(expr: ast.Expr, depth: int) -> Doc:
    match expr:
        case ast.Name(name) | ast.TypeName(name):
            return [name]
        case ast.Number(value):
            return [str(value)]
        case ast.StringLiteral(text):
            return [f'"{text}"']
        case ast.NoneValue():
            return ["none"]
        case ast.BoolLiteral(truth):
            return ["true" if truth else "false"]
        case ast.Dot(operand, name):
            return [*expr_doc(operand, POSTFIX, depth), f".{name}"]
        case ast.Index(operand, index):
            return [*expr_doc(operand, POSTFIX, depth), "[", *listed(index, depth + 1), "]"]
        case ast.Call(operand, args):
            return [*expr_doc(operand, POSTFIX, depth), "(", *listed(args, depth + 1), ")"]
        case ast.Tuple(items):
            return ["(", *listed(items, depth + 1), ")"]
        case ast.ListOf(items):
            return ["[", *listed(items, depth + 1), "]"]
        case ast.Entry(key, value):
            return [*expr_doc(key, POSTFIX, depth), ": ", *expr_doc(value, SUM, depth)]
        case ast.SetOf(items):
            return ["{", *listed(items, depth + 1, SUM), "}"]
        case ast.Range(low, high, in_order):
            first, last = "[]" if in_order else "{}"
            return [first, *expr_doc(low, SUM, depth + 1), " .. ", *expr_doc(high, SUM, depth + 1), last]
        case ast.Comprehension(listed=in_order):
            first, last = "[]" if in_order else "{}"
            return [first, *_members(expr, depth + 1), last]
        case ast.Aggregate(kind):
            return [f"{kind}(", *_members(expr, depth + 1), ")"]
        case ast.Ranked(kind, bind, where, by):
            inside = _keyed(bind, where, "by", by, depth + 1)
            return [f"{kind}(", *inside, ")"]
        case ast.Every(bind, where, has):
            return ["every(", *_keyed(bind, where, "has", has, depth + 1), ")"]
        case ast.Reach():
            return _reach(expr, depth + 1)
        case _:
            return _operation(expr, depth)


def _operation(expr: ast.Operation, depth: int) -> Doc:
    match expr:
        case ast.Binary("|", left, right):
            return [*expr_doc(left, UNARY, depth), "|", *expr_doc(right, UNARY, depth)]
        case ast.Binary(op, left, right):
            level = _LEVELS[op]
            if level in _CHAINS:
                return [*_chain(left, level, depth), Break(depth), f"{op} ", *expr_doc(right, level + 1, depth + 1)]
            if level == TERM:
                return [*expr_doc(left, TERM, depth), f" {op} ", *expr_doc(right, UNARY, depth)]
            return [*expr_doc(left, SUM, depth), f" {op} ", *expr_doc(right, SUM, depth)]
        case ast.Divide(left, right, rounded):
            return [*expr_doc(left, TERM, depth), " / ", *expr_doc(right, UNARY, depth), f" rounded {rounded}"]
        case ast.Unary("not", operand):
            least = SUM if level_of(operand) == COMPARISON else NOT  # `not (a is b)` reads better than `not a is b`
            return ["not ", *expr_doc(operand, least, depth)]
        case ast.Unary("-", operand):
            return ["-", *expr_doc(operand, UNARY, depth)]
        case ast.Unary(_, operand):
            return ["clockwise from ", *expr_doc(operand, POSTFIX, depth)]
        case ast.After(of, done):
            chain = expr_doc(done, POSTFIX, depth)
            while isinstance(of, ast.After):
                chain += [Break(depth), "and then ", *expr_doc(of.done, POSTFIX, depth)]
                of = of.of
            return [*expr_doc(of, COMPARISON, depth), " after ", *chain]
        case ast.IsA(operand, kind, negated):
            article = "an" if kind[0] in "AEIOU" else "a"
            return [*expr_doc(operand, SUM, depth), f" is {'not ' if negated else ''}{article} {kind}"]
        case ast.IsEmpty(operand, negated):
            return [*expr_doc(operand, SUM, depth), f" is {'not ' if negated else ''}empty"]
        case ast.IfElse(then, condition, otherwise):
            return [
                *expr_doc(then, OR, depth + 1),
                " if ",
                *expr_doc(condition, OR, depth + 1),
                Break(depth),
                "else ",
                *expr_doc(otherwise, EXPR, depth),
            ]
        case _:
            assert_never(expr)


def _chain(left: ast.Expr, level: int, depth: int) -> Doc:
    """The left side of an infix operator: one of the same kind is broken in the same places."""
    return expr_doc(left, level, depth if level_of(left) == level else depth + 1)


def bind_doc(bind: ast.Bind, depth: int = 1) -> Doc:
    """``x: Kind in S where C``."""
    source = [binder(bind.name, bind.kind), " in ", *expr_doc(bind.source, SUM, depth)]
    return source + where_doc(bind.where, depth, bind.leading or "where")


def binder(name: str, kind: str | None) -> str:
    """``x`` or ``x: Kind``."""
    return name if kind is None else f"{name}: {kind}"


def where_doc(where: ast.Expr | None, level: int, word: str = "where") -> Doc:
    """`` where C``, which may stand on the next line."""
    return [] if where is None else [Break(level), f"{word} ", *expr_doc(where, EXPR, level + 1)]


def _members(expr: ast.Comprehension | ast.Aggregate, depth: int) -> Doc:
    doc: Doc = [] if expr.element is None else expr_doc(expr.element, SUM, depth + 1)
    if expr.binds:
        doc += [Break(depth), "for "] if expr.element is not None else []
        doc += separated([bind_doc(b, depth + 1) for b in expr.binds], depth)
    return doc + where_doc(expr.where, depth, expr.leading or "where")


def _keyed(bind: ast.Bind, where: ast.Expr | None, word: str, key: ast.Expr, depth: int) -> Doc:
    last: Doc = [Break(depth), f"{word} ", *expr_doc(key, EXPR, depth + 1)]
    return bind_doc(bind, depth + 1) + where_doc(where, depth) + last


def _reach(expr: ast.Reach, depth: int) -> Doc:
    doc: Doc = ["reach(from ", *expr_doc(expr.start, SUM, depth + 1)]
    if expr.within is not None:
        doc += [Break(depth), "within ", *expr_doc(expr.within, SUM, depth + 1)]
    if expr.across is not None:
        doc += [Break(depth), f"across {expr.across}", *where_doc(expr.where, depth)]
    if expr.by is not None and expr.to is not None:
        doc += [Break(depth), f"by {expr.by} to ", *expr_doc(expr.to, SUM, depth + 1)]
    return [*doc, ")"]


def print_type(type_: ast.TypeExpr) -> str:
    """A type."""
    match type_:
        case ast.NamedType(name):
            return name
        case ast.RangeType(low, high):
            return f"{low}..{'' if high is None else high}"
        case ast.KeyedType(element, key):
            return f"{print_type(element)}[{print_type(key)}]"
        case ast.SetType(element):
            return f"set of {print_type(element)}"
        case ast.ListType(element):
            return f"list of {print_type(element)}"
        case ast.PositionsType(parts):
            return f"positions of {' and '.join(part.name for part in parts)}"
        case ast.ChoiceType(values):
            return "{" + ", ".join(values) + "}"
        case ast.OptionalType(base):
            return f"{print_type(base)} or none"
        case ast.UnionType(parts):
            first, *others = map(print_type, parts)
            return " or ".join((first, *map(_without_braces, others)))
        case _:
            assert_never(type_)


def _without_braces(type_: str) -> str:
    """A name written on the spot behind ``or``: it needs no braces if it is the only one."""
    return type_ if "," in type_ else type_.strip("{}")
