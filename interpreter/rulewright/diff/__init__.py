"""Comparison of two rulesets, clause by clause."""

from __future__ import annotations

from rulewright.diff.comparing import Comparison, Difference, Wording, compare
from rulewright.diff.editions import Edition, Side

__all__ = ["Comparison", "Difference", "Edition", "Side", "Wording", "compare"]
