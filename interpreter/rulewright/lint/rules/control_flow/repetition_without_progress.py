"""CTL120: a repetition without progress."""

from __future__ import annotations

from collections.abc import Iterator

from rulewright.compiler.tree_walk import nodes
from rulewright.lint.analyses.declaration_nodes import nodes_of
from rulewright.lint.analyses.flow_questions import ends, finishes, follows, reads, writes
from rulewright.lint.analyses.rule_index import RuleIndex
from rulewright.lint.context import Finding, lint_declarations
from rulewright.syntax import ast
from rulewright.syntax.printer.expression_printer import print_expr

_LEAVE = ast.Transfer | ast.Restriction


@lint_declarations("CTL120", ast.Repeat)
def repetition_without_progress(decl: ast.Decl, index: RuleIndex) -> Iterator[Finding]:
    """A repetition whose condition nothing in it can change."""
    for node in nodes_of(decl, ast.Repeat):
        if any(isinstance(n, _LEAVE) for n in nodes(node.body)):
            continue
        if finishes(index, node.body):
            continue
        changed = writes(index, node.body) | follows(index)
        if node.mode in ("until", "while") and node.value is not None:
            if index.acts(node.value) or index.has_parameter(node.value) or reads(index, node.value) & changed:
                continue
            yield Finding(f"nothing in this repetition changes `{print_expr(node.value)}`", node.span)
        elif node.mode == "forever" and node.at_most is None and _leads_to_no_end(index, changed):
            yield Finding("this never ends: nothing in it changes what an end of the game reads", node.span)


def _leads_to_no_end(index: RuleIndex, changed: frozenset[str]) -> bool:
    """True if the game has ends, and none of them looks at what is changed."""
    return bool(ends(index)) and all(changed.isdisjoint(read) for read in ends(index))
