"""The files of a ruleset, and the folders of rulesets."""

from __future__ import annotations

from rulewright.data.opening import opened as with_variants
from rulewright.data.rulebook import Rulebook, Ruling, Statement
from rulewright.data.ruleset import Ruleset, with_scenarios
from rulewright.data.ruleset_folders import changed_ruleset, find_rulesets, is_expected, shipped_rulesets
from rulewright.data.source_file import SourceFile

__all__ = [
    "Rulebook",
    "Ruleset",
    "Ruling",
    "SourceFile",
    "Statement",
    "changed_ruleset",
    "find_rulesets",
    "is_expected",
    "shipped_rulesets",
    "with_scenarios",
    "with_variants",
]
