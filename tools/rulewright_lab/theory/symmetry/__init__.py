"""Symmetries of the map under which the rules of a game stay what they are, so that symmetric positions are as good."""

from __future__ import annotations

from rulewright_lab.theory.symmetry.merging import Symmetries

__all__ = ["Symmetries"]
