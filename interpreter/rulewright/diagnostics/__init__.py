"""Spans, diagnostics, the exception that carries them, and suggestions for misspelt words."""

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
    over_limit,
)
from rulewright.diagnostics.suggestions import did_you_mean, listing
