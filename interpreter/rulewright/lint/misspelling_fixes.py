"""A fix for every misspelt word: where a finding asks `did you mean …?`, the word can be replaced.

The finding contains the word that was meant; here it only becomes an edit. Such a fix is unsafe: a broken rule comes to
mean something, and only its writer knows whether it is the right thing.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import replace

from rulewright.data.ruleset import Ruleset
from rulewright.diagnostics import Diagnostic, Edit, Fix, Span

_MEANT = re.compile(r"did you mean `([^`]+)`\?")
_SAID = re.compile(r"`([^`]+)`")


def respelt(found: Iterable[Diagnostic], ruleset: Ruleset) -> list[Diagnostic]:
    """The findings, those about a misspelt word in a rules file with a fix."""
    lines = {file.path: file.text.split("\n") for file in ruleset.files}
    return [_offered(finding, lines.get(finding.span.file, [])) for finding in found]


def _offered(finding: Diagnostic, lines: list[str]) -> Diagnostic:
    meant = _MEANT.fullmatch(finding.hint)
    span = finding.span
    if meant is None or finding.fix is not None or not 0 < span.line <= len(lines):
        return finding
    end = span.end_column - 1 if span.end_line == span.line else len(lines[span.line - 1])
    for word in _SAID.findall(finding.message):
        # A word that stands there twice could be either of them.
        spots = [*re.finditer(rf"(?<![\w.]){re.escape(word)}(?!\w)", lines[span.line - 1][span.column - 1 : end])]
        if len(spots) == 1:
            start = span.column + spots[0].start()
            where = Span(span.file, span.line, start, span.line, start + len(word))
            fix = Fix(f"replace with `{meant[1]}`", (Edit(where, meant[1]),), safe=False)
            return replace(finding, fix=fix)
    return finding
