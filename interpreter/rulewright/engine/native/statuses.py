"""Reasons why the functions of a program stop."""

from __future__ import annotations

GO_ON = 0
"""The function has returned: its caller goes on."""
CALLED = 5
"""The function has called one that is left to whoever began."""
ASK, DREW, OVER, RETURNED = 1, 2, 3, 4
"""A player is asked, chance is asked and nobody looks behind it, the game is over, the first function has returned
without a result."""
