"""Names: misspelt ones, unknown ones, and one that hides another."""

from __future__ import annotations

import re
from collections.abc import Iterator

from mistakes.book import Book, Mistake, Place, Rules, misspelt
from mistakes.kinds import kind
from rulewright.diagnostics import Span
from rulewright.syntax import ast

_SHORTEST = 3
_NOT_DECLARED = "nothing of this name is declared"


def _misspell_uses(book: Book, *kinds: type[ast.Clause]) -> Iterator[Mistake]:
    for file, node, _ in book.uses(name for name in book.named(*kinds) if len(name) >= _SHORTEST):
        yield book.put(file, node.span, misspelt(node.name, book.words))


def _word(book: Book, file: Rules, span: Span, word: str) -> Iterator[Mistake]:
    """Misspell the first `word` inside a span."""
    start, end = file.range(span)
    match = re.compile(rf"\b{re.escape(word)}\b").search(file.text, start, end)
    if match is not None and len(word) >= _SHORTEST:
        yield book.put(file, match.span(), misspelt(word, book.words))


@kind("misspelt query", _NOT_DECLARED)
def query(book: Book) -> Iterator[Mistake]:
    yield from _misspell_uses(book, ast.Query, ast.Value)


@kind("misspelt field", _NOT_DECLARED)
def field(book: Book) -> Iterator[Mistake]:
    yield from _misspell_uses(book, ast.FieldDecl)


@kind("misspelt zone", _NOT_DECLARED)
def zone(book: Book) -> Iterator[Mistake]:
    yield from _misspell_uses(book, ast.Zone)


@kind("misspelt parameter", _NOT_DECLARED)
def parameter(book: Book) -> Iterator[Mistake]:
    yield from _misspell_uses(book, ast.Parameter)


@kind("misspelt procedure", _NOT_DECLARED)
def procedure(book: Book) -> Iterator[Mistake]:
    yield from _misspell_uses(book, ast.Callable, ast.Limits)


@kind("misspelt local name", "nothing of this name is bound around it")
def local(book: Book) -> Iterator[Mistake]:
    for file, node, found in book.of(ast.Name):
        if len(node.name) >= _SHORTEST and node.name in book.locals(found):
            yield book.put(file, node.span, misspelt(node.name, book.words))


@kind("misspelt enum value", "no enum has this value")
def enum_value(book: Book) -> Iterator[Mistake]:
    values = {v for values in book.enums.values() for v in values if len(v) >= _SHORTEST} - set(book.decls)
    for file, node, _ in book.uses(values):
        yield book.put(file, node.span, misspelt(node.name, book.words))


@kind("misspelt attribute", "nothing has this attribute")
def attribute(book: Book) -> Iterator[Mistake]:
    for file, node, _ in book.of(ast.Dot):
        if len(node.name) >= _SHORTEST:
            end = file.range(node.span)[1]
            yield book.put(file, (end - len(node.name), end), misspelt(node.name, book.words))


@kind("misspelt type", "no type of this name is declared")
def type_(book: Book) -> Iterator[Mistake]:
    for file, node, _ in book.of(ast.NamedType, ast.TypeName):
        if len(node.name) >= _SHORTEST:
            yield book.put(file, node.span, misspelt(node.name, book.words))
    for file, part, _ in book.of(ast.IndexPart):
        yield from _word(book, file, part.span, part.type)


@kind("misspelt kind of piece", "no piece of this name is declared")
def piece(book: Book) -> Iterator[Mistake]:
    for file, node, _ in book.of(ast.Zone):
        yield from _word(book, file, node.span, node.kinds[0])
    for file, bind, _ in book.of(ast.Bind):
        if bind.kind is not None:
            yield from _word(book, file, bind.span, bind.kind)


@kind("misspelt place to stop", "no step, repetition or procedure has this name")
def stop(book: Book) -> Iterator[Mistake]:
    for file, node, _ in book.of(ast.Stop):
        if node.label is not None:
            yield from _word(book, file, node.span, node.label)
    for file, decl, _ in book.of(ast.FieldDecl, ast.End, ast.Property):
        word = decl.lasting if isinstance(decl, ast.FieldDecl) else decl.after
        if word is not None:
            behind = (
                "lasting "
                if isinstance(decl, ast.FieldDecl)
                else "after each "
                if isinstance(decl, ast.Property)
                else "after "
            )
            start, end = file.range(decl.span)
            match = re.compile(behind + word + r"\b").search(file.text, start, end)
            if match is not None:
                yield book.put(file, (match.end() - len(word), match.end()), misspelt(word, book.words))


