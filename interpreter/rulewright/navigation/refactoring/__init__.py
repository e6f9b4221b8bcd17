"""Refactorings: changes that somebody wants to make, as edits. Whoever applies them checks the result before.

Each function gives the edits, or None where it does not make sense.
"""

from __future__ import annotations

from rulewright.navigation.refactoring.citations import cite_here, cite_statement
from rulewright.navigation.refactoring.extraction import extract_query, make_parameter
from rulewright.navigation.refactoring.new_scenario import new_scenario
from rulewright.navigation.refactoring.proposals import Proposal

__all__ = ["Proposal", "cite_here", "cite_statement", "extract_query", "make_parameter", "new_scenario"]
