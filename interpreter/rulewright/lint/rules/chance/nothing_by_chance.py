"""CHN314: chance with one outcome."""

from __future__ import annotations

from collections.abc import Iterator

from rulewright.lint.analyses.all_games import Targets, in_all_games
from rulewright.lint.analyses.mentions import rooted
from rulewright.lint.analyses.rule_index import RuleIndex
from rulewright.lint.context import Finding, Subject, lint
from rulewright.syntax import ast
from rulewright.syntax.printer.expression_printer import print_expr


@lint("CHN314")
def nothing_by_chance(subject: Subject) -> Iterator[Finding]:
    """Dice, draws and shuffles with one outcome."""
    return in_all_games(subject, _one_outcome)


def _one_outcome(index: RuleIndex, targets: Targets) -> Iterator[Finding]:
    orders = {name: zone.order for name, zone in index.world.zones.items()}
    for node in targets.nodes(ast.Die, ast.Choose, ast.Shuffle, ast.Roll, ast.Draw):
        match node:
            case ast.Die(name=name):
                if index.world.has_universe(name) and index.world.size(name) == 1:
                    yield Finding(f"the die {name} has one face", node.span)
                elif node.low is not None and node.low == node.high:
                    yield Finding(f"the die {name} always shows {node.low}", node.span)
            case ast.Choose(who=ast.Name("chance"), source=ast.SetOf((only,)) | ast.ListOf((only,))):
                yield Finding(f"chance can only choose {print_expr(only)}", node.span)
            case ast.Choose(who=ast.Name("chance"), source=ast.Range(low, high)) if low == high:
                yield Finding(f"chance can only choose {print_expr(low)}", node.span)
            case ast.Shuffle(what=what) if orders.get(rooted(what)) in ("set", "bag"):
                zone = rooted(what)
                said = f"`{zone}` is a {orders[zone]}: its pieces have no order to shuffle"
                yield Finding(said, node.span, hint=f"a `stack`, or draw at random from `{zone}`")
            case ast.Roll(amount=ast.Number(0)) | ast.Draw(amount=ast.Number(0)):
                yield Finding("this leaves nothing to chance", node.span)
