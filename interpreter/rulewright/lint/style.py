"""How rules are written: in the one format, with numbers that have names, and nothing left to do."""

from __future__ import annotations

import re
from collections.abc import Iterator

from rulewright.compiler.tree_walk import nodes
from rulewright.diagnostics import Edit, Fix, Severity, Span
from rulewright.lint.subject import Finding, Lint, Subject, lint
from rulewright.lint.uses import words
from rulewright.syntax import ast, print_file

_TODO = re.compile(r"#.*?\b(TODO|FIXME|XXX)\b")
_STRING = re.compile(r'"[^"\n]*"')
_SMALL = range(-2, 3)
"""Numbers that need no name."""


@lint("STY701", "not-formatted", Severity.INFO)
def not_formatted(subject: Subject) -> Iterator[Finding]:
    """Files that `rulewright fmt` would change."""
    for source in subject.ruleset.files:
        formatted = print_file(source.file)
        if formatted == source.text:
            continue
        before, after = source.text.split("\n"), formatted.split("\n")
        line = next((n for n, (a, b) in enumerate(zip(before, after, strict=False), 1) if a != b), len(before))
        whole = Span(source.path, 1, 1, len(before), len(before[-1]) + 1)
        fix = Fix("write it in the one format", (Edit(whole, formatted),))
        yield Finding("this is not formatted", Span(source.path, line, 1, line, 2), "run `rulewright fmt`", fix=fix)


@lint("STY702", "magic-number", Severity.INFO)
def magic_number(subject: Subject) -> Iterator[Finding]:
    """The same thing measured against the same bare number in several rules: a limit that wants a name."""
    first: dict[tuple[ast.Expr, int], tuple[str, Span]] = {}
    told: set[tuple[str, ast.Expr, int]] = set()
    decls = subject.source.rules.decls
    for name, decl in decls.items():
        for measured, bound in _measures(decl):
            # Names of one rule only are something else in another rule.
            if decls.keys().isdisjoint(words(measured)):
                continue
            where, span = first.setdefault((measured, bound.value), (name, bound.span))
            key = (name, measured, bound.value)
            if where != name and key not in told:
                told.add(key)
                message = f"`{name}` and `{where}` measure the same against {bound.value}"
                note = f"the other stands in {span.file}:{span.line}"
                yield Finding(message, bound.span, "give the number a name: `param most = …`", (note,))


def _measures(decl: ast.Decl) -> Iterator[tuple[ast.Expr, ast.Number]]:
    """What is compared with a number that might want a name."""
    for node in nodes(decl):
        if isinstance(node, ast.Binary) and node.op in ("is", "is not", "<", "<=", ">", ">="):
            for measured, bound in ((node.left, node.right), (node.right, node.left)):
                if isinstance(bound, ast.Number) and not isinstance(measured, ast.Number) and bound.value not in _SMALL:
                    yield measured, bound


@lint("STY703", "left-to-do", Severity.INFO)
def left_to_do(subject: Subject) -> Iterator[Finding]:
    """Comments that say that something is missing."""
    for source in subject.ruleset.files:
        for number, line in enumerate(source.text.split("\n"), 1):
            found = _TODO.search(_STRING.sub(lambda string: "_" * len(string[0]), line))
            if found is not None:
                where = Span(source.path, number, found.start(1) + 1, number, found.end(1) + 1)
                yield Finding(f"`{found[1]}`: something is left to do here", where)


RULES: tuple[Lint, ...] = (not_formatted, magic_number, left_to_do)
