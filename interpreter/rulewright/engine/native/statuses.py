"""Reasons why the functions of a program stop."""

from __future__ import annotations

GO_ON = 0
"""The function has returned: its caller goes on."""
CALLED = 5
"""The function has called one that is left to whoever began."""
ASK, OVER, RETURNED = 1, 3, 4
"""A player is asked, the game is over, the first function has returned without a result."""
