"""Counts of what a data file holds, before time and memory are spent on reading it."""

from __future__ import annotations

import re
from collections.abc import Sequence

from rulewright.diagnostics import Diagnostic, Span
from rulewright.foundation import limits

# Possessive: what is passed over once is not tried again, so that no text can make it slow or large.
_TEXT = re.compile(r'"(?:[^"\\]++|\\.)*+"?', re.DOTALL)


def held(text: str, signs: str, most: int) -> int:
    """Count some characters in a text, leaving out quoted ones where this decides whether there are at most `most`."""
    found = sum(text.count(sign) for sign in signs)
    if found > most and '"' in text:
        plain = _TEXT.sub("", text)
        found = sum(plain.count(sign) for sign in signs)
    return found


def few(found: Sequence[Diagnostic], file: str, more: str = "") -> list[Diagnostic]:
    """Findings about one data file: the first ones, and how many there are besides."""
    most = limits.DATA_FINDINGS
    if len(found) <= most:
        return list(found)
    rest = f"and {len(found) - most}{more} more findings in this file"
    return [*found[:most], Diagnostic("DAT019", rest, Span(file, 1, 1, 1, 2))]
