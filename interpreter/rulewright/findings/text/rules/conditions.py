"""Lint rules about conditions and operations without effect."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import assert_never

from rulewright.diagnostics import Edit, Fix
from rulewright.findings.text.analyses.constant_conditions import (
    MOST_PARTS,
    Atom,
    ConditionAnalysis,
    inner_links,
    is_about_none,
    operands,
)
from rulewright.findings.text.analyses.declaration_nodes import blocks_of, nodes_of
from rulewright.findings.text.analyses.rule_index import RuleIndex
from rulewright.findings.text.analyses.text_fixes import instead
from rulewright.findings.text.context import Finding, lint_declarations
from rulewright.ir import model as m
from rulewright.syntax import ast
from rulewright.syntax.printer.expression_printer import print_expr

_COMPARISONS = ("is", "is not", "<", "<=", ">", ">=")
_CONDITIONS: dict[type[ast.Node], tuple[str, ...]] = {
    ast.Branch: ("condition",),
    ast.IfElse: ("condition",),
    ast.Case: ("condition",),
    ast.Modifier: ("condition",),
    ast.Forbid: ("condition",),
    ast.Unless: ("condition",),
    ast.Consequence: ("when",),
    ast.End: ("when",),
    ast.Choose: ("where",),
    ast.Each: ("where",),
    ast.Reaction: ("where",),
    ast.Bind: ("where",),
    ast.Comprehension: ("where",),
    ast.Aggregate: ("where",),
    ast.Ranked: ("where",),
    ast.Every: ("where", "has"),
    ast.Invariant: ("condition",),
    ast.Property: ("condition",),
    ast.Witness: ("condition",),
}
"""Fields in which conditions stand; `repeat while true` may say that it goes on forever."""
_JUDGED = (ast.Binary, ast.IsA, ast.IsEmpty)
_LOOKED_AT: tuple[type[ast.Node], ...] = (ast.If, *_CONDITIONS, *_JUDGED)


def _is_condition(node: ast.Node) -> bool:
    return isinstance(node, _JUDGED) and (
        not isinstance(node, ast.Binary) or node.op in (*_COMPARISONS, "in", "not in", "and", "or")
    )


@lint_declarations("TYP231", *_LOOKED_AT)
def constant_condition(decl: ast.Decl, index: RuleIndex) -> Iterator[Finding]:
    """Comparisons and chains that always or never hold."""
    truths = ConditionAnalysis(decl, index)
    links = inner_links(decl)
    for node in nodes_of(decl, *_LOOKED_AT):
        if isinstance(node, ast.If):
            yield from _decided_above(node, truths)
        for part in _CONDITIONS.get(type(node), ()):
            if isinstance(condition := getattr(node, part), ast.BoolLiteral):
                yield Finding(f"this {'always' if condition.value else 'never'} holds", condition.span)
        if not _is_condition(node) or is_about_none(node):
            continue  # what is never none is reported by the check of types
        if isinstance(node, ast.Binary) and node.op in ("and", "or"):
            if id(node) not in links:
                yield from _chain(node, "and" if node.op == "and" else "or", truths)
        elif isinstance(node, ast.Binary) and node.op in _COMPARISONS and node.left == node.right:
            yield Finding(f"both sides of `{node.op}` are the same", node.span, hint="compare two different things")
        elif (holds := truths.truth(node)) is not None:  # type: ignore[arg-type]
            yield Finding(f"this {'always' if holds else 'never'} holds", node.span, hint=_reason(node, index))


def _chain(node: ast.Binary, op: ast.LogicOp, truths: ConditionAnalysis) -> Iterator[Finding]:
    parts = list(operands(node, op))
    if any(truths.truth(p) is not None for p in parts):
        return  # reported of the part itself
    if op == "and" and (atoms := truths.never(parts)):
        yield Finding(f"{_both(atoms)} never hold together", node.span)
    elif op == "or" and (atoms := truths.always(parts)):
        yield Finding(f"one of {_both(atoms)} always holds", node.span)


def _both(atoms: Sequence[Atom]) -> str:
    words = [f"`{print_expr(a.written)}`" for a in atoms]
    return ", ".join(words[:-1]) + f" and {words[-1]}" if len(words) > 1 else words[0]


def _reason(node: ast.Node, index: RuleIndex) -> str:
    """The possible values of both sides, as the reason."""
    if not isinstance(node, ast.Binary):
        return ""
    for side in (node.left, node.right):
        bounds = index.bounds_of(side)
        if bounds is None or index.value_of(side) is not None:
            continue
        low, high = bounds
        if low == high:
            return f"`{print_expr(side)}` is {low}"
        if low > -m.INT_MAX:
            most = f"at least {low}" if high >= 100_000 else f"{low} to {high}"
            return f"`{print_expr(side)}` is {most}"
    return ""


def _decided_above(node: ast.If, truths: ConditionAnalysis) -> Iterator[Finding]:
    """An ``if`` that stands first in the branch of another one and asks the same again."""
    for branch in node.branches:
        inner = branch.body[0] if branch.body else None
        if not isinstance(inner, ast.If) or truths.index.acts(branch.condition):
            continue
        known = list(operands(branch.condition, "and"))
        again = inner.branches[0].condition
        parts = list(operands(again, "and"))
        if any(all(truths.truth(p) is None for p in (k, a)) and truths.implies(k, a) for k in known for a in parts):
            yield Finding("this always holds here: it was tested above", again.span)
        elif truths.never([*known, *parts]) and not truths.never(known) and not truths.never(parts):
            yield Finding("this never holds here: the opposite was tested above", again.span)


_ZERO, _ONE, _NOBODY = ast.Number(0), ast.Number(1), ast.SetOf(())
_CONCERNED = (ast.Assign, ast.Update, ast.MoveHeld, ast.Modifier, ast.Unary, ast.Binary, ast.Divide)


@lint_declarations("TYP233", *_CONCERNED, ast.DoNothing)
def no_effect(decl: ast.Decl, index: RuleIndex) -> Iterator[Finding]:
    """Sums, products and assignments that leave everything as it is."""
    for block in blocks_of(decl):
        for clause in block:
            if isinstance(clause, ast.DoNothing) and len(block) > 1:
                yield Finding("`do nothing` beside other statements means nothing", clause.span)
    for branches in nodes_of(decl, ast.If):
        if len(branches.otherwise) == 1 and isinstance(branches.otherwise[0], ast.DoNothing):
            yield Finding("`if` needs no `else` that does nothing", branches.otherwise[0].span)
    for node in nodes_of(decl, *_CONCERNED):
        match node:
            case ast.Assign(target, "=", value) | ast.Update(target, value) if target == value:
                yield Finding(f"`{print_expr(target)}` is set to itself", node.span)
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


@lint_declarations("TYP232", ast.Binary)
def redundant_condition(decl: ast.Decl, index: RuleIndex) -> Iterator[Finding]:
    """Parts of a chain that add nothing to another one."""
    truths = ConditionAnalysis(decl, index)
    links = inner_links(decl)
    for node in nodes_of(decl, ast.Binary):
        if node.op not in ("and", "or") or id(node) in links:
            continue
        parts = list(operands(node, node.op))
        decided = truths.never if node.op == "and" else truths.always
        if len(parts) > MOST_PARTS or index.acts(node) or decided(parts):
            continue
        for late, part in enumerate(parts):
            if part in parts[:late]:
                yield Finding(f"`{print_expr(part)}` occurs twice", part.span, fix=_without(node, parts, late))
                continue
            for at, other in enumerate(parts):
                # Of two that stand in a chain of `and` the wider one adds nothing, in a chain of `or` the narrower.
                wide, narrow = (part, other) if node.op == "and" else (other, part)
                # A test for none may stand there for the reader's sake.
                if at != late and part != other and not is_about_none(part) and truths.implies(narrow, wide):
                    if truths.implies(wide, narrow) and at > late:
                        continue
                    message = f"`{print_expr(part)}` adds nothing to `{print_expr(other)}`"
                    yield Finding(message, part.span, fix=_without(node, parts, late))
                    break


def _without(node: ast.Binary, parts: list[ast.Expr], away: int) -> Fix | None:
    """The chain without one part, if it stands on one line and all its brackets are needed."""
    span = node.span
    if span.line != span.end_line or span.end_column - span.column != len(print_expr(node)):
        return None
    kept = [p for i, p in enumerate(parts) if i != away]
    chain = kept[0]
    for part in kept[1:]:
        chain = ast.Binary(node.op, chain, part)
    return Fix(f"leave out `{print_expr(parts[away])}`", (Edit(span, print_expr(chain)),), safe=False)
