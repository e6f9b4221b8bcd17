"""Paths of the grammar, the schemas, the shipped rulesets and the pages of the diagnostics."""

from __future__ import annotations

from pathlib import Path

_PACKAGE = Path(__file__).resolve().parents[1]
_INSIDE = _PACKAGE / "_share"
_CHECKOUT = _PACKAGE.parent.parent


_IN_DOCS = ("diagnostics", "language", "language.md")


def share(name: str) -> Path:
    """``grammar``, ``schemas``, ``rulesets``, ``diagnostics``, ``language.md`` or ``language`` (its chapters), or a
    file below one of them: of an installed package, or of the checkout."""
    inside = _INSIDE / name
    if inside.exists():
        return inside
    return _CHECKOUT / "docs" / name if name.partition("/")[0] in _IN_DOCS else _CHECKOUT / name