@kind("misspelt citation", "the rulebook's index has no such statement")
def citation(book: Book) -> Iterator[Mistake]:
    known = book.files[book.data("ruleset.json").value()["rulebook"]].text
    for file in book.rules("rules", "scenario"):
        for match in re.finditer(r"@([A-Z0-9]+-[A-Z0-9-]*?)([0-9]+)\b", file.text):
            wrong = f"{match[1]}{int(match[2]) + 100}"
            if f'"{wrong}"' not in known:
                # A citation belongs to its clause, which may begin some lines above.
                line = file.line(match.start())
                above = [n.span.line for n, _ in file.of(ast.Clause) if n.span.line <= line <= n.span.end_line]
                also = [Place(file.name, max(above, default=line))]
                yield book.put(file, match.span(), f"@{wrong}", also=also)


@kind("misspelt reason", "the declaration has no restriction of this name")
def reason(book: Book) -> Iterator[Mistake]:
    for file, node, _ in book.of(ast.SRefused, roles=("scenario",)):
        if node.because is not None:
            yield from _word(book, file, node.span, node.because.parts[-1])


@kind("misspelt answer", "no choice or option of this name is in the rules")
def answer(book: Book) -> Iterator[Mistake]:
    for file, node, _ in book.of(ast.Answer, roles=("scenario",)):
        yield from _word(book, file, node.span, node.name)


@kind("misspelt key of a piece", "no piece or place has this key")
def key(book: Book) -> Iterator[Mistake]:
    for file, node, _ in book.of(ast.SPut, ast.StringLiteral, roles=("scenario",)):
        text = node.keys[0] if isinstance(node, ast.SPut) else node.text
        start, end = file.range(node.span)
        at = file.text.find(f'"{text}"', start, end)
        word = text.split()[0]
        if at >= 0 and word.isalpha() and len(word) >= _SHORTEST:
            yield book.put(file, (at + 1, at + 1 + len(word)), misspelt(word, book.words))


@kind("misspelt player", "nobody of this name plays in the scenario")
def player(book: Book) -> Iterator[Mistake]:
    for file, node, _ in book.of(ast.SWhen, ast.SRefused, ast.SOffered, ast.SWins, roles=("scenario",)):
        if not isinstance(node, ast.SWins):
            yield from _word(book, file, node.span, node.who)
        elif isinstance(first := node.who[0], ast.Name):
            yield from _word(book, file, node.span, first.name)


@kind("misspelt variant", "the ruleset has no variant of this title")
def variant(book: Book) -> Iterator[Mistake]:
    for file, node, found in book.of(ast.SVariant, roles=("scenario",)):
        at = file.text.index(node.title, file.range(node.span)[0])
        place = Place(file.name, found.decl.span.line)
        yield book.put(file, (at, at + len(node.title)), misspelt(node.title, ()), also=[place])


@kind("name that hides another", "the same name is bound twice, one inside the other")
def hidden(book: Book) -> Iterator[Mistake]:
    for file, bind, found in book.of(ast.Bind):
        outer = [
            name
            for node in found.around
            for name in [
                *(p.name for p in getattr(node, "params", ()) if isinstance(p, ast.Param)),
                *([node.bind.name] if isinstance(node, ast.Each) and node.bind != bind else []),
                *([b.name for b in node.binds if b != bind] if isinstance(node, ast.Consequence) else []),
            ]
            if name != bind.name
        ]
        holder = found.around[-1]
        if not outer or not isinstance(holder, ast.Aggregate | ast.Comprehension | ast.Every | ast.Ranked):
            continue
        start, end = file.range(holder.span)
        text = re.sub(rf"\b{bind.name}\b(?!\()", outer[0], file.text[start:end])
        yield book.put(file, (start, end), text)
