"""TYP231: a condition that always or never holds."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from rulewright.ir import model as m
from rulewright.lint.analyses.constant_conditions import Atom, ConditionAnalysis, inner_links, is_about_none, operands
from rulewright.lint.analyses.declaration_nodes import nodes_of
from rulewright.lint.analyses.rule_index import RuleIndex
from rulewright.lint.context import Finding, lint_declarations
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
