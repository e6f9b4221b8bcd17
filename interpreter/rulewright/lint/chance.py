"""Chance that decides nothing."""

from __future__ import annotations

from collections.abc import Iterator

from rulewright.lint.doing import rooted
from rulewright.lint.index import Index, in_all_games
from rulewright.lint.pieces import filled
from rulewright.lint.subject import Finding, Lint, Subject, lint
from rulewright.syntax import ast
from rulewright.syntax.printer.expression_printer import print_expr


@lint("CHN314", "nothing-by-chance")
def nothing_by_chance(subject: Subject) -> Iterator[Finding]:
    """Dice, draws and shuffles with one outcome."""
    return in_all_games(subject, _one_outcome)


def _one_outcome(index: Index) -> Iterator[Finding]:
    orders = {name: zone.order for name, zone in index.world.zones.items()}
    for node in index.all_nodes():
        match node:
            case ast.Die(name=name):
                if index.world.has_universe(name) and index.world.size(name) == 1:
                    yield Finding(f"the die {name} has one face", node.span)
                elif node.low is not None and node.low == node.high:
                    yield Finding(f"the die {name} always shows {node.low}", node.span)
            case ast.Choose(who=ast.Name("chance"), source=ast.SetOf((only,)) | ast.ListOf((only,))):
                yield Finding(f"chance can choose nothing but {print_expr(only)}", node.span)
            case ast.Choose(who=ast.Name("chance"), source=ast.Range(low, high)) if low == high:
                yield Finding(f"chance can choose nothing but {print_expr(low)}", node.span)
            case ast.Shuffle(what=what) if orders.get(rooted(what)) in ("set", "bag"):
                zone = rooted(what)
                said = f"`{zone}` is a {orders[zone]}: its pieces have no order that could be mixed"
                yield Finding(said, node.span, hint=f"a `stack`, or draw at random from `{zone}`")
            case ast.Roll(amount=ast.Number(0)) | ast.Draw(amount=ast.Number(0)):
                yield Finding("this asks chance for nothing", node.span)


@lint("CHN315", "draw-from-nothing")
def draw_from_nothing(subject: Subject) -> Iterator[Finding]:
    """Draws from a zone into which no piece ever comes, and from a zone into itself."""
    return in_all_games(subject, _from_nothing)


def _from_nothing(index: Index) -> Iterator[Finding]:
    full = filled(index)
    for node in index.all_nodes():
        if isinstance(node, ast.Draw):
            zone = rooted(node.source)
            if node.source == node.to:
                yield Finding(f"this draws from `{print_expr(node.source)}` into itself", node.span)
            elif zone in index.world.zones and zone not in full:
                yield Finding(f"there is never a piece in `{zone}`", node.span)


RULES: tuple[Lint, ...] = (nothing_by_chance, draw_from_nothing)
