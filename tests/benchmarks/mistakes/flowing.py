"""The course of things: what is never reached, never ends, or does not do what it is there for."""

from __future__ import annotations

import re
from collections.abc import Iterator

from mistakes.book import Book, Edit, Mistake, Place, Rules
from mistakes.kinds import kind
from rulewright.syntax import ast

_LEAVING = (ast.Win, ast.RankAll, ast.Stop, ast.Return)


def _lines(file: Rules, first: int, last: int) -> tuple[int, int]:
    """The offsets of whole lines."""
    return file.starts[first - 1], file.starts[last] if last < len(file.starts) else len(file.text)


def _body(file: Rules, clause: ast.Node) -> tuple[int, int] | None:
    """The first and last line below a clause."""
    last = file.block(clause)[1]
    return (clause.span.end_line + 1, last) if last > clause.span.end_line else None


def _nothing(file: Rules, first: int, text: str) -> str:
    return " " * file.indent(first) + text + "\n"


def _harmless(book: Book) -> str | None:
    """A statement that changes nothing: a field without keys that stays as it is."""
    for name, decl in book.named(ast.FieldDecl).items():
        if not decl.index:
            return f"{name} = {name}"
    for name, decl in book.named(ast.FieldDecl).items():
        keys = [p.type for p in decl.index]
        if len(keys) == 1:
            return f"{name}[first({keys[0]})] = {name}[first({keys[0]})]"
    return None


@kind("missing finish", "an end must end the game")
def no_finish(book: Book) -> Iterator[Mistake]:
    for file, decl, _ in book.of(ast.End):
        body = _body(file, decl)
        statement = _harmless(book)
        if body is not None:
            head = [Place(file.name, decl.span.line)]
            yield book.put(file, _lines(file, *body), "", only=head)
            if statement is not None:
                yield book.put(file, _lines(file, *body), _nothing(file, body[0], statement), also=head)


@kind("game that nobody ends", "no rule that is left finishes the game")
def never_finished(book: Book) -> Iterator[Mistake]:
    first: Mistake | None = None
    edits: list[Edit] = []
    statement = _harmless(book)
    for file, node, found in book.of(ast.Win, ast.RankAll):
        if isinstance(found.decl, ast.End):
            place, new = _lines(file, *file.block(found.decl)), ""
        else:
            place, new = file.range(node.span), statement or "stop"
        if not any(e.file == file.name and e.start <= place[0] < e.end for e in edits):
            first = first or book.put(file, place, new)
            edits.append(Edit(file.name, *place, new))
    # An effect that only ends the game ends nothing now; ends that call it are left, and are no ends any more.
    places = [
        Place(file.name, decl.span.line - _removed(book, edits, file, decl.span.line))
        for file, decl, _ in book.of(ast.Callable, ast.Repeat, ast.Game, ast.End)
        if not isinstance(decl, ast.Callable) or decl.name == "play"
    ]
    if first is not None:
        before = f"{len(edits)} places that finish the game"
        yield Mistake(tuple(edits), tuple(places), before, "none")


def _removed(book: Book, edits: list[Edit], file: Rules, line: int) -> int:
    """The number of lines removed above a line."""
    return sum(
        file.text.count("\n", e.start, e.end) - e.text.count("\n")
        for e in edits
        if e.file == file.name and e.end <= file.starts[line - 1]
    )


@kind("choice without its else", "what is chosen from can be empty, and nothing is said for it")
def no_else(book: Book) -> Iterator[Mistake]:
    for file, node, _ in book.of(ast.Choose):
        if node.otherwise and not node.optional:
            line = next(
                n
                for n in range(node.otherwise[0].span.line, 0, -1)
                if re.match(r"\s*else\b", file.lines[n - 1]) and file.indent(n) == file.indent(node.span.line)
            )
            last = max(file.block(s)[1] for s in node.otherwise)
            restrictions = [Place(file.name, r.span.line) for r in node.restrictions]
            choice = Place(file.name, node.span.line)
            yield book.put(file, _lines(file, line, last), "", only=[choice, *restrictions])


@kind("case that is never reached", "an `otherwise` stands above it")
def unreached_case(book: Book) -> Iterator[Mistake]:
    for file, decl, _ in book.of(ast.Query):
        if len(decl.cases) > 1 and decl.cases[-1].condition is None:
            first = decl.cases[0].span.line
            last = decl.cases[-1].span
            text = "\n".join(file.lines[last.line - 1 : last.end_line]) + "\n"
            places = [Place(file.name, n) for n in range(first, last.end_line + 1)]
            removed = Edit(file.name, *_lines(file, last.line, last.end_line), "")
            yield book.put(file, (file.starts[first - 1],) * 2, text, also=places, more=[removed])


