"""Zones that stay empty, and pieces that never come from where they lie."""

from __future__ import annotations

from collections.abc import Iterator

from rulewright.diagnostics import Severity
from rulewright.lint.doing import rooted
from rulewright.lint.index import Index, in_all_games
from rulewright.lint.subject import Finding, Lint, Subject, lint
from rulewright.syntax import ast
from rulewright.syntax.printer.expression_printer import print_expr


def filled(index: Index) -> frozenset[str]:
    """Zones in which pieces begin, or into which some rule moves them; the box among them."""
    found = {"box"}
    for node in index.all_nodes():
        match node:
            case ast.Piece(begins=begins) if begins is not None:
                found.add(rooted(begins))
            case ast.Move(to=to) | ast.Draw(to=to):
                found.add(rooted(to))
    return frozenset(found)


@lint("CTL124", "zone-always-empty")
def always_empty(subject: Subject) -> Iterator[Finding]:
    """A zone of which the rules speak, but into which nothing ever comes."""
    return in_all_games(subject, _always_empty)


def _always_empty(index: Index) -> Iterator[Finding]:
    full = filled(index)
    spoken = {n.name for n in index.all_nodes() if isinstance(n, ast.Name)}
    for decl in index.game.rules.all(ast.Zone):
        if decl.name not in full and decl.name in spoken:
            said = f"`{decl.name}` is always empty: no piece begins there, and no rule moves one there"
            yield Finding(said, decl.span)
        elif decl.at_most == ast.Number(0):
            yield Finding(f"`{decl.name}` has room for nothing", decl.span)


@lint("CTL125", "never-in-play")
def never_in_play(subject: Subject) -> Iterator[Finding]:
    """Pieces that begin in the box, and that no rule takes out."""
    return in_all_games(subject, lambda index: _stay(index, in_box=True))


@lint("CTL126", "never-moved", Severity.INFO)
def never_moved(subject: Subject) -> Iterator[Finding]:
    """Pieces that stay where they begin for the whole game."""
    return in_all_games(subject, lambda index: _stay(index, in_box=False))


def _stay(index: Index, in_box: bool) -> Iterator[Finding]:
    moved = _moved(index)
    decls = {d.name: d for d in index.game.rules.all(ast.Piece)}
    for decl in decls.values():
        if decl.table is None or any(not kinds or index.world.overlap((decl.name,), kinds) for kinds in moved):
            continue
        zone = _begins(decl, decls)
        if in_box and zone in (None, ast.Name("box")):
            yield Finding(f"no rule takes a {decl.name} out of the box", decl.span, hint="`begins in` a zone")
        elif not in_box and zone not in (None, ast.Name("box")):
            assert zone is not None
            yield Finding(f"no rule moves a {decl.name}: all stay in `{print_expr(zone)}`", decl.span)


def _moved(index: Index) -> list[tuple[str, ...]]:
    """Of each move and draw the kinds that it can move; none: any."""
    found = []
    for node in index.all_nodes():
        what = node.what if isinstance(node, ast.Move) else node.source if isinstance(node, ast.Draw) else None
        if what is not None:
            found.append(index.type_of(what).kinds)
    return found


def _begins(decl: ast.Piece, decls: dict[str, ast.Piece]) -> ast.Expr | None:
    """Where pieces of a kind begin, as said of it or of what it is."""
    at: ast.Piece | None = decl
    while at is not None:
        if at.begins is not None:
            return at.begins
        at = decls.get(at.base) if at.base is not None else None
    return None


@lint("CTL127", "moved-nowhere")
def moved_nowhere(subject: Subject) -> Iterator[Finding]:
    """Pieces that are moved to where they lie."""
    return in_all_games(subject, _nowhere)


def _nowhere(index: Index) -> Iterator[Finding]:
    for node in index.all_nodes():
        if isinstance(node, ast.Move) and node.face is None:
            what = node.what
            if isinstance(what, ast.Comprehension) and what.element is None:
                what = what.binds[0].source
            if what == node.to:
                yield Finding(f"this moves from `{print_expr(node.to)}` into itself", node.span)


RULES: tuple[Lint, ...] = (always_empty, never_in_play, never_moved, moved_nowhere)
