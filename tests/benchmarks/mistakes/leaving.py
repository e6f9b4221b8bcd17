"""Leftovers: definitions, parameters and columns that nothing uses any more, citations that were lost."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator

from mistakes.book import Book, Edit, Mistake, Place, Rules
from mistakes.kinds import kind
from rulewright.syntax import ast

_CITE = re.compile(r" +@([A-Z0-9-]+)\b")


@kind("unused definition", "no rule, scenario or variant names it")
def definition(book: Book) -> Iterator[Mistake]:
    kinds = (ast.Query, ast.FieldDecl, ast.Zone, ast.Parameter, ast.Limits, ast.Die)
    for file, decl, _ in book.of(*kinds):
        yield _copy(book, file, decl, decl.name)
    for file, decl, _ in book.of(ast.Callable):
        if decl.name != "play":
            yield _copy(book, file, decl, decl.name)


def _copy(book: Book, file: Rules, decl: ast.Node, old: str) -> Mistake:
    first, last = file.block(decl)
    new = old + "_too" if old.islower() else old + "Too"
    text = re.sub(rf"\b{old}\b", new, "\n".join(file.lines[first - 1 : last]), count=1) + "\n"
    text = "\n".join(re.sub(r"\s+@.*", "", line) for line in text.split("\n"))
    end = file.starts[last] if last < len(file.starts) else len(file.text)
    return book.put(file, (end, end), text)


@kind("unused parameter", "nothing in the body reads it")
def parameter(book: Book) -> Iterator[Mistake]:
    for file, decl, _ in book.of(ast.Query, ast.Callable, ast.Limits):
        if not decl.params:
            continue
        end = file.range(decl.params[-1].span)[1]
        calls = [
            Edit(other.name, *(other.range(call.args[-1].span)[1],) * 2, ", 0")
            for other, call, _ in book.of(ast.Call, roles=("rules", "variant", "scenario"))
            if isinstance(call.operand, ast.Name) and call.operand.name == decl.name and call.args
        ]
        yield book.put(file, (end, end), ", spare: Int", more=calls)


@kind("unused name", "nothing reads what is called so")
def unused_let(book: Book) -> Iterator[Mistake]:
    for file, node, _ in book.of(ast.Assign, ast.Move, ast.CallStatement):
        line = node.span.line
        if file.indent(line) == node.span.column - 1:
            text = " " * file.indent(line) + "let spare = size(players)\n"
            yield book.put(file, (file.starts[line - 1],) * 2, text)


@kind("answer that is never used", "what was chosen is never looked at")
def unused_answer(book: Book) -> Iterator[Mistake]:
    for file, node, found in book.of(ast.Choose):
        below = [other for other, where in file.of(ast.Name) if other.name == node.name and where.decl is found.decl]
        doing = [o for o in below if o.span.line > node.span.end_line]
        moves = [
            (m, o)
            for m, _ in file.of(ast.Move, ast.CallStatement, ast.Assign)
            for o in doing
            if m.span.line <= o.span.line <= m.span.end_line and m.span.column <= o.span.column
        ]
        if len(doing) == 1 and len(moves) == 1 and len(below) == 1 and not node.restrictions:
            first, last = file.block(moves[0][0])
            if file.indent(first) == moves[0][0].span.column - 1 and _leaves_some(file, first, last):
                end = file.starts[last] if last < len(file.starts) else len(file.text)
                yield book.put(file, (file.starts[first - 1], end), "", only=[Place(file.name, node.span.line)])


def _leaves_some(file: Rules, first: int, last: int) -> bool:
    """True if something is left of a block without these lines."""
    around = [n for n in (first - 1, last + 1) if n <= len(file.lines) and file.lines[n - 1].strip()]
    return any(file.indent(n) == file.indent(first) for n in around)


@kind("field that is never read", "what was read is replaced by a number, so that all that is left is setting it")
def never_read(book: Book) -> Iterator[Mistake]:
    for name, decl in book.named(ast.FieldDecl).items():
        reads = [
            (file, node, found)
            for file, node, found in book.uses([name], roles=("rules", "variant", "scenario"))
            if not (isinstance(found.around[-1], ast.Assign) and found.around[-1].target is node)
            and not _target(found.around, node)
        ]
        number = isinstance(decl.type, ast.RangeType) or (
            isinstance(decl.type, ast.NamedType) and decl.type.name == "Int"
        )
        if len(reads) == 1 and (number or decl.type == ast.NamedType("Bool")):
            file, node, found = reads[0]
            holder = found.around[-1] if isinstance(found.around[-1], ast.Index) else node
            home = next(f for f in book.rules() if decl in f.tree.decls)
            yield book.put(file, holder.span, "2" if number else "true", only=[Place(home.name, decl.span.line)])


def _target(around: tuple[ast.Node, ...], node: ast.Name) -> bool:
    holder = around[-1]
    return (
        isinstance(holder, ast.Index)
        and holder.operand is node
        and len(around) > 1
        and isinstance(around[-2], ast.Assign | ast.Setting)
        and around[-2].target is holder
    )


@kind("removed citation", "a scenario is an example of the statement, and no rule cites it any more")
def citation(book: Book) -> Iterator[Mistake]:
    examples = {match[1] for file in book.rules("scenario") for match in _CITE.finditer(file.text)}
    cited = Counter(match[1] for file in book.rules("rules", "variant") for match in _CITE.finditer(file.text))
    index = book.data(book.data("ruleset.json").value()["rulebook"])
    lines = {s["id"]: n for n, s in enumerate(index.value()["statements"])}
    binding = book.binding
    for file in book.rules():
        for match in _CITE.finditer(file.text):
            cite = match[1]
            if cited[cite] > 1:
                why = "another rule cites it, too"
            elif cite not in examples or cite not in binding or cite not in lines:
                why = "it may be a statement that is not transcribed: that is what `rulewright trace` tells"
            else:
                why = ""
            # The index has the statement: it is told there, or where the rules lost it.
            entry = [
                index.line(index.at(("statements", lines[cite], *part))[0]) for part in ((), ("id",)) if cite in lines
            ]
            also = [Place(index.name, line) for line in entry]
            yield book.put(file, match.span(), "", also=also, findable=not why, why=why)
