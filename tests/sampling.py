"""Sizes of samples: few every day, many with ``--hypothesis-profile=torture``, as in ``make torture``."""

from __future__ import annotations

import pytest
from hypothesis import settings

THOROUGH = settings.get_current_profile_name() == "torture"

thorough = pytest.mark.skipif(not THOROUGH, reason="takes long, and others test it in small: in `make torture`")
"""Marks a test that is not run every day."""


def sample(few: int, many: int) -> int:
    """A number of games, seeds or examples: `few` every day."""
    return many if THOROUGH else few


__all__ = ["THOROUGH", "sample", "thorough"]
