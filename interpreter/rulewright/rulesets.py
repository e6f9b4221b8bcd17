"""What a ruleset consists of, and where rulesets lie."""

from __future__ import annotations

from rulewright.data.rulebook import Rulebook, Ruling, Statement
from rulewright.data.ruleset import Ruleset, SourceFile, find_rulesets, shipped_rulesets

__all__ = ["Rulebook", "Ruleset", "Ruling", "SourceFile", "Statement", "find_rulesets", "shipped_rulesets"]
