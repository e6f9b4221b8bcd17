"""Paths of the grammar, the schemas, the shipped rulesets and the pages of the diagnostics."""

from __future__ import annotations

from pathlib import Path

_PACKAGE = Path(__file__).resolve().parent
_INSIDE = _PACKAGE / "_share"
_CHECKOUT = _PACKAGE.parent.parent


def share(name: str) -> Path:
    """``grammar``, ``schemas``, ``rulesets`` or ``diagnostics``: of an installed package, or of the checkout."""
    inside = _INSIDE / name
    if inside.is_dir():
        return inside
    return _CHECKOUT / ("docs/diagnostics" if name == "diagnostics" else name)
