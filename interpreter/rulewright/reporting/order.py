"""The order of findings, and their number."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from rulewright.diagnostics import Diagnostic, Severity

_RANK = {Severity.ERROR: 0, Severity.WARNING: 1, Severity.INFO: 2}


@dataclass(frozen=True, slots=True)
class Count:
    """The number of findings of each severity, and of the files they are in."""

    errors: int
    warnings: int
    infos: int
    files: int


def in_order(diagnostics: Iterable[Diagnostic]) -> list[Diagnostic]:
    """By file, line and column, the worst first at one place; duplicates are left out."""
    unique = dict.fromkeys(diagnostics)
    return sorted(
        unique,
        key=lambda d: (d.span.file, d.span.line, d.span.column, _RANK[d.severity], d.code, d.message),
    )


def count(diagnostics: Iterable[Diagnostic]) -> Count:
    """Numbers for a report."""
    found = in_order(diagnostics)
    severities = [finding.severity for finding in found]
    return Count(
        errors=severities.count(Severity.ERROR),
        warnings=severities.count(Severity.WARNING),
        infos=severities.count(Severity.INFO),
        files=len({finding.span.file for finding in found if finding.span.file}),
    )


def summary(diagnostics: Iterable[Diagnostic]) -> str:
    """``2 errors, 1 warning in 3 files``, or ``no findings``."""
    counted = count(diagnostics)
    parts = [
        _plural(number, word)
        for number, word in (
            (counted.errors, "error"),
            (counted.warnings, "warning"),
            (counted.infos, "remark"),
        )
        if number
    ]
    if not parts:
        return "no findings"
    return ", ".join(parts) + (f" in {_plural(counted.files, 'file')}" if counted.files else "")


def _plural(number: int, word: str) -> str:
    return f"{number} {word}" if number == 1 else f"{number} {word}s"
