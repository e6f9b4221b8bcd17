"""Lint rules about chance: draws, dice and shuffles."""

from __future__ import annotations

from collections.abc import Iterator

from rulewright.findings.text.analyses.declaration_nodes import nodes_of
from rulewright.findings.text.analyses.mentions import rooted
from rulewright.findings.text.analyses.piece_movement import is_drawn, is_filled, is_mixed, unlike_pieces_begin
from rulewright.findings.text.analyses.rule_index import RuleIndex
from rulewright.findings.text.context import Finding, lint_declarations
from rulewright.syntax import ast
from rulewright.syntax.printer.expression_printer import print_expr


@lint_declarations("CHN315", ast.Draw)
def draw_from_empty(decl: ast.Decl, index: RuleIndex) -> Iterator[Finding]:
    """Draws from a zone into which no piece ever comes, and from a zone into itself."""
    for node in nodes_of(decl, ast.Draw):
        zone = rooted(node.source)
        if node.source == node.to:
            yield Finding(f"this draws from `{print_expr(node.source)}` into itself", node.span)
        elif index.zone_order(zone) is not None and not is_filled(index, zone):
            yield Finding(f"there is never a piece in `{zone}`", node.span)


@lint_declarations("CHN314", ast.Die, ast.Choose, ast.Shuffle, ast.Roll, ast.Draw)
def single_outcome(decl: ast.Decl, index: RuleIndex) -> Iterator[Finding]:
    """Dice, draws and shuffles with one outcome."""
    for node in nodes_of(decl, ast.Die, ast.Choose, ast.Shuffle, ast.Roll, ast.Draw):
        match node:
            case ast.Die(name=name):
                if index.size(name) == 1:
                    yield Finding(f"the die {name} has one face", node.span)
                elif node.low is not None and node.low == node.high:
                    yield Finding(f"the die {name} always shows {node.low}", node.span)
            case ast.Choose(who=ast.Name("chance"), source=ast.SetOf((only,)) | ast.ListOf((only,))):
                yield Finding(f"chance can only choose {print_expr(only)}", node.span)
            case ast.Choose(who=ast.Name("chance"), source=ast.Range(low, high)) if low == high:
                yield Finding(f"chance can only choose {print_expr(low)}", node.span)
            case ast.Shuffle(what=what) if index.zone_order(rooted(what)) in ("set", "bag"):
                zone = rooted(what)
                message = f"`{zone}` is a {index.zone_order(zone)}: its pieces have no order to shuffle"
                yield Finding(message, node.span, hint=f"a `stack`, or draw at random from `{zone}`")
            case ast.Roll(amount=ast.Number(0)) | ast.Draw(amount=ast.Number(0)):
                yield Finding("this leaves nothing to chance", node.span)
            case _:
                pass  # all else is in order


@lint_declarations("CHN316", ast.Zone)
def stack_in_fixed_order(decl: ast.Decl, index: RuleIndex) -> Iterator[Finding]:
    """Stacks with hidden faces, from which is drawn, though nothing changes the order in which they begin."""
    for zone in nodes_of(decl, ast.Zone):
        if zone.order != "stack" or not _is_hidden(zone) or not is_drawn(index, zone.name):
            continue
        if unlike_pieces_begin(index, zone.name) and not is_mixed(index, zone.name):
            yield Finding(
                f"`{zone.name}` is drawn from, but never shuffled: its pieces come in the same order in every game",
                zone.span,
                f"write `shuffle {zone.name}` before the first draw, or `bag` in the place of `stack`",
            )


def _is_hidden(zone: ast.Zone) -> bool:
    """True if no player sees the faces of a zone's pieces."""
    faces = [audience.by for audience in zone.audiences if audience.facet in (None, "face")]
    return bool(faces) and all(by == ast.SetOf(()) for by in faces)
