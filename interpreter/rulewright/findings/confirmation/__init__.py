"""Confirmation: the smallest moments in which rules differ from what might have been meant."""

from __future__ import annotations

from rulewright.findings.confirmation.confirm import Confirmation, confirm
from rulewright.findings.confirmation.moments import Alternative, Moment

__all__ = ["Alternative", "Confirmation", "Moment", "confirm"]
