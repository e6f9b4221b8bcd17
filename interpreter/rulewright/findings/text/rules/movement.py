"""Lint rules about places, and about pieces that never move."""

from __future__ import annotations

from collections.abc import Iterator

from rulewright.diagnostics.suggestions import listing
from rulewright.findings.text.analyses.declaration_nodes import nodes_of
from rulewright.findings.text.analyses.flow_questions import is_spoken
from rulewright.findings.text.analyses.piece_movement import is_filled, stays_in
from rulewright.findings.text.analyses.rule_index import RuleIndex
from rulewright.findings.text.context import Finding, lint, lint_declarations
from rulewright.findings.text.subject import Subject
from rulewright.syntax import ast
from rulewright.syntax.printer.expression_printer import print_expr


@lint("MAP331")
def disconnected_map(subject: Subject) -> Iterator[Finding]:
    """Maps that fall into parts; places without any neighbour are MAP004."""
    for decl in subject.source.rules.all(ast.MapDecl):
        if decl.table is None or decl.shape == "growing":
            continue
        read = subject.ruleset.map_file(decl.table, decl.span)
        order = {key: number for number, key in enumerate(read.graph)}
        parts = [sorted(part, key=order.__getitem__) for part in read.graph.components() if len(part) > 1]
        parts.sort(key=lambda part: (-len(part), order[part[0]]))
        for part in parts[1:]:
            many = listing(part) if len(part) <= 4 else f"`{part[0]}` and {len(part) - 1} other places"
            hint = "add the edge that is missing"
            yield Finding(
                f"no path leads from the other places of {decl.name} to {many}", read.place_span(part[0]), hint
            )


@lint_declarations("CTL127", ast.Move)
def move_to_same_zone(decl: ast.Decl, index: RuleIndex) -> Iterator[Finding]:
    """Pieces that are moved to where they lie."""
    for node in nodes_of(decl, ast.Move):
        if node.face is None:
            what = node.what
            if isinstance(what, ast.Comprehension) and what.element is None:
                what = what.binds[0].source
            if what == node.to:
                yield Finding(f"this moves from `{print_expr(node.to)}` into itself", node.span)


@lint_declarations("CTL125", ast.Piece)
def unplaced_pieces(decl: ast.Decl, index: RuleIndex) -> Iterator[Finding]:
    """Pieces that begin in the box, and that no rule takes out."""
    for piece in nodes_of(decl, ast.Piece):
        if stays_in(piece, index) == ast.Name("box"):
            yield Finding(f"no rule takes a {piece.name} out of the box", piece.span, hint="`begins in` a zone")


@lint_declarations("CTL126", ast.Piece)
def unmoved_pieces(decl: ast.Decl, index: RuleIndex) -> Iterator[Finding]:
    """Pieces that stay where they begin for the whole game."""
    for piece in nodes_of(decl, ast.Piece):
        zone = stays_in(piece, index)
        if zone not in (None, ast.Name("box")):
            yield Finding(f"no rule moves a {piece.name}: all stay in `{print_expr(zone)}`", piece.span)


@lint_declarations("CTL124", ast.Zone)
def zone_always_empty(decl: ast.Decl, index: RuleIndex) -> Iterator[Finding]:
    """A zone of which the rules speak, but into which nothing ever comes."""
    for zone in nodes_of(decl, ast.Zone):
        if is_spoken(index, zone.name) and not is_filled(index, zone.name):
            message = f"`{zone.name}` is always empty: no piece begins there, and no rule moves one there"
            yield Finding(message, zone.span)
        elif zone.at_most == ast.Number(0):
            yield Finding(f"`{zone.name}` has room for nothing", zone.span)
