"""Findings as the protocol of editors represents them."""

from __future__ import annotations

import copy
import os
import re
from collections.abc import Iterable
from functools import cache
from pathlib import Path

from lsprotocol import types

import rulewright as rw
from rulewright import reporting
from rulewright_tools.lsp.editor_workspace import EditorWorkspace
from rulewright_tools.lsp.positions import range_of, uri_of

MANIFEST = "ruleset.json"

_SEVERITY = {
    rw.Severity.ERROR: types.DiagnosticSeverity.Error,
    rw.Severity.WARNING: types.DiagnosticSeverity.Warning,
    rw.Severity.INFO: types.DiagnosticSeverity.Information,
}
_PLACE = re.compile(r"(?P<file>[^\s:`]+\.\w+):(?P<line>\d+)|on line (?P<same>\d+)")

Findings = dict[str, list[types.Diagnostic]]
"""Diagnostics by the URIs of their files."""


def to_diagnostics(editor: EditorWorkspace, findings: Iterable[rw.Diagnostic], home: Path | None) -> Findings:
    """Findings by their files; those without a file belong to the manifest of their ruleset."""
    found: Findings = {}
    lines: dict[str, list[str]] = {}
    for finding in findings:
        path = os.path.abspath(finding.span.file) if finding.span.file else ""
        if home is not None and (not path or os.path.isdir(path)):
            path = str(home / MANIFEST)
        if not path:
            continue
        if path not in lines:
            lines[path] = editor.lines(path)
        found.setdefault(uri_of(path), []).append(diagnostic(editor, finding, path, lines))
    return found


def diagnostic(
    editor: EditorWorkspace, finding: rw.Diagnostic, path: str, lines: dict[str, list[str]]
) -> types.Diagnostic:
    """A finding as the protocol represents it."""
    text = "\n".join([finding.message, *([finding.hint] if finding.hint else []), *finding.notes])
    page = reporting.page_file(finding.code)
    return types.Diagnostic(
        range_of(finding.span, lines[path]),
        text,
        severity=_SEVERITY[finding.severity],
        code=finding.code,
        code_description=types.CodeDescription(uri_of(page)) if page is not None else None,
        source="rulewright",
        tags=[types.DiagnosticTag.Unnecessary] if finding.code in _unused() else None,
        related_information=list(_related(editor, finding, path, lines)) or None,
    )


@cache
def _unused() -> frozenset[str]:
    """The codes of what could be left out."""
    words = ("unused-", "unread-", "unreachable-")
    return frozenset(code.code for code in reporting.catalogue() if code.name.startswith(words))


def _related(
    editor: EditorWorkspace, finding: rw.Diagnostic, path: str, lines: dict[str, list[str]]
) -> Iterable[types.DiagnosticRelatedInformation]:
    """The other places that the notes of a finding name."""
    for note in finding.notes:
        for match in _PLACE.finditer(note):
            other = os.path.abspath(match["file"]) if match["file"] else path
            if other not in lines:
                lines[other] = editor.lines(other)
            row = int(match["line"] or match["same"])
            if row <= len(lines[other]) and os.path.isfile(other):
                text = lines[other][row - 1]
                start = len(text) - len(text.lstrip()) + 1
                span = rw.Span(other, row, start, row, len(text) + 1)
                location = types.Location(uri_of(other), range_of(span, lines[other]))
                yield types.DiagnosticRelatedInformation(location, note)


def shift_diagnostics(found: Iterable[types.Diagnostic], then: list[str], now: list[str]) -> list[types.Diagnostic]:
    """Findings in a text that has changed at one place: those above it stay, those below it move with their lines."""
    most = min(len(then), len(now))
    above = next((n for n in range(most) if then[n] != now[n]), most)
    below = next((n for n in range(most - above) if then[-1 - n] != now[-1 - n]), most - above)
    by = len(now) - len(then)
    kept = []
    for one in found:
        start, end = one.range.start, one.range.end
        if end.line < above:
            kept.append(one)
        elif start.line >= len(then) - below:
            lower = copy.copy(one)
            lower.range = types.Range(
                types.Position(start.line + by, start.character), types.Position(end.line + by, end.character)
            )
            kept.append(lower)
    return kept


def distinct(found: Iterable[types.Diagnostic]) -> Iterable[types.Diagnostic]:
    """Each finding once: a ruleset is checked with those that it extends."""
    seen: list[types.Diagnostic] = []
    for one in found:
        if one not in seen:
            seen.append(one)
            yield one
