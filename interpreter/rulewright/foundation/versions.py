"""The version of this library, and of everything that is written down and read again.

A newer one is refused by name, never guessed at.
Each number grows when what was written before could no longer be read as it was meant, or when what is written from
then on could be misread by those who know only the number before.
"""

from __future__ import annotations

__version__ = "0.1.0"
"""Rulewright itself."""

LANGUAGE = 1
"""Rules files; ``"language"`` of a manifest."""

MANIFEST = 1
"""The form of ``ruleset.json`` itself; its ``"manifest"``."""

PROGRAM = 3
"""Programs as JSON."""

SAVE = 2
"""Saved games."""

LOG = 1
"""Logs as JSON."""

DIAGNOSTICS = 1
"""Findings as JSON."""


def is_newer(value: object, known: int) -> bool:
    """True if a version was made for a later Rulewright. What is no version at all is for a schema to refuse."""
    return type(value) is int and value > known
