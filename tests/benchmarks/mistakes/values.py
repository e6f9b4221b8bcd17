"""Values: of another enum, of another type, out of range, and conditions that say nothing."""

from __future__ import annotations

from collections.abc import Iterator

from mistakes.book import Book, Found, Mistake, Rules
from mistakes.kinds import kind
from rulewright.syntax import ast

_COMPARED = ("is", "is not")
_ORDERED = ("<", "<=", ">", ">=")


def enum_values(book: Book) -> dict[str, str]:
    """Each value that only one enum has, with its enum."""
    found: dict[str, list[str]] = {}
    for name, values in book.enums.items():
        for value in values:
            found.setdefault(value, []).append(name)
    return {v: names[0] for v, names in found.items() if len(names) == 1 and v not in book.decls}


def compared_values(book: Book) -> Iterator[tuple[Rules, ast.Name, ast.Binary, str]]:
    """Each value of an enum that something is compared with, and its enum."""
    values = enum_values(book)
    for file, node, found in book.of(ast.Binary):
        right = node.right
        if node.op not in _COMPARED or not isinstance(right, ast.Name):
            continue
        if right.name in values and right.name not in book.locals(found):
            yield file, right, node, values[right.name]


@kind("value of another enum", "the two sides can never be equal")
def other_enum(book: Book) -> Iterator[Mistake]:
    values = enum_values(book)
    for file, value, _, enum in compared_values(book):
        other = next((v for v, e in values.items() if e != enum and v not in book.enums[enum]), None)
        if other is not None:
            yield book.put(file, value.span, other)


@kind("number for an enum value", "the two sides can never be equal")
def number_for_enum(book: Book) -> Iterator[Mistake]:
    for file, value, _, _ in compared_values(book):
        yield book.put(file, value.span, "2")


@kind("enum value for a number", "the two sides can never be equal")
def enum_for_number(book: Book) -> Iterator[Mistake]:
    values = enum_values(book)
    for file, node, _ in book.of(ast.Binary):
        if node.op in _COMPARED and isinstance(node.right, ast.Number) and values:
            yield book.put(file, node.right.span, next(iter(values)))


@kind("truth for a number", "numbers are needed here")
def truth_for_number(book: Book) -> Iterator[Mistake]:
    for file, node, _ in book.of(ast.Binary):
        if node.op in ("+", "-", "*", *_ORDERED) and isinstance(node.right, ast.Number):
            yield book.put(file, node.right.span, "true")


@kind("`=` for `is`", "`=` does not belong into a condition")
def equal_sign(book: Book) -> Iterator[Mistake]:
    for file, node, found in book.of(ast.Binary):
        if node.op == "is" and not found.inside(ast.SThen):
            yield _operator(book, file, node, "=")


@kind("`==` for `is`", "the language has no such sign")
def double_equal(book: Book) -> Iterator[Mistake]:
    for file, node, _ in book.of(ast.Binary):
        if node.op == "is":
            yield _operator(book, file, node, "==")


@kind("a thing compared with itself", "the two sides are the same text, so the answer is always the same")
def with_itself(book: Book) -> Iterator[Mistake]:
    for file, node, _ in book.of(ast.Binary):
        if node.op in (*_COMPARED, *_ORDERED) and not isinstance(node.left, ast.Number | ast.NoneValue):
            text = file.cut(node.left.span)
            if isinstance(node.left, ast.Name | ast.Index | ast.Dot | ast.Call) and "\n" not in text:
                yield book.put(file, node.right.span, text)


def _lowest(book: Book, node: ast.Expr, found: Found) -> int | None:
    """The least that an expression can be, if its declaration says so."""
    match node:
        case ast.Aggregate(kind="count"):
            return 0
        case ast.Call(operand=ast.Name("size")):
            return 0
        case ast.Index(operand=ast.Name(name)) | ast.Name(name):
            decl = book.decls.get(name)
            if isinstance(decl, ast.FieldDecl) and name not in book.locals(found):
                return decl.type.low if isinstance(decl.type, ast.RangeType) else None
        case _:
            pass
    return None


