"""STY701: a file that is not formatted."""

from __future__ import annotations

from collections.abc import Iterator

from rulewright.diagnostics import Edit, Fix, Span
from rulewright.foundation.memo import memoized_by_node
from rulewright.lint.context import Finding, lint
from rulewright.lint.subject import Subject
from rulewright.syntax import ast, print_file


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
