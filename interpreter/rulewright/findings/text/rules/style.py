"""Lint rules about style."""

from __future__ import annotations

import re
from collections.abc import Iterator

from rulewright.data.source_file import SourceFile
from rulewright.diagnostics import Edit, Fix, Span
from rulewright.findings.text.analyses.declaration_nodes import nodes_of
from rulewright.findings.text.analyses.uses import words
from rulewright.findings.text.context import Finding, lint
from rulewright.findings.text.subject import Subject
from rulewright.foundation.memo import memoized_by_node
from rulewright.syntax import ast, print_file

_WORDS = ("TODO", "FIXME", "XXX")
_TODO = re.compile(rf"#.*?\b({'|'.join(_WORDS)})\b")
_STRING = re.compile(r'"[^"\n]*"')


@lint("STY703")
def todo_comment(subject: Subject) -> Iterator[Finding]:
    """Comments that say that something is missing."""
    for source in subject.ruleset.files:
        if any(word in source.text for word in _WORDS):
            yield from _left_in(source)


def _left_in(source: SourceFile) -> Iterator[Finding]:
    for number, line in enumerate(source.text.split("\n"), 1):
        found = _TODO.search(_STRING.sub(lambda string: "_" * len(string[0]), line))
        if found is not None:
            where = Span(source.path, number, found.start(1) + 1, number, found.end(1) + 1)
            yield Finding(f"`{found[1]}`: something is left to do here", where)


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


@lint("STY701")
def not_formatted(subject: Subject) -> Iterator[Finding]:
    """Files that `rulewright fmt` would change."""
    for source in (source for source in subject.ruleset.files if subject.wants(source.path)):
        formatted = _formatted(source.file)
        if formatted == source.text:
            continue
        before, after = source.text.split("\n"), formatted.split("\n")
        line = next((n for n, (a, b) in enumerate(zip(before, after, strict=False), 1) if a != b), len(before))
        whole = Span(source.path, 1, 1, len(before), len(before[-1]) + 1)
        fix = Fix("format the file", (Edit(whole, formatted),))
        yield Finding("this is not formatted", Span(source.path, line, 1, line, 2), "run `rulewright fmt`", fix=fix)


@memoized_by_node
def _formatted(file: ast.File) -> str:
    """A file as it would be formatted."""
    return print_file(file)
