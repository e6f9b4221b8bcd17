"""TYP233: nothing changes."""

from __future__ import annotations

from collections.abc import Iterator
from typing import assert_never

from rulewright.lint.analyses.declaration_nodes import blocks_of, nodes_of
from rulewright.lint.analyses.rule_index import RuleIndex
from rulewright.lint.analyses.text_fixes import instead
from rulewright.lint.context import Finding, lint_declarations
from rulewright.syntax import ast
from rulewright.syntax.printer.expression_printer import print_expr

_ZERO, _ONE, _NOBODY = ast.Number(0), ast.Number(1), ast.SetOf(())
_CONCERNED = (ast.Assign, ast.Update, ast.Swap, ast.MoveHeld, ast.Modifier, ast.Unary, ast.Binary, ast.Divide)


@lint_declarations("TYP233", *_CONCERNED, ast.DoNothing)
def nothing_changes(decl: ast.Decl, index: RuleIndex) -> Iterator[Finding]:
    """Sums, products and assignments that leave everything as it is."""
    for block in blocks_of(decl):
        for clause in block:
            if isinstance(clause, ast.DoNothing) and len(block) > 1:
                yield Finding("`do nothing` beside other statements means nothing", clause.span)
    for node in nodes_of(decl, *_CONCERNED):
        match node:
            case ast.Assign(target, "=", value) | ast.Update(target, value) if target == value:
                yield Finding(f"`{print_expr(target)}` is set to itself", node.span)
            case ast.Swap(left, right) if left == right:
                yield Finding(f"`{print_expr(left)}` is swapped with itself", node.span)
            case ast.MoveHeld(_, source, to) if source == to:
                yield Finding(f"this moves nothing: it is `{print_expr(to)}` twice", node.span)
            case ast.Assign(target, "+=" | "-=", ast.Number(0)) if index.type_of(target).is_collection:
                pass  # a number that is put into a set or list
            case ast.Assign(op="+=" | "-=", value=ast.Number(0) | ast.SetOf(()) | ast.ListOf(())):
                yield Finding("this changes nothing", node.span)
            case ast.Modifier(op="+" | "-", value=ast.Number(0)) | ast.Modifier(op="times", value=ast.Number(1)):
                yield Finding(f"the modifier `{node.label}` changes nothing", node.span)
            case ast.Unary("not", ast.Unary("not", inner)):
                yield Finding("two `not` cancel each other out", node.span, fix=instead(node, inner))
            case ast.Binary() | ast.Divide():
                same = _unchanged(node)
                if same is not None:
                    message = f"this is just `{print_expr(same)}`"
                    yield Finding(message, node.span, fix=instead(node, same))
            case _:
                pass  # all else is in order


def _unchanged(node: ast.Binary | ast.Divide) -> ast.Expr | None:
    """The value that an operation always has, or the operand to which it is equal, if the other one changes nothing."""
    left, right = node.left, node.right
    if isinstance(node, ast.Divide):
        return left if right == _ONE else None
    match node.op:
        case "+":
            return left if right in (_ZERO, _NOBODY) else right if left in (_ZERO, _NOBODY) else None
        case "-":
            return left if right == _ZERO else _ZERO if left == right else None
        case "*":
            return _ZERO if _ZERO in (left, right) else left if right == _ONE else right if left == _ONE else None
        case "mod":
            return _ZERO if right == _ONE else None
        case "except":
            return left if right == _NOBODY else _NOBODY if left == right else None
        case "intersect":
            return left if left == right else _NOBODY if _NOBODY in (left, right) else None
        case "or" | "and" | "is" | "is not" | "<" | "<=" | ">" | ">=" | "in" | "not in" | "or else" | "|":
            return None  # conditions that always hold are reported elsewhere
        case _:
            assert_never(node.op)
