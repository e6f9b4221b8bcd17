"""STY702: the same bare number in two rules."""

from __future__ import annotations

from collections.abc import Iterator

from rulewright.diagnostics import Span
from rulewright.lint.analyses.declaration_nodes import nodes_of
from rulewright.lint.analyses.uses import words
from rulewright.lint.context import Finding, lint
from rulewright.lint.subject import Subject
from rulewright.syntax import ast

_SMALL = range(-2, 3)
"""Numbers that need no name."""


@lint("STY702")
def magic_number(subject: Subject) -> Iterator[Finding]:
    """A quantity compared with one bare number in several rules: a limit that wants a name."""
    first: dict[tuple[ast.Expr, int], tuple[str, Span]] = {}
    reported: set[tuple[str, ast.Expr, int]] = set()
    decls = subject.source.rules.decls
    for name, decl in decls.items():
        for measured, bound in _measures(decl):
            # Names of one rule only are something else in another rule.
            if decls.keys().isdisjoint(words(measured)):
                continue
            where, span = first.setdefault((measured, bound.value), (name, bound.span))
            key = (name, measured, bound.value)
            if where != name and key not in reported:
                reported.add(key)
                message = f"`{name}` and `{where}` compare the same thing with {bound.value}"
                note = f"the other one is in {span.file}:{span.line}"
                yield Finding(message, bound.span, "give the number a name: `param most = …`", (note,))


def _measures(decl: ast.Decl) -> Iterator[tuple[ast.Expr, ast.Number]]:
    """The expressions that are compared with a number that might want a name."""
    for node in nodes_of(decl, ast.Binary):
        if node.op in ("is", "is not", "<", "<=", ">", ">="):
            for measured, bound in ((node.left, node.right), (node.right, node.left)):
                if isinstance(bound, ast.Number) and not isinstance(measured, ast.Number) and bound.value not in _SMALL:
                    yield measured, bound
