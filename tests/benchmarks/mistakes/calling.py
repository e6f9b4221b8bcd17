"""Calls and keys: swapped, missing and extra arguments, and what may not be called here."""

from __future__ import annotations

from collections.abc import Iterator

from mistakes.book import Book, Found, Mistake, Place, Rules
from mistakes.kinds import kind
from rulewright.syntax import ast, print_type

Called = ast.Query | ast.Value | ast.Callable | ast.Limits
_KINDS = (ast.Query, ast.Value, ast.Callable, ast.Limits)


def _calls(book: Book) -> Iterator[tuple[Rules, ast.Call, Called, Found]]:
    """Each call of something declared, with its declaration."""
    for file, call, found in book.of(ast.Call):
        if isinstance(call.operand, ast.Name):
            decl = book.decls.get(call.operand.name)
            if isinstance(decl, _KINDS) and len(decl.params) == len(call.args):
                yield file, call, decl, found


def _written(type_: ast.TypeExpr) -> str:
    """A type as far as it decides what fits: ranges are numbers, `or none` makes no difference."""
    if isinstance(type_, ast.OptionalType):
        return _written(type_.base)
    return "Int" if isinstance(type_, ast.RangeType) else print_type(type_)


@kind("swapped arguments", "the parameters have different types")
def swapped(book: Book) -> Iterator[Mistake]:
    for file, call, decl, _ in _calls(book):
        for at in range(len(call.args) - 1):
            first, second = call.args[at : at + 2]
            texts = file.cut(first.span), file.cut(second.span)
            if texts[0] != texts[1]:
                where = file.range(first.span.to(second.span))
                alike = _written(decl.params[at].type) == _written(decl.params[at + 1].type)
                why = "the parameters have one type: both orders are sensible" if alike else ""
                yield book.put(file, where, f"{texts[1]}, {texts[0]}", findable=not alike, why=why)


@kind("missing argument", "the declaration says how many there are")
def missing(book: Book) -> Iterator[Mistake]:
    for file, call, _, _ in _calls(book):
        if len(call.args) > 1:
            start = file.range(call.args[-2].span)[1]
            yield book.put(file, (start, file.range(call.args[-1].span)[1]), "")
        elif call.args:
            yield book.put(file, call.args[0].span, "")


@kind("extra argument", "the declaration says how many there are")
def extra(book: Book) -> Iterator[Mistake]:
    for file, call, _, _ in _calls(book):
        if call.args:
            end = file.range(call.args[-1].span)[1]
            yield book.put(file, (end, end), ", " + file.cut(call.args[-1].span))


@kind("argument of another type", "the declaration says of which type it is")
def wrong_type(book: Book) -> Iterator[Mistake]:
    for file, call, decl, _ in _calls(book):
        for arg, param in zip(call.args, decl.params, strict=True):
            wrong = "true" if _written(param.type) == "Int" else "3"
            yield book.put(file, arg.span, wrong)


@kind("missing key", "the declaration says how many keys there are")
def no_key(book: Book) -> Iterator[Mistake]:
    for file, node, found in book.of(ast.Index):
        if (
            isinstance(node.operand, ast.Name)
            and isinstance(book.decls.get(node.operand.name), ast.Zone | ast.FieldDecl)
            and not found.inside(ast.Piece)
        ):
            yield book.put(file, (file.range(node.operand.span)[1], file.range(node.span)[1]), "")


@kind("extra key", "the declaration says how many keys there are")
def extra_key(book: Book) -> Iterator[Mistake]:
    for file, node, _ in book.of(ast.Index):
        if isinstance(node.operand, ast.Name) and isinstance(
            book.decls.get(node.operand.name), ast.Zone | ast.FieldDecl
        ):
            end = file.range(node.index[-1].span)[1]
            yield book.put(file, (end, end), ", " + file.cut(node.index[-1].span))


@kind("query without parentheses", "a query is asked with parentheses")
def no_parentheses(book: Book) -> Iterator[Mistake]:
    for file, call, decl, _ in _calls(book):
        if isinstance(decl, ast.Query | ast.Value) and decl.params:
            yield book.put(file, (file.range(call.operand.span)[1], file.range(call.span)[1]), "")


def _doers(book: Book) -> list[str]:
    """Calls of everything that does something, with arguments that fit as far as can be seen."""
    return [
        f"{name}({', '.join('first(players)' if _written(p.type) == 'Player' else '1' for p in decl.params)})"
        for name, decl in book.named(ast.Callable).items()
        if name != "play"
    ]


@kind("effect in a query", "queries only ask")
def effect_in_query(book: Book) -> Iterator[Mistake]:
    for call in _doers(book)[:3]:
        for file, decl, _ in book.of(ast.Query):
            if decl.value is not None:
                yield book.put(file, decl.value.span, call)


@kind("effect in a condition", "conditions only ask")
def effect_in_condition(book: Book) -> Iterator[Mistake]:
    for call in _doers(book)[:2]:
        for file, node, _ in book.of(ast.Forbid, ast.Branch, ast.End):
            condition = node.when if isinstance(node, ast.End) else node.condition
            yield book.put(file, condition.span, call)


@kind("effect that asks", "effects never ask, draw or shuffle")
def effect_that_asks(book: Book) -> Iterator[Mistake]:
    asking = [
        name
        for name, decl in book.named(ast.Callable).items()
        if decl.word != "effect" and any(isinstance(n, ast.Choose | ast.Either) for n in decl.body)
    ]
    for file, decl, _ in book.of(ast.Callable):
        if decl.word == "procedure" and decl.name in asking:
            start = file.range(decl.span)[0]
            body = decl.body[0].span.line
            also = [Place(file.name, line) for line in range(body, file.block(decl)[1] + 1)]
            yield book.put(file, (start, start + len("procedure")), "effect", also=also)


@kind("number called", "only queries and procedures can be called")
def called_value(book: Book) -> Iterator[Mistake]:
    for file, node, _ in book.uses(book.named(ast.Parameter)):
        end = file.range(node.span)[1]
        yield book.put(file, (end, end), "()")
