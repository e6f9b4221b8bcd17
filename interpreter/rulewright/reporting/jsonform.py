"""Findings as JSON: the form of ``schemas/diagnostics.schema.json``."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from rulewright.diagnostics import Diagnostic, Span
from rulewright.foundation import versions
from rulewright.reporting.order import count, in_order


def to_json(diagnostics: Iterable[Diagnostic]) -> dict[str, Any]:
    """All findings in order, ready for :func:`json.dumps`; what is empty is left out."""
    found = in_order(diagnostics)
    counted = count(found)
    return {
        "format": "rulewright-diagnostics",
        "version": versions.DIAGNOSTICS,
        "diagnostics": [_diagnostic(finding) for finding in found],
        "summary": {
            "errors": counted.errors,
            "warnings": counted.warnings,
            "infos": counted.infos,
            "files": counted.files,
        },
    }


def _diagnostic(finding: Diagnostic) -> dict[str, Any]:
    data: dict[str, Any] = {
        "code": finding.code,
        "severity": finding.severity.value,
        "message": finding.message,
        "file": finding.span.file or None,
        "span": _span(finding.span),
    }
    if finding.path:
        data["path"] = finding.path
    if finding.hint:
        data["hint"] = finding.hint
    if finding.notes:
        data["notes"] = list(finding.notes)
    if finding.cites:
        data["cites"] = list(finding.cites)
    if finding.scenario:
        data["scenario"] = finding.scenario
    if finding.fix is not None:
        data["fix"] = {
            "message": finding.fix.message,
            "safe": finding.fix.safe,
            "edits": [
                {"file": edit.span.file, "span": _span(edit.span), "text": edit.text} for edit in finding.fix.edits
            ],
        }
    return data


def _span(span: Span) -> dict[str, int]:
    return {
        "line": span.line,
        "column": span.column,
        "end_line": span.end_line,
        "end_column": span.end_column,
    }
