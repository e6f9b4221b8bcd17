"""Slips of the pen in the text itself: indentation, brackets, colons, words of the language."""

from __future__ import annotations

import re
from collections.abc import Iterator

from mistakes.book import Book, Mistake, Place, Rules, misspelt
from mistakes.kinds import kind
from rulewright.syntax import ast, keywords


def _heads(book: Book) -> Iterator[tuple[Rules, ast.Clause]]:
    """Clauses that have a block below them."""
    for file, node, _ in book.of(ast.Clause):
        if not isinstance(node, ast.File) and file.block(node)[1] > node.span.end_line:
            yield file, node


def _only_one(file: Rules, line: int) -> bool:
    """True if a line is the only one of its block."""
    indent = file.indent(line)
    others = [n for n in range(1, len(file.lines) + 1) if file.lines[n - 1].strip()]
    above = next((n for n in reversed(others) if n < line and file.indent(n) <= indent), None)
    below = next((n for n in others if n > line and file.indent(n) <= indent), None)
    return all(n is None or file.indent(n) < indent for n in (above, below))


def _next(file: Rules, line: int) -> list[int]:
    """The line of what follows in the same block."""
    indent = file.indent(line)
    below = (n for n in range(line + 1, len(file.lines) + 1) if file.lines[n - 1].strip() and file.indent(n) <= indent)
    return [n for n in [next(below, 0)] if n]


@kind("wrong indentation", "blocks stand four blanks further in")
def indentation(book: Book) -> Iterator[Mistake]:
    for file, node, _ in book.of(ast.Clause):
        line = node.span.line
        if isinstance(node, ast.File) or file.indent(line) != node.span.column - 1 or not file.indent(line):
            continue
        if _only_one(file, line):
            continue  # a block may stand further in, as long as all of it does
        start = file.starts[line - 1]
        # What does not fit then may be the lines around, and the next of what was one block.
        around = [Place(file.name, n) for n in (line - 1, line + 1, *_next(file, line))]
        yield book.put(file, (start, start), "  ", also=around)
        yield book.put(file, (start, start + 2), "", also=around)


@kind("block too far in", "nothing that opens a block stands above")
def too_far(book: Book) -> Iterator[Mistake]:
    for file, node, _ in book.of(ast.Assign, ast.Move, ast.CallStatement, ast.Draw):
        line = node.span.line
        above = file.lines[line - 2]
        if file.indent(line) == node.span.column - 1 and above.strip() and file.indent(line - 1) == file.indent(line):
            start = file.starts[line - 1]
            yield book.put(file, (start, start), "    ", also=[Place(file.name, line - 1)])


@kind("tab", "tabs are not allowed")
def tab(book: Book) -> Iterator[Mistake]:
    for file, node, _ in book.of(ast.Assign, ast.Forbid, ast.Choose, ast.Case):
        line = node.span.line
        if file.indent(line) == node.span.column - 1 and file.indent(line) >= 4:
            start = file.starts[line - 1]
            yield book.put(file, (start, start + 4), "\t")


@kind("missing bracket", "a bracket is not closed")
def bracket(book: Book) -> Iterator[Mistake]:
    for file, node, _ in book.of(
        ast.Call, ast.Index, ast.Aggregate, ast.SetOf, ast.Comprehension, roles=("rules", "scenario")
    ):
        end = file.range(node.span)[1]
        if file.text[end - 1] in ")]}":
            start = file.line(file.range(node.span)[0])
            lines = range(start, file.line(end) + 2)
            yield book.put(file, (end - 1, end), "", also=[Place(file.name, n) for n in lines])


@kind("bracket too many", "a bracket was never opened")
def extra_bracket(book: Book) -> Iterator[Mistake]:
    for file, node, _ in book.of(ast.Call, ast.Index):
        end = file.range(node.span)[1]
        yield book.put(file, (end, end), file.text[end - 1])


@kind("colon too many", "there is no colon at the head of a block")
def colon(book: Book) -> Iterator[Mistake]:
    for file, node in _heads(book):
        code = file.code(node.span.end_line)
        if not code.endswith((":", ",")):
            end = file.starts[node.span.end_line - 1] + len(code)
            yield book.put(file, (end, end), ":")


@kind("missing colon", "the label and its condition are parted by a colon")
def no_colon(book: Book) -> Iterator[Mistake]:
    for file, node, _ in book.of(ast.Forbid, ast.Unless, ast.Modifier, ast.Invariant, ast.Param):
        start, end = file.range(node.span)
        at = file.text.find(":", start, end)
        if at >= 0:
            yield book.put(file, (at, at + 1), "")


@kind("missing `then`", "`if` on one line needs it")
def no_then(book: Book) -> Iterator[Mistake]:
    for file, node, _ in book.of(ast.If):
        if node.one_line:
            start = file.range(node.branches[0].condition.span)[1]
            at = file.text.index(" then ", start)
            yield book.put(file, (at, at + len(" then")), "")


@kind("misspelt word of the language", "the language has no such word")
def word(book: Book) -> Iterator[Mistake]:
    for file, node, _ in book.of(ast.Clause, roles=("rules", "scenario")):
        if isinstance(node, ast.File):
            continue
        start, end = file.range(node.span)
        for match in re.compile(r"[a-z]+").finditer(file.text, start, end):
            if match[0] in keywords() and len(match[0]) > 3 and file.text[match.start() - 1] in " \n":
                yield book.put(
                    file, match.span(), misspelt(match[0], book.words), also=[Place(file.name, node.span.line)]
                )
                break


@kind("reserved word as a name", "words of the language are no names")
def reserved(book: Book) -> Iterator[Mistake]:
    for file, node, _ in book.of(ast.Bind, ast.Let, ast.Choose):
        start, end = file.range(node.span)
        match = re.compile(rf"\b{node.name}\b").search(file.text, start, end)
        if match is not None:
            yield book.put(file, match.span(), "end")


@kind("text without an end", "the closing quotation mark is missing")
def unended(book: Book) -> Iterator[Mistake]:
    for file in book.rules("rules", "variant", "scenario"):
        for match in re.finditer(r'"[^"\n]*"', file.text):
            if "#" not in file.text[file.text.rfind("\n", 0, match.start()) + 1 : match.start()]:
                yield book.put(file, (match.end() - 1, match.end()), "")


@kind("word left out", "a clause is not complete without it")
def left_out(book: Book) -> Iterator[Mistake]:
    for file, node, _ in book.of(ast.Each, ast.Choose, ast.Move, ast.Bind):
        needed = {ast.Each: "in", ast.Choose: "from", ast.Move: "to", ast.Bind: "in"}[type(node)]
        start, end = file.range(node.span)
        match = re.compile(rf" {needed} ").search(file.text, start, end)
        if match is not None:
            yield book.put(file, (match.start(), match.end() - 1), "")
