"""What is said about a ruleset: spans, diagnostics, the exception that carries them, and guesses at misspelt words."""

from rulewright.diagnostics.model import (
    NOWHERE,
    Diagnostic,
    Edit,
    Enough,
    Fix,
    Report,
    RulesetError,
    Severity,
    Span,
)
from rulewright.diagnostics.over_limit import over_limit

__all__ = ["NOWHERE", "Diagnostic", "Edit", "Enough", "Fix", "Report", "RulesetError", "Severity", "Span", "over_limit"]
