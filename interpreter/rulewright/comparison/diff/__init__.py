"""Comparison of two rulesets, clause by clause."""

from __future__ import annotations

from rulewright.comparison.diff.comparing import Comparison, Difference, Wording, compare
from rulewright.comparison.diff.editions import Edition, Side

__all__ = ["Comparison", "Difference", "Edition", "Side", "Wording", "compare"]
