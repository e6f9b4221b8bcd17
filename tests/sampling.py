"""Sizes of samples: few every day, many with ``--hypothesis-profile=torture``, as in ``make torture``."""

from __future__ import annotations

import pytest
from hypothesis import settings

THOROUGH = settings.get_current_profile_name() == "torture"

thorough = pytest.mark.thorough
"""Marks a test that takes long and that others do in small: it is selected with the profile ``torture`` only."""


def sample(few: int, many: int) -> int:
    """A number of games, seeds or examples: `few` every day."""
    return many if THOROUGH else few


__all__ = ["THOROUGH", "sample", "thorough"]
