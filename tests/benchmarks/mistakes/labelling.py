"""Labels: dropped, doubled, and overlays and scenarios whose target has gone."""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterator

from mistakes.book import Book, Mistake, Place, Rules, misspelt
from mistakes.kinds import kind
from rulewright.compiler.overlays.addresses import label_of, walk
from rulewright.syntax import ast

_OPS = (ast.AssignOp, ast.RemoveOp, ast.ReplaceClauseOp, ast.ExtendOp, ast.InsertOp)


def _label_at(file: Rules, clause: ast.Clause, label: str) -> tuple[int, int]:
    start, end = file.range(clause.span)
    match = re.compile(rf"\b{label}\b").search(file.text, start, end)
    assert match is not None
    return match.span()


@kind("dropped label", "a restriction needs a name, so that it can be told why something is refused")
def dropped(book: Book) -> Iterator[Mistake]:
    for file, node, _ in book.of(ast.Forbid, ast.Unless, ast.Modifier, roles=("rules", "variant")):
        start, end = _label_at(file, node, node.label)
        end += len(re.compile(r": ?").match(file.text, end)[0])  # type: ignore[index]
        yield book.put(file, (start, end), "")


@kind("doubled label", "a label is an address, and this one leads to two things")
def doubled(book: Book) -> Iterator[Mistake]:
    for file in book.rules():
        for decl in file.tree.decls:
            labelled = [
                c for c in walk(decl) if isinstance(c, ast.Forbid | ast.Unless | ast.Modifier | ast.Step | ast.Option)
            ]
            for one, other in itertools.pairwise(labelled):
                label = label_of(one)
                if label is not None and label != label_of(other):
                    also = [Place(file.name, one.span.line)]
                    yield book.put(file, _label_at(file, other, label_of(other) or ""), label, also=also)


@kind("thing declared twice", "two declarations have one name")
def declared_twice(book: Book) -> Iterator[Mistake]:
    for file, decl, _ in book.of(
        ast.Query, ast.FieldDecl, ast.Zone, ast.Parameter, ast.End, ast.Consequence, ast.Callable
    ):
        first, last = file.block(decl)
        text = "\n".join(file.lines[first - 1 : last]) + "\n"
        start = file.starts[first - 1]
        place = Place(file.name, last + 1)
        yield book.put(file, (start, start), text, only=[place, Place(file.name, first)])


def _changes(book: Book) -> Iterator[tuple[Rules, ast.OverlayOp, ast.Path]]:
    """Every change that an overlay makes, with its target."""
    for file, op, _ in book.of(*_OPS, roles=("rules", "variant")):
        yield file, op, op.path


@kind("overlay with a misspelt target", "the declaration or label it names is not there")
def overlay_target(book: Book) -> Iterator[Mistake]:
    for file, op, path in _changes(book):
        yield book.put(file, _label_at(file, op, path.parts[-1]), misspelt(path.parts[-1], book.words))


@kind("overlay whose target has gone", "a label was renamed, and a variant still names the old one")
def target_gone(book: Book) -> Iterator[Mistake]:
    for file, op, path in _changes(book):
        name = path.parts[0]
        for rules in book.rules():
            for decl in rules.tree.decls:
                if getattr(decl, "name", None) != name or len(path.parts) < 2:
                    continue
                clause = next((c for c in walk(decl) if label_of(c) == path.parts[-1]), None)
                if isinstance(clause, ast.Forbid | ast.Unless | ast.Modifier | ast.Step | ast.Option):
                    where = _label_at(rules, clause, path.parts[-1])
                    yield book.put(rules, where, path.parts[-1] + "_now", only=[Place(file.name, op.span.line)])


@kind("refusal whose reason has gone", "a restriction was renamed, and a scenario still names the old one")
def reason_gone(book: Book) -> Iterator[Mistake]:
    asked: dict[str, list[Place]] = {}
    for file, node, _ in book.of(ast.SRefused, roles=("scenario",)):
        if node.because is not None:
            asked.setdefault(str(node.because), []).append(Place(file.name, node.span.line))
    # A variant that changes the restriction tells the same.
    for file, op, path in _changes(book):
        if str(path) in asked:
            asked[str(path)].append(Place(file.name, op.span.line))
    for file, forbid, found in book.of(ast.Forbid):
        places = asked.get(f"{getattr(found.decl, 'name', '')}.{forbid.label}")
        if places:
            where = _label_at(file, forbid, forbid.label)
            yield book.put(file, where, forbid.label + "_now", only=places)


@kind("variant that changes nothing", "what it sets is what there is")
def changes_nothing(book: Book) -> Iterator[Mistake]:
    for file, op, _ in book.of(ast.AssignOp, ast.ReplaceClauseOp, roles=("rules", "variant")):
        if isinstance(op, ast.AssignOp):
            decl = book.decls.get(str(op.path))
            if isinstance(decl, ast.Parameter) and not decl.by_count:
                source = next(f for f in book.rules() if decl in f.tree.decls)
                yield book.put(file, op.value.span, source.cut(decl.value.span))
        else:
            for source in book.rules():
                for node, where in source.of(ast.Forbid, ast.Unless):
                    if node.label == op.path.parts[-1] and getattr(where.decl, "name", None) == op.path.parts[0]:
                        yield book.put(file, op.value.span, source.cut(node.condition.span))


@kind("two changes of the same thing", "a variant sets the same label twice")
def changed_twice(book: Book) -> Iterator[Mistake]:
    for file, op, _ in book.of(ast.AssignOp, ast.RemoveOp, ast.ReplaceClauseOp, roles=("rules", "variant")):
        start = file.starts[op.span.line - 1]
        text = file.lines[op.span.line - 1] + "\n"
        places = [Place(file.name, op.span.line + 1), Place(file.name, op.span.line)]
        yield book.put(file, (start, start), text, only=places)


@kind("variant of another game", "the game it names is not this one")
def other_game(book: Book) -> Iterator[Mistake]:
    for file, decl, _ in book.of(ast.Variant, roles=("variant",)):
        end = file.range(decl.span)[1]
        name = str(decl.of)
        yield book.put(file, (end - len(name), end), misspelt(name, book.words))


@kind("dropped restriction", "the rules stay sensible: only the rulebook tells that something is missing")
def no_restriction(book: Book) -> Iterator[Mistake]:
    for file, node, found in book.of(ast.Forbid):
        holder = found.around[-1]
        others = [r for r in getattr(holder, "restrictions", ()) if r is not node]
        if isinstance(holder, ast.Choose | ast.Limits) and (others or isinstance(holder, ast.Choose)):
            first, last = file.block(node)
            end = file.starts[last] if last < len(file.starts) else len(file.text)
            named = any(
                str(n.because).endswith("." + node.label) for _, n, _ in book.of(ast.SRefused, roles=("scenario",))
            )
            changed = any(path.parts[-1] == node.label for _, _, path in _changes(book))
            if not named and not changed:
                yield book.put(file, (file.starts[first - 1], end), "", findable=False)
