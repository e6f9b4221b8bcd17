"""CHN314: chance with one outcome."""

from __future__ import annotations

from collections.abc import Iterator

from rulewright.lint.analyses.declaration_nodes import nodes_of
from rulewright.lint.analyses.mentions import rooted
from rulewright.lint.analyses.rule_index import RuleIndex
from rulewright.lint.context import Finding, lint_declarations
from rulewright.syntax import ast
from rulewright.syntax.printer.expression_printer import print_expr


@lint_declarations("CHN314", ast.Die, ast.Choose, ast.Shuffle, ast.Roll, ast.Draw)
def nothing_by_chance(decl: ast.Decl, index: RuleIndex) -> Iterator[Finding]:
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