@kind("comparison that its range decides", "the smallest value that is possible answers it")
def below_range(book: Book) -> Iterator[Mistake]:
    for file, node, found in book.of(ast.Binary):
        low = _lowest(book, node.left, found)
        if low is None or found.inside(ast.Invariant, ast.Witness, ast.Property):
            continue
        if isinstance(node.right, ast.Number) and node.op in (*_COMPARED, *_ORDERED):
            yield book.put(file, (file.range(node.left.span)[1], file.range(node.right.span)[1]), f" < {low}")


@kind("condition that is always true", "the condition is written out as true or false")
def constant(book: Book) -> Iterator[Mistake]:
    for file, node, _ in book.of(ast.Branch, ast.Forbid, ast.Unless, ast.Consequence, ast.End):
        condition = node.when if isinstance(node, ast.Consequence | ast.End) else node.condition
        yield book.put(file, condition.span, "true" if isinstance(node, ast.Branch | ast.Unless) else "false")


@kind("`none` where nothing can be none", "the type has no none")
def never_none(book: Book) -> Iterator[Mistake]:
    for file, node, found in book.of(ast.Binary):
        if node.op in _COMPARED and _lowest(book, node.left, found) is not None:
            optional = isinstance(node.left, ast.Index | ast.Name) and not isinstance(
                getattr(book.decls.get(_head(node.left)), "type", None), ast.RangeType
            )
            if not optional and not isinstance(node.right, ast.NoneValue):
                yield book.put(file, node.right.span, "none")


def _head(node: ast.Expr) -> str:
    if isinstance(node, ast.Index):
        return _head(node.operand)
    return node.name if isinstance(node, ast.Name) else ""


@kind("value outside its range", "the declaration says what can be held")
def out_of_range(book: Book) -> Iterator[Mistake]:
    for file, node, found in book.of(ast.Assign):
        decl = book.decls.get(_head(node.target))
        if _head(node.target) in book.locals(found) or not isinstance(decl, ast.FieldDecl):
            continue
        inner = decl.type.base if isinstance(decl.type, ast.OptionalType) else decl.type
        if isinstance(inner, ast.RangeType) and node.op == "=" and not found.inside(ast.Scenario):
            wrong = inner.low - 1 if inner.high is None else inner.high + 1
            yield book.put(file, node.value.span, str(wrong))
    for file, decl, _ in book.of(ast.FieldDecl):
        if isinstance(decl.type, ast.RangeType) and decl.value is not None:
            yield book.put(file, decl.value.span, str(decl.type.low - 1))


@kind("first value of another type", "the field's type cannot hold it")
def first_value(book: Book) -> Iterator[Mistake]:
    for file, decl, _ in book.of(ast.FieldDecl, ast.Parameter):
        match decl.value:
            case ast.BoolLiteral() | ast.NoneValue() | ast.Name():
                if not isinstance(decl, ast.Parameter) or decl.type is not None:
                    yield book.put(file, decl.value.span, "7")
            case ast.Number() if isinstance(decl, ast.FieldDecl):
                yield book.put(file, decl.value.span, "true")


def _operator(book: Book, file: Rules, node: ast.Binary, sign: str) -> Mistake:
    start, end = file.range(node.left.span)[1], file.range(node.right.span)[0]
    at = start + file.text[start:end].index(node.op)
    return book.put(file, (at, at + len(node.op)), sign)


# What only play, or the rulebook, can tell.


@kind("`<=` for `<`", "both are sensible: only the rulebook tells which is meant")
def boundary(book: Book) -> Iterator[Mistake]:
    for file, node, _ in book.of(ast.Binary):
        if node.op in _ORDERED:
            sign = node.op[:-1] if node.op.endswith("=") else node.op + "="
            mistake = _operator(book, file, node, sign)
            yield Mistake(mistake.edits, mistake.places, mistake.before, mistake.after, False)


@kind("number off by one in a rule", "both are sensible: only the rulebook tells which is meant")
def off_by_one(book: Book) -> Iterator[Mistake]:
    for file, node, _ in book.of(ast.Parameter):
        if isinstance(node.value, ast.Number):
            yield book.put(file, node.value.span, str(node.value.value + 1), findable=False)
