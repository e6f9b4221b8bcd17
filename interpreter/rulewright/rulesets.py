"""The files of a ruleset, and the folders of rulesets."""

from __future__ import annotations

from rulewright.data.rulebook import Rulebook, Ruling, Statement
from rulewright.data.ruleset import Ruleset, SourceFile, find_rulesets, shipped_rulesets

__all__ = ["Rulebook", "Ruleset", "Ruling", "SourceFile", "Statement", "find_rulesets", "shipped_rulesets"]
