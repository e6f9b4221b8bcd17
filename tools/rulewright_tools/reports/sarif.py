"""Findings as SARIF 2.1.0, which editors and code forges show beside the line."""

from __future__ import annotations

import os
from collections.abc import Iterable
from pathlib import Path, PurePosixPath
from typing import Any
from urllib.parse import quote

import rulewright as rw
from rulewright.reporting import Edit, explain, in_order, title

_LEVEL = {rw.Severity.ERROR: "error", rw.Severity.WARNING: "warning", rw.Severity.INFO: "note"}


def to_sarif(diagnostics: Iterable[rw.Diagnostic]) -> dict[str, Any]:
    """A SARIF log with one run, ready for :func:`json.dumps`."""
    found = in_order(diagnostics)
    codes = sorted({finding.code for finding in found})
    return {
        "$schema": "https://json.schemastore.org/sarif-2.1.0.json",
        "version": "2.1.0",
        "runs": [
            {
                "tool": {
                    "driver": {
                        "name": "rulewright",
                        "version": rw.__version__,
                        "informationUri": "https://rulewright.dev",
                        "rules": [_rule(code) for code in codes],
                    }
                },
                "columnKind": "unicodeCodePoints",
                "originalUriBaseIds": {"%SRCROOT%": {"description": {"text": "The working directory."}}},
                "results": [_result(finding, codes.index(finding.code)) for finding in found],
            }
        ],
    }


def _rule(code: str) -> dict[str, Any]:
    heading = title(code)
    words = "".join(part.capitalize() for part in "".join(c if c.isalnum() else " " for c in heading).split())
    rule: dict[str, Any] = {"id": code, "name": words or code, "shortDescription": {"text": heading}}
    page = explain(code)
    if page is not None:
        body = page.partition("\n")[2].strip()
        rule["fullDescription"] = {"text": body.partition("\n\n")[0].replace("\n", " ") or heading}
        rule["help"] = {"text": body or heading, "markdown": page}
    return rule


def _result(finding: rw.Diagnostic, index: int) -> dict[str, Any]:
    message = ". ".join(part for part in (finding.message, finding.hint, *finding.notes) if part)
    result: dict[str, Any] = {
        "ruleId": finding.code,
        "ruleIndex": index,
        "level": _LEVEL[finding.severity],
        "message": {"text": message},
    }
    if finding.span.file:
        location: dict[str, Any] = {"physicalLocation": _physical(finding.span)}
        if finding.path:
            location["logicalLocations"] = [{"fullyQualifiedName": finding.path, "kind": "property"}]
        result["locations"] = [location]
    if finding.cites:
        result["properties"] = {"cites": list(finding.cites)}
    if finding.fix is not None and finding.fix.edits:
        result["fixes"] = [
            {"description": {"text": finding.fix.message}, "artifactChanges": _changes(finding.fix.edits)}
        ]
    return result


def _changes(edits: tuple[Edit, ...]) -> list[dict[str, Any]]:
    """Edits, grouped by file."""
    files: dict[str, list[Edit]] = {}
    for edit in edits:
        files.setdefault(edit.span.file, []).append(edit)
    return [
        {
            "artifactLocation": _artifact(file),
            "replacements": [
                {"deletedRegion": _region(edit.span), "insertedContent": {"text": edit.text}} for edit in inside
            ],
        }
        for file, inside in files.items()
    ]


def _physical(span: rw.Span) -> dict[str, Any]:
    physical: dict[str, Any] = {"artifactLocation": _artifact(span.file)}
    if span.line:
        physical["region"] = _region(span)
    return physical


def _artifact(file: str) -> dict[str, Any]:
    path = Path(file)
    if path.is_absolute():
        return {"uri": path.as_uri()}
    return {"uri": quote(os.fsencode(str(PurePosixPath(file)))), "uriBaseId": "%SRCROOT%"}


def _region(span: rw.Span) -> dict[str, int]:
    return {
        "startLine": max(span.line, 1),
        "startColumn": max(span.column, 1),
        "endLine": max(span.end_line, span.line, 1),
        "endColumn": max(span.end_column, 1),
    }
