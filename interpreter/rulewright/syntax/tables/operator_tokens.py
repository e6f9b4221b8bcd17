"""Tokens of operators, for what reads lines without reading expressions."""

from __future__ import annotations

INFIX = frozenset((
    "AND", "OR", "IS", "IS_A", "IS_NOT_A", "LESS", "MORE", "AT_MOST_SIGN", "AT_LEAST_SIGN", "EXCEPT", "OR_ELSE",
    "STAR", "SLASH", "MOD", "INTERSECT", "VBAR",
))  # fmt: skip
"""Those that stand between two values, and with which no line begins."""

__all__ = ["INFIX"]