@kind("case that stands twice", "the first of two equal cases takes all")
def doubled_case(book: Book) -> Iterator[Mistake]:
    for file, node, _ in book.of(ast.Case, ast.Arm):
        if (isinstance(node, ast.Arm) and not node.values) or (isinstance(node, ast.Case) and node.condition is None):
            continue
        first, last = file.block(node)
        text = "\n".join(file.lines[first - 1 : last]) + "\n"
        places = [Place(file.name, last + 1), Place(file.name, first)]
        yield book.put(file, (file.starts[first - 1],) * 2, text, only=places)


@kind("branch that stands twice", "where the second is asked, the first was already refused")
def doubled_branch(book: Book) -> Iterator[Mistake]:
    for file, node, _ in book.of(ast.If):
        first, last = node.span.line, file.block(node.branches[0].body[0])[1]
        if node.one_line or node.span.end_line != first:
            continue
        last = max(file.block(s)[1] for s in node.branches[0].body)
        head = file.lines[first - 1]
        blank = " " * file.indent(first)
        text = blank + "else " + head.strip() + "\n" + "\n".join(file.lines[first:last]) + "\n"
        at = file.starts[last] if last < len(file.starts) else len(file.text)
        copy = [Place(file.name, n) for n in range(last + 1, last + 1 + text.count("\n"))]
        yield book.put(file, (at, at), text, only=[*copy, Place(file.name, first)])


@kind("loop without progress", "nothing in it leaves it, asks anybody or changes what it waits for")
def no_progress(book: Book) -> Iterator[Mistake]:
    for file, node, _ in book.of(ast.Repeat):
        body = _body(file, node)
        if body is not None and node.mode != "times" and node.at_most is None:
            harmless = "let nothing = 1"
            head = [Place(file.name, node.span.line)]
            yield book.put(file, _lines(file, *body), _nothing(file, body[0], harmless), also=head)


@kind("consequence that stays due", "its condition still holds when it is done")
def stays_due(book: Book) -> Iterator[Mistake]:
    for file, decl, _ in book.of(ast.Consequence):
        body = _body(file, decl)
        if body is None:
            continue
        head = [Place(file.name, decl.span.line)]
        yield book.put(file, _lines(file, *body), _nothing(file, body[0], "let nothing = 1"), also=head)
        for node in decl.body:
            if isinstance(node, ast.Assign) and isinstance(node.value, ast.BoolLiteral):
                wrong = "false" if node.value.value else "true"
                yield book.put(file, node.value.span, wrong, also=head)
            elif isinstance(node, ast.Assign):
                yield book.put(file, node.value.span, file.cut(node.target.span), also=head)


@kind("statement that is never reached", "it stands behind one that leaves")
def unreached(book: Book) -> Iterator[Mistake]:
    for file, node, _ in book.of(*_LEAVING):
        line = node.span.end_line
        alone = file.lines[node.span.line - 1].lstrip().startswith(("finish", "stop", "return"))
        statement = _harmless(book)
        if alone and statement is not None:
            at = file.starts[line] if line < len(file.starts) else len(file.text)
            text = " " * file.indent(node.span.line) + statement + "\n"
            yield book.put(file, (at, at), text, also=[Place(file.name, node.span.line)])


@kind("unguarded decrement", "nothing that is left asks whether there is enough")
def decrement(book: Book) -> Iterator[Mistake]:
    for file, node, found in book.of(ast.Assign):
        target = node.target.operand if isinstance(node.target, ast.Index) else node.target
        name = target.name if isinstance(target, ast.Name) else ""
        decl = book.decls.get(name)
        if node.op != "-=" or not isinstance(decl, ast.FieldDecl) or not isinstance(decl.type, ast.RangeType):
            continue
        asking = [n for n in found.around if isinstance(n, ast.If) and name in file.cut(n.branches[0].condition.span)]
        guards = [
            forbid
            for forbid, where in file.of(ast.Forbid)
            if where.decl is found.decl and name in file.cut(forbid.condition.span)
        ]
        if asking and asking[-1].one_line and not guards:
            yield book.put(file, (file.range(asking[-1].span)[0], file.range(node.span)[0]), "")
        elif len(guards) == 1 and not asking:
            first, last = file.block(guards[0])
            line = node.span.line - (last - first + 1 if first < node.span.line else 0)
            lost = _naming(book, guards[0].label)
            yield book.put(file, _lines(file, first, last), "", only=[Place(file.name, line), *lost])


def _naming(book: Book, label: str) -> list[Place]:
    """The places where scenarios and variants name a label."""
    named = [
        *((f, node.because, node) for f, node, _ in book.of(ast.SRefused, roles=("scenario",))),
        *(
            (f, node.path, node)
            for f, node, _ in book.of(ast.ReplaceClauseOp, ast.RemoveOp, roles=("rules", "variant"))
        ),
    ]
    return [Place(f.name, node.span.line) for f, path, node in named if path is not None and path.parts[-1] == label]
