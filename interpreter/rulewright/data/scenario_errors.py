"""Mistakes that stand in a scenario: they keep nobody from playing."""

from __future__ import annotations

import re
from collections.abc import Iterable

from rulewright.diagnostics import Diagnostic

_BEGINS = re.compile(r"^([^\W\d]\w*)", re.MULTILINE)


def in_scenarios(text: str, found: Iterable[Diagnostic]) -> set[Diagnostic]:
    """The findings of a file that stand in a scenario: below a line that begins one, or in that line.

    The text is searched, not the tree: of a declaration that could not be read the tree knows nothing.
    """
    begins = [(text.count("\n", 0, match.start()) + 1, match[1]) for match in _BEGINS.finditer(text)]

    def word(line: int) -> str:
        return next((word for at, word in reversed(begins) if at <= line), "")

    return {finding for finding in found if word(finding.span.line) == "scenario"}
