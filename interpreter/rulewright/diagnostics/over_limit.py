"""The one finding about whatever is larger than :mod:`rulewright.foundation.limits` allows."""

from __future__ import annotations

from rulewright.diagnostics.model import NOWHERE, Diagnostic, Span


def over_limit(what: str, found: int, most: int, span: Span = NOWHERE, hint: str = "") -> Diagnostic:
    """The finding about something that is larger than it may be: the limit and the actual number."""
    return Diagnostic("LIM001", f"{found:,} {what}, and at most {most:,} are allowed", span, hint=hint)
