"""CHO311: all answers are refused, or none."""

from __future__ import annotations

from collections.abc import Iterator

from rulewright.compiler.tree_walk import nodes
from rulewright.foundation.memo import memoized_by_node
from rulewright.lint.analyses.declaration_nodes import blocks_of, nodes_of
from rulewright.lint.analyses.flow_questions import is_opened, reads
from rulewright.lint.analyses.rule_index import RuleIndex
from rulewright.lint.analyses.rule_summaries import opening
from rulewright.lint.context import Finding, lint_declarations
from rulewright.syntax import ast


@lint_declarations("CHO311", ast.Choose)
def all_or_nothing(decl: ast.Decl, index: RuleIndex) -> Iterator[Finding]:
    """A restriction that refuses all answers at once, in a choice without an alternative."""
    for choice in nodes_of(decl, ast.Choose):
        if choice.optional or choice.otherwise is not None:
            continue
        if choice.many is not None and choice.many.mode != "exactly":
            continue
        own = {choice.name, choice.as_name or choice.name}
        for label, restriction, clause in _restrictions(choice.restrictions, own, index):
            state = {t for t in reads(index, restriction) if not t.startswith("local ")} - {"regions"}
            if state:
                if _is_tested_before(decl, choice, index):
                    break
                message = f"`{label}` does not look at `{choice.name}`: when it holds there is no answer"
                yield Finding(message, clause.span, hint="let it stand at the head of the procedure, or add an `else`")


def _is_tested_before(decl: ast.Decl, choice: ast.Choose, index: RuleIndex) -> bool:
    """True if a choice is only made if it has an answer: first of an option, a repetition or what is `possible`."""
    if id(choice) in _opening_blocks(decl):
        return True
    return isinstance(decl, ast.Callable) and id(choice) in _choices(decl.body) and is_opened(index, decl.name)


@memoized_by_node
def _opening_blocks(decl: ast.Clause) -> frozenset[int]:
    """The choices with which options and repetitions begin, and what follows an answer that leads on to them."""
    openings = (node for node in nodes_of(decl, ast.Option, ast.Repeats) if isinstance(node, ast.Option | ast.Repeats))
    opened = [node.body for node in openings]
    for block in blocks_of(decl):
        for at, s in enumerate(block):
            if isinstance(s, ast.Choose) and s.leading:
                opened.append(block[at + 1 :] if s.then is None else s.then)
    return frozenset().union(*map(_choices, opened))


def _choices(body: tuple[ast.Stmt, ...]) -> frozenset[int]:
    return frozenset(id(choice) for choice in opening(body) if isinstance(choice, ast.Choose))


def _restrictions(
    written: tuple[ast.Restriction, ...], own: set[str], index: RuleIndex, seen: tuple[str, ...] = ()
) -> Iterator[tuple[str, ast.Forbid, ast.Clause]]:
    """Restrictions that do not look at what is chosen, with the clause of the choice that brings them."""
    for restriction in written:
        if isinstance(restriction, ast.Forbid):
            if not own & {n.name for n in nodes(restriction) if isinstance(n, ast.Name)}:
                yield restriction.label, restriction, restriction
        elif isinstance(restriction.call, ast.Call) and isinstance(restriction.call.operand, ast.Name):
            limits = index.decl_named(restriction.call.operand.name)
            if not isinstance(limits, ast.Limits) or limits.name in seen:
                continue
            given = zip(limits.params, restriction.call.args, strict=False)
            chosen = {p.name for p, a in given if own & {n.name for n in nodes(a) if isinstance(n, ast.Name)}}
            for label, inner, _ in _restrictions(limits.restrictions, chosen, index, (*seen, limits.name)):
                yield label, inner, restriction
