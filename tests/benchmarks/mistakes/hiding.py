"""Zones and secrets: who sees what, and what lies where it cannot lie."""

from __future__ import annotations

import re
from collections.abc import Iterator

from mistakes.book import Book, Mistake, Place
from mistakes.kinds import kind
from rulewright.syntax import ast


@kind("zone without an audience", "a zone must say who sees it")
def no_audience(book: Book) -> Iterator[Mistake]:
    for file, zone, _ in book.of(ast.Zone):
        start, end = file.range(zone.span)
        text = file.text[start:end]
        at = re.search(r",( face| back| count)? seen by", text)
        if at is not None:
            yield book.put(file, (start + at.start(), end), "")


def _kinds(book: Book, name: str) -> set[str]:
    """A kind of piece and those that it is."""
    found = set()
    decl = book.decls.get(name)
    while isinstance(decl, ast.Piece) and decl.name not in found:
        found.add(decl.name)
        decl = book.decls.get(decl.base or "")
    return found


@kind("piece that begins in a zone that does not take it", "the zone names its kinds of pieces")
def begins(book: Book) -> Iterator[Mistake]:
    for file, piece, _ in book.of(ast.Piece):
        if piece.begins is None:
            continue
        below = [p for p in book.named(ast.Piece).values() if piece.name in _kinds(book, p.name)]
        mine = {k for p in below for k in _kinds(book, p.name)}
        key = piece.begins.index if isinstance(piece.begins, ast.Index) else ()
        for zone in book.named(ast.Zone).values():
            if len(zone.index) == len(key) and not mine & set(zone.kinds):
                head = piece.begins.operand if isinstance(piece.begins, ast.Index) else piece.begins
                owner = next((f for f in book.rules() if piece in f.tree.decls), file)
                also = [Place(owner.name, p.span.line) for p in (piece, *below)]
                yield book.put(file, head.span, zone.name, also=also)


@kind("piece moved to a zone that does not take it", "the zone names its kinds of pieces")
def moved(book: Book) -> Iterator[Mistake]:
    zones = book.named(ast.Zone)
    for file, node, _ in book.of(ast.Draw):
        source, to = _zone(book, node.source), _zone(book, node.to)
        if source is None or to is None:
            continue
        for zone in zones.values():
            if not _taken(book, zone) & _taken(book, source) and len(zone.index) == len(to.index):
                head = node.to.operand if isinstance(node.to, ast.Index) else node.to
                if [p.type for p in zone.index] == [p.type for p in to.index]:
                    yield book.put(file, head.span, zone.name)
    for file, move, _ in book.of(ast.Move):
        to = _zone(book, move.to)
        what = _zone(book, move.what)
        if to is not None and what is not None:
            for zone in zones.values():
                apart = not _taken(book, zone) & _taken(book, what)
                if apart and [p.type for p in zone.index] == [p.type for p in to.index]:
                    head = move.to.operand if isinstance(move.to, ast.Index) else move.to
                    yield book.put(file, head.span, zone.name)


def _taken(book: Book, zone: ast.Zone) -> set[str]:
    """The declarations of pieces of which some may lie in a zone: its kinds, and what is derived from them."""
    return {name for name in book.named(ast.Piece) if set(zone.kinds) & {name, *_kinds(book, name)}}


def _zone(book: Book, node: ast.Expr) -> ast.Zone | None:
    head = node.operand if isinstance(node, ast.Index) else node
    decl = book.decls.get(head.name) if isinstance(head, ast.Name) else None
    return decl if isinstance(decl, ast.Zone) else None


def _secret(zone: ast.Zone) -> bool:
    """True if only its owner sees the faces of what lies there."""
    owner = zone.index[0].name if len(zone.index) == 1 else None
    return owner is not None and any(
        a.facet in (None, "face") and isinstance(a.by, ast.Name) and a.by.name == owner for a in zone.audiences
    )


@kind("secret in a public condition", "what is decided there can be seen by all, and tells what only one may know")
def secret(book: Book) -> Iterator[Mistake]:
    hands = [zone for zone in book.named(ast.Zone).values() if _secret(zone)]
    for zone in hands:
        piece = book.decls.get(zone.kinds[0])
        numbers = [a.name for a in getattr(piece, "attributes", ()) if isinstance(a.type, ast.RangeType)]
        if not numbers:
            continue
        for file, node, _ in book.of(ast.End, ast.Consequence):
            if node.binds and file.cut(node.binds[0].source.span) == "players":
                condition = f"some(x in {zone.name}[{node.binds[0].name}] where x.{numbers[0]} > 3)"
                head = [Place(file.name, node.span.line)]
                yield book.put(file, node.when.span, condition, also=head)
        for file, node, found in book.of(ast.Forbid):
            choose = found.around[-1]
            asker = choose.who if isinstance(choose, ast.Choose) else None
            if isinstance(asker, ast.Name) and asker.name != "chance":
                condition = f"some(x in {zone.name}[{asker.name}.left] where x.{numbers[0]} > 3)"
                yield book.put(file, node.condition.span, condition)


@kind("choice from what the player does not see", "only the owner sees the faces")
def unseen_choice(book: Book) -> Iterator[Mistake]:
    for file, node, _ in book.of(ast.Choose):
        zone = _zone(book, node.source)
        if zone is not None and _secret(zone) and isinstance(node.source, ast.Index):
            key = node.source.index[0]
            yield book.put(file, key.span, f"{file.cut(key.span)}.left")


@kind("place of the wrong map or type as a key", "the declaration says what the keys are")
def wrong_key(book: Book) -> Iterator[Mistake]:
    for file, node, _ in book.of(ast.Index):
        head = node.operand
        decl = book.decls.get(head.name) if isinstance(head, ast.Name) else None
        if isinstance(decl, ast.Zone | ast.FieldDecl) and len(node.index) == 1 and decl.index:
            wrong = "3" if decl.index[0].type != "Int" else "true"
            yield book.put(file, node.index[0].span, wrong)
