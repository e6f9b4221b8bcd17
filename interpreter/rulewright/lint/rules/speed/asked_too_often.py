"""PERF902: a costly question after every statement."""

from __future__ import annotations

from collections.abc import Iterator

from rulewright.foundation.memo import tracked_query
from rulewright.lint.analyses.declaration_nodes import blocks, blocks_of
from rulewright.lint.analyses.flow_questions import reads, writes
from rulewright.lint.analyses.loops import WorkEstimate
from rulewright.lint.analyses.rule_index import RuleIndex
from rulewright.lint.context import Finding, lint_declarations
from rulewright.syntax import ast

LEAST = 500
"""Less work is done as quickly as anything else."""


@lint_declarations("PERF902", ast.Callable)
def asked_too_often(decl: ast.Decl, index: RuleIndex) -> Iterator[Finding]:
    """Statements of one block after each of which a costly end or consequence is looked for."""
    if not isinstance(decl, ast.Callable) or decl.word == "effect":
        return
    for name, work, is_end in _costly(index):
        read = _reads_of(index, name)
        for block in blocks_of(decl):
            waking = [s for s in block if _is_one_statement(s, index) and not read.isdisjoint(writes(index, s))]
            if len(waking) > 1:
                message = f"`{name}` is looked for after {len(waking)} statements here"
                hint = (
                    f"each time with up to {work:,} conditions: make one effect of them, which counts as one statement"
                )
                hint += f", or look for `{name}` only `, after {decl.name}`" if is_end else ""
                yield Finding(message, waking[-1].span, hint=hint)


def _is_one_statement(s: ast.Stmt, index: RuleIndex) -> bool:
    """True unless ends and consequences are looked for in the middle of it, too."""
    if isinstance(s, ast.CallStatement) and isinstance(s.call, ast.Call) and isinstance(s.call.operand, ast.Name):
        called = index.decl_named(s.call.operand.name)
        return isinstance(called, ast.Callable) and called.word == "effect"
    return next(blocks((s,)), None) is None and not isinstance(s, ast.CallStatement | ast.Choose | ast.Let)


@tracked_query
def _costly(index: RuleIndex) -> tuple[tuple[str, int, bool], ...]:
    """Ends and consequences that are looked for at once and cost much: the name, the work, and whether it is an end."""
    estimate, found = WorkEstimate(index), []
    for decl in index.decls:
        if isinstance(decl, ast.Consequence) or (isinstance(decl, ast.End) and decl.after is None):
            work = estimate.of(decl.when) + sum(estimate.of(bind.source) for bind in decl.binds)
            if work >= LEAST:
                found.append((decl.name, work, isinstance(decl, ast.End)))
    return tuple(found)


@tracked_query
def _reads_of(index: RuleIndex, name: str) -> frozenset[str]:
    rule = index.decl_named(name)
    return reads(index, rule.when) if isinstance(rule, ast.End | ast.Consequence) else frozenset()
